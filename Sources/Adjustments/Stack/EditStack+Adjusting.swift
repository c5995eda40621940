extension EditStack {
  /// The photo's own adjustment of a type, outside its filters; neutral when it has none.
  ///
  /// - Throws: ``AdjustmentError/newerVersion(id:version:)`` when it is a newer version's.
  public func adjustment<Value: Adjustment>(
    _ type: Value.Type = Value.self
  ) throws(AdjustmentError) -> Value {
    for entry in entries where entry.id == Value.id {
      guard let adjustment = entry.adjustment as? Value else {
        throw .newerVersion(id: entry.id, version: entry.version)
      }
      return adjustment
    }
    return Value()
  }

  /// Changes the photo's own adjustment of a type: its other parameters, its place and what newer
  /// versions added to it stay. One that is neutral afterwards goes.
  ///
  /// Should an edit hold several of the type, they become the one that is changed.
  ///
  /// - Parameters:
  ///   - type: Any adjustment but ``AppliedFilter``, which has calls of its own.
  ///   - change: Changes the values; they start as they are, or neutral.
  /// - Throws: ``AdjustmentError/parameter(id:name:range:problem:)`` for a value that is not
  ///   allowed, ``AdjustmentError/newerVersion(id:version:)``, and what `change` throws. The stack
  ///   is as it was then.
  public mutating func adjust<Value: Adjustment>(
    _ type: Value.Type, _ change: (inout Value) throws(AdjustmentError) -> Void
  ) throws(AdjustmentError) {
    guard type.id != AppliedFilter.id else { throw .unknownParameter(type.id) }
    try checkVersions(of: type.id)
    let before = try adjustment(type)
    var after = before
    try change(&after)
    try after.validate()

    guard let index = entries.firstIndex(where: { $0.id == type.id }) else {
      if !after.isNeutral { replaceEntries(entries + [try StackEntry(after)]) }
      return
    }
    let entry = entries[index]
    var others = entries
    others.removeAll { $0.id == type.id }
    // What a newer version added may still do something when all that is known is neutral.
    if !after.isNeutral || !entry.unknownFields.isEmpty {
      let place = entries[..<index].count { $0.id != type.id }
      others.insert(after == before ? entry : try entry.changed(to: after), at: place)
    }
    replaceEntries(others)
  }

  /// Sets parameters of the photo's own adjustments; see ``adjust(_:_:)`` for what becomes of the
  /// rest. Of two settings of one parameter the last counts.
  ///
  /// - Throws: As ``adjust(_:_:)``; ``AdjustmentError/unknownParameter(_:)`` for a setting of an
  ///   adjustment that this version does not have. The stack is as it was then.
  public mutating func set(_ settings: [ParameterSetting]) throws(AdjustmentError) {
    var changed = self
    var ids: [String] = []
    for setting in settings where !ids.contains(setting.parameter.adjustment) {
      ids.append(setting.parameter.adjustment)
    }
    for id in ids {
      guard let type = AdjustmentRegistry.type(id: id) else { throw .unknownParameter(id) }
      try changed.set(settings.filter { $0.parameter.adjustment == id }, on: type)
    }
    self = changed
  }

  /// Sets one parameter to a value as people type it.
  ///
  /// - Parameters:
  ///   - option: The parameter's option without dashes, such as `saturation`.
  ///   - text: The value, such as `0.5` or `20%`.
  /// - Throws: As ``set(_:)``; ``AdjustmentError/unknownParameter(_:)`` when no parameter has the
  ///   option.
  public mutating func set(_ option: String, to text: String) throws(AdjustmentError) {
    guard let parameter = ParameterDescription.option(option) else {
      throw .unknownParameter(option)
    }
    try set([ParameterSetting(parameter, argument: text)])
  }

  /// Drops the adjustments of an id: the photo's own, or with `filter` its filters.
  ///
  /// - Throws: ``AdjustmentError/newerVersion(id:version:)``; nothing is dropped then.
  public mutating func remove(id: String) throws(AdjustmentError) {
    try checkVersions(of: id)
    replaceEntries(entries.filter { $0.id != id })
  }

  /// Drops all of the photo's own adjustments but its filters and what newer versions stored.
  public mutating func removeAdjustments() {
    replaceEntries(entries.filter { $0.id == AppliedFilter.id || $0.adjustment == nil })
  }

  private mutating func set<Value: Adjustment>(
    _ settings: [ParameterSetting], on type: Value.Type
  ) throws(AdjustmentError) {
    try adjust(type) { value throws(AdjustmentError) in
      for setting in settings {
        let name = setting.parameter.name
        guard let parameter = Value.parameters.first(where: { $0.name == name }) else {
          throw .unknownParameter(name)
        }
        if let problem = parameter.set(setting.value, on: &value) {
          throw .parameter(id: Value.id, name: name, range: parameter.range, problem: problem)
        }
      }
    }
  }

  private func checkVersions(of id: String) throws(AdjustmentError) {
    if let newer = entries.first(where: { $0.id == id && $0.adjustment == nil }) {
      throw .newerVersion(id: id, version: newer.version)
    }
  }
}
