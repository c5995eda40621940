import Glibc

/// How wide the terminal is that an open file is; `nil` when it is none.
func terminalColumns(of descriptor: Int32) -> Int? {
  guard isatty(descriptor) == 1 else { return nil }
  var size = winsize()
  guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
  return Int(size.ws_col)
}
