import Foundation
import PhotoEditing
import PhotoLibraryKit

@testable import SafelightEditCommands
@testable import SafelightEditServer

/// The command line's words.
enum WordsOfTests {
  static var words: any ServerWords { CommandLineWords() }
}

/// The names in folders, hidden ones too.
enum FileNamesOfTests {
  static func all(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }
}
