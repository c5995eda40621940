// Types of the program's own target with names of Safelight's types, which PhotoEditing and PhotoLibraryKit leave
// to it. A program that edits photos gets `Filter` and `LookupTable` from PhotoEditing, too.

public struct Comparison { public init() {} }
public struct Crop { public init() {} }
public struct Curve { public init() {} }
public struct Exposure { public init() {} }
public struct Filter { public init() {} }
public struct JSONValue { public init() {} }
public struct Lattice { public init() {} }
public struct Levels { public init() {} }
public struct LookupTable { public init() {} }
public struct Mix { public init() {} }
public struct Parameter { public init() {} }
public struct Saturation { public init() {} }
public struct Share { public init() {} }
