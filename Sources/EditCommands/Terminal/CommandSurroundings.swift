import PhotoEditing

/// What commands find around them and tests choose.
enum CommandSurroundings {
  /// The filters that the user saved.
  @TaskLocal static var userFilters = UserFilters.standard
  /// The program whose command `worker` does the work of batches; `nil` when they stay in this
  /// process.
  @TaskLocal static var workerProgram: FilePath?
  /// Where the progress of batches is shown; `nil` is nowhere.
  @TaskLocal static var progressTerminal: ProgressTerminal?
  /// Where somebody can be asked; `nil` is nobody.
  @TaskLocal static var questionTerminal: QuestionTerminal?
}
