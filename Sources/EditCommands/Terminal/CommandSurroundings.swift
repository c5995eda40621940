import PhotoEditing

/// What commands find around them and tests choose.
enum CommandSurroundings {
  /// The filters that the user saved.
  @TaskLocal static var userFilters = UserFilters.standard
}
