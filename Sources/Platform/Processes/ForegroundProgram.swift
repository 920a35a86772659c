/// Programs on the user's terminal, such as an editor.
package enum ForegroundProgram {
  /// Runs a line of sh(1) to its end, with the input and output of this process.
  ///
  /// Like with system(3), an interrupt from the keyboard ends only the program meanwhile. So does
  /// the end of the terminal or of the session: this process continues after it.
  ///
  /// - Parameter arguments: "$1", "$2" and so on in the line.
  /// - Throws: ``SystemError`` if there is no shell.
  package static func run(
    _ line: String, _ arguments: [String]
  ) throws(SystemError) -> ChildProcess.End {
    try SystemCalls.runInForeground("/bin/sh", ["sh", "-c", line, "sh"] + arguments)
  }
}
