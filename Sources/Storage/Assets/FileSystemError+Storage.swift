/// What `steps` return, a step's failure being the asset's.
func onDisk<Result>(
  _ steps: () throws(FileSystemError) -> Result
) throws(StorageError) -> Result {
  do {
    return try steps()
  } catch {
    throw .fileSystem(error)
  }
}
