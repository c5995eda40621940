// Who links PhotoLibrary edits photos too. Its own Asset takes the place of PhotoEditing's, which is
// reached as `photo`.
@_exported import PhotoEditing
import SafelightFiles
