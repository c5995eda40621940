// Types of the program's own target with names of PhotoEditing's adjustments.

public struct Crop { public init() {} }
public struct Curve { public init() {} }
public struct Exposure { public init() {} }
public struct Filter { public init() {} }
public struct Levels { public init() {} }
public struct LookupTable { public init() {} }
public struct Mix { public init() {} }
