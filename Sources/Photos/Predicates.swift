// PhotoKit's names begin with capital letters.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Foundation's classes with these names cannot be read by a library: they keep what they were made of to
// themselves. Functions of the same names make the library's own values where PhotoKit's code calls them, also
// when the file imports Foundation.

/// A predicate from its text; see `FetchPredicate`. As in PhotoKit, a mistake in the text ends the program at the
/// fetch; `FetchPredicate(format:)` throws it for texts that users write.
public func NSPredicate(format: String, _ arguments: (any FetchArgument)?...) -> FetchPredicate {
  FetchPredicate(
    formatCheckedAtFetch: format, arguments: arguments.map { $0?.fetchValue ?? .null })
}

/// A predicate from its text, with its arguments as a list; `nil` has none.
public func NSPredicate(
  format: String, argumentArray arguments: [any FetchArgument]?
) -> FetchPredicate {
  FetchPredicate(formatCheckedAtFetch: format, arguments: (arguments ?? []).map(\.fetchValue))
}

/// A predicate that every object meets, or none.
public func NSPredicate(value: Bool) -> FetchPredicate { value ? .all : .none }

/// A predicate that objects meet which meet all of some.
public func NSCompoundPredicate(
  andPredicateWithSubpredicates predicates: [FetchPredicate]
) -> FetchPredicate { predicates.reduce(.all, &&) }

/// A predicate that objects meet which meet one of some.
public func NSCompoundPredicate(
  orPredicateWithSubpredicates predicates: [FetchPredicate]
) -> FetchPredicate { predicates.reduce(.none, ||) }

/// A predicate that objects meet which do not meet another.
public func NSCompoundPredicate(
  notPredicateWithSubpredicate predicate: FetchPredicate
) -> FetchPredicate { !predicate }

extension NSNumber: FetchArgument {
  /// The number.
  public var fetchValue: FetchValue {
    // A truth value is a whole number, too, and keys take it as one.
    Int64(exactly: doubleValue) == int64Value ? .integer(int64Value) : .real(doubleValue)
  }
}

extension NSDate: FetchArgument {
  /// The instant.
  public var fetchValue: FetchValue { .date(self as Date) }
}

/// Sorts by the key with a name.
public func NSSortDescriptor(key: String, ascending: Bool) -> FetchSortDescriptor {
  FetchSortDescriptor(key: key, ascending: ascending)
}

/// Sorts assets by a property.
public func NSSortDescriptor<Value>(
  keyPath: KeyPath<Asset, Value>, ascending: Bool
) -> FetchSortDescriptor {
  FetchSortDescriptor(keyPath: keyPath, ascending: ascending)
}

/// Sorts albums by a property.
public func NSSortDescriptor<Value>(
  keyPath: KeyPath<AssetCollection, Value>, ascending: Bool
) -> FetchSortDescriptor {
  // The properties with PhotoKit's types.
  switch keyPath {
  case \AssetCollection.localizedTitle as KeyPath<AssetCollection, String?>:
    FetchSortDescriptor(.title, ascending: ascending)
  case \AssetCollection.estimatedAssetCount as KeyPath<AssetCollection, Int>:
    FetchSortDescriptor(.estimatedAssetCount, ascending: ascending)
  default: FetchSortDescriptor(keyPath: keyPath, ascending: ascending)
  }
}
