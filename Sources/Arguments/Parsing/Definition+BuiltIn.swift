extension Definition {
  // A property's name has no dash, so these keys are never taken.
  static let helpKey = "--help"
  static let versionKey = "--version"

  /// The arguments of the last command of a path, and the options that every command has.
  static func all(for path: [any ParsableCommand.Type]) -> [Definition] {
    let own = path.last?.definitions() ?? []
    return own + builtIn(for: path, besides: own)
  }

  /// The options that every command has, less the names that the command took for its own.
  private static func builtIn(
    for path: [any ParsableCommand.Type], besides own: [Definition]
  ) -> [Definition] {
    var builtIn = [Definition(helpKey, ["-h", "--help"], "Show help information.")]
    if !version(of: path).isEmpty {
      builtIn.insert(Definition(versionKey, ["--version"], "Show the version."), at: 0)
    }
    let taken = Set(own.flatMap(\.description.names))
    return builtIn.compactMap { definition in
      var definition = definition
      definition.description.names.removeAll(where: taken.contains)
      return definition.description.names.isEmpty ? nil : definition
    }
  }

  /// The version of the innermost command that has one.
  static func version(of path: [any ParsableCommand.Type]) -> String {
    path.last { !$0.configuration.version.isEmpty }?.configuration.version ?? ""
  }

  private init(_ key: String, _ names: [String], _ abstract: String) {
    self.init(
      key: key,
      description: ArgumentDescription(
        kind: .flag, names: names, valueName: String(key.dropFirst(2)), abstract: abstract,
        discussion: "", defaultValue: nil, allowedValues: [], isOptional: true,
        isRepeating: false, isHidden: false, completion: .default, isBuiltIn: true))
  }
}
