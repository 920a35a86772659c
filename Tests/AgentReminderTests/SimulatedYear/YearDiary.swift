/// What happened in a ``SimulatedYear``, for whoever wants to know why something went wrong.
struct YearDiary {
  /// What went wrong; the first ten.
  private(set) var faults: [String] = []
  /// What led to the first fault: each move of the clock, and all of its alarm.
  private(set) var story: [String] = []
  private var lines: [(name: String?, text: String)] = []

  /// - Parameter alarm: whom it happened to; nil: to everybody.
  mutating func note(_ what: String, of alarm: PlainAlarm?) {
    let place = alarm.map { "  \($0.name) of \($0.trigger) " } ?? ""
    lines.append((alarm?.name, place + what))
  }

  /// - Parameter alarm: whose story is told with the first fault.
  mutating func complain(_ fault: String, of alarm: PlainAlarm?) {
    if faults.count < 10 { faults.append(fault) }
    guard let alarm, story.isEmpty else { return }
    story = lines.filter { $0.name == nil || $0.name == alarm.name }.suffix(60).map(\.text)
  }
}
