import PhotoEditing
import SafelightEditCommands

// File names are bytes, so arguments are taken as the system has them and not through UTF-8.
let arguments = (1..<Int(CommandLine.argc)).compactMap { index in
  CommandLine.unsafeArgv[index].map { FilePath.argument(decoding: $0) }
}
QuickStart.withoutModules()
await EditCommand.runAsProgram(arguments)
