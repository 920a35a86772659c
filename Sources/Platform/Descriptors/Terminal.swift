/// What an output descriptor can show to a person.
package struct Terminal: Sendable {
  private let descriptor: Int32
  private let environment: ProcessEnvironment

  /// - Parameter descriptor: 1 for standard output, 2 for standard error.
  package init(descriptor: Int32 = 1, environment: ProcessEnvironment) {
    self.descriptor = descriptor
    self.environment = environment
  }

  /// Whether it is a terminal, not a file or pipe.
  package var isTerminal: Bool { SystemCalls.isTerminal(descriptor) }

  /// The number of columns of the terminal, else the variable COLUMNS, else nil.
  package var columns: Int? {
    if let columns = SystemCalls.terminalColumns(descriptor) { return columns }
    guard let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 else { return nil }
    return columns
  }

  /// The number of rows of the terminal; nil if it is none, or unknown.
  package var rows: Int? { SystemCalls.terminalRows(descriptor) }

  /// Whether to use colours: on a terminal that has them, unless the user has disabled them.
  ///
  /// Source: no-color.org.
  package var wantsColour: Bool { wantsColour(isTerminal: isTerminal) }

  func wantsColour(isTerminal: Bool) -> Bool {
    guard isTerminal, environment.nonempty("NO_COLOR") == nil else { return false }
    return environment.nonempty("TERM").map { $0 != "dumb" } ?? false
  }
}
