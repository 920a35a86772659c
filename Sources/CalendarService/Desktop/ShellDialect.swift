import DBus

/// How one desktop's shell asks for the events of its drop-down, and is told of them.
struct ShellDialect: Sendable {
  /// As people call it.
  let title: String
  let name: BusName
  let path: ObjectPath
  let table: InterfaceTable
  /// The property that says whether there are calendars.
  let calendarsProperty: MemberName
  let calendarsValue: @Sendable (Bool) -> Value
  /// Whether there is a method Exit.
  let hasExit: Bool
  /// Whether the shell keeps what it has where it asks for the same weeks again without force.
  let keepsUnforced: Bool
  /// What turns what was told into what is, in the order in which it is sent; the revision is
  /// the agenda's.
  let signals: @Sendable (_ now: ShellEvents, _ told: ShellEvents, _ revision: UInt64) -> [Signal]

  struct Signal: Equatable {
    let name: MemberName
    let arguments: [Value]
  }

  /// A signal has no more rows than this, unless one series has.
  static let rowsOfSignal = 1000

  /// The arguments of SetTimeRange, which both shells have.
  static let setTimeRange = InterfaceTable.Method(
    "SetTimeRange", in: [.init("since", "x"), .init("until", "x"), .init("force_reload", "b")])
}
