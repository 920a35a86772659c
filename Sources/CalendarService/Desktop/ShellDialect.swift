import DBus

/// The D-Bus interface through which one desktop's shell gets the events of its drop-down.
struct ShellDialect: Sendable {
  /// The shell's name for people.
  let title: String
  let name: BusName
  let path: ObjectPath
  let table: InterfaceTable
  /// The property for whether there are calendars.
  let calendarsProperty: MemberName
  let calendarsValue: @Sendable (Bool) -> Value
  /// Whether there is a method Exit.
  let hasExit: Bool
  /// Whether the shell keeps its events if it asks for the same weeks again without force.
  let keepsUnforced: Bool
  /// Returns the signals, in order, that turn the events sent before into the present ones.
  let signals: @Sendable (_ now: ShellEvents, _ sent: ShellEvents, _ revision: UInt64) -> [Signal]

  struct Signal: Equatable {
    let name: MemberName
    let arguments: [Value]
  }

  /// The most rows of a signal, unless one series has more.
  static let rowsOfSignal = 1000

  /// The arguments of SetTimeRange, which both shells have.
  static let setTimeRange = InterfaceTable.Method(
    "SetTimeRange", in: [.init("since", "x"), .init("until", "x"), .init("force_reload", "b")])
}
