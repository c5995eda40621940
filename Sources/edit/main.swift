import Dispatch
import Glibc
import PhotoEditing
import SafelightDarkroom
import SafelightEditCommands

// Swift's own libraries find the command line and their threads there.
if let reason = EditCommand.missingProcesses() {
  write(STDERR_FILENO, reason, reason.utf8.count)
  exit(1)
}
// File names are bytes, so arguments are taken as the system has them and not through UTF-8.
let arguments = (1..<Int(CommandLine.argc)).compactMap { index in
  CommandLine.unsafeArgv[index].map { FilePath.argument(decoding: $0) }
}
// Swift's own libraries stop the process when they can open no file.
if let reason = EditCommand.openingTooFewFiles() {
  write(STDERR_FILENO, reason, reason.utf8.count)
  exit(1)
}
// Processes fork only while they have a single thread.
if arguments == [DarkroomService.commandName] { DarkroomService.run() }
if EditCommand.mayDecode(arguments), PhotoDarkroom.current.place == .ownProcess {
  PhotoDarkroom.prepareByForking()
}
// Swift's own libraries wait for ever when they can make no thread.
if let reason = EditCommand.startingTooFewThreads() {
  write(STDERR_FILENO, reason, reason.utf8.count)
  exit(1)
}
Task {
  await EditCommand.runAsProgram(arguments)
  exit(0)
}
dispatchMain()
