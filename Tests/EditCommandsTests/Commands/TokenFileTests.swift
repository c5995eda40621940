import Foundation
import Glibc
import SafelightArguments
import SafelightFiles
import Testing

@testable import SafelightEditCommands

/// A token that others know or guess lets nobody in.
@Suite struct TokenFileTests {
  private let folder = CommandFolder()

  private func token(_ text: String, mode: mode_t = 0o600) throws -> String {
    try folder.put(Data(text.utf8), as: "token")
    chmod(folder.path + "/token", mode)
    return try TokenFile(FilePath(folder.path + "/token")).token()
  }

  @Test func aGoodOneIsTakenAndAMissingOneMade() throws {
    let made = try TokenFile(FilePath(folder.path + "/new")).token()
    #expect(made.utf8.count == 64)
    #expect(try TokenFile(FilePath(folder.path + "/new")).token() == made)
    #expect(try token(made + "\n") == made)
  }

  @Test func oneThatOthersReadOrGuessIsRefused() {
    let good = "0123456789abcdef0123456789abcdef"
    #expect(throws: ValidationError.self) { try token(good, mode: 0o640) }
    #expect(throws: ValidationError.self) { try token(String(repeating: "a", count: 64)) }
    #expect(throws: ValidationError.self) { try token("short") }
    #expect(throws: ValidationError.self) { try token(good + " b\u{7F}") }
  }

  @Test func oneOfAnotherUserIsRefused() throws {
    guard geteuid() == 0 else { return }
    let good = "0123456789abcdef0123456789abcdef"
    #expect(try token(good) == good)
    #expect(chown(folder.path + "/token", 12_345, 12_345) == 0)
    #expect(throws: ValidationError.self) {
      try TokenFile(FilePath(folder.path + "/token")).token()
    }
  }

  @Test func otherMachinesAreToldOf() {
    #expect(ServeCommand.isLoopback("127.0.0.1") && ServeCommand.isLoopback("::1"))
    #expect(!ServeCommand.isLoopback("0.0.0.0") && !ServeCommand.isLoopback("192.168.1.10"))
  }
}
