import CalendarBus
import DBus
import TestSupport

/// Somebody who edits a calendar at random: what is done follows from a seed and from
/// the agent's answers alone.
struct RandomEdits {
  let seed: UInt64
  /// How many edits the agent has made.
  private(set) var made = 0
  /// How many of each kind, for a failure's message.
  private(set) var kinds: [String: Int] = [:]

  private let agent: AgentUnderTest
  private var random: SeededGenerator
  /// Rows of GetOccurrences that may be out of date: what people see when they edit.
  private var seen: [Value] = []
  private var calendars: [String] = []
  private var counter = 0

  /// The refusals that an edit of what is out of date may get.
  private static let allowed: Set<CallError.Kind> = [
    .notFound, .conflict, .invalidRecurrence, .readOnly, .nothingToUndo, .invalidTime,
    .invalidArguments,
  ]

  init(_ agent: AgentUnderTest, seed: UInt64) {
    self.agent = agent
    self.seed = seed
    random = SeededGenerator(seed: seed)
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(0...elements.count - 1)]
  }

  /// Makes one edit, or has it refused.
  mutating func edit() throws {
    if seen.isEmpty || chance(10) { try look() }
    do {
      let kind = try attempt()
      made += 1
      kinds[kind, default: 0] += 1
    } catch let error as DBusError {
      guard let known = CallError(name: error.name.text, message: error.message),
        RandomEdits.allowed.contains(known.kind)
      else { throw error }
      // It went meanwhile.
      if known.kind == .notFound { try look() }
    }
  }

  /// Looks at some weeks, as people do before they edit.
  private mutating func look() throws {
    let from = day()
    seen =
      try agent.call(
        Contract.calendar, "GetOccurrences", [.string(from), .string("21d"), .row([])])[0].asArray
      ?? []
    let rows = try agent.call(Contract.calendars, "List")[0].asArray ?? []
    calendars = rows.compactMap { $0["id"]?.asString }
    // Nobody edits what is not shown.
    for row in rows where row["visible"] == .boolean(false) && chance(20) {
      _ = try agent.call(
        Contract.calendars, "SetVisible", [row["id"] ?? .string(""), .boolean(true)])
    }
  }

  // MARK: Edits

  private mutating func attempt() throws -> String {
    guard !seen.isEmpty, calendars.count > 0 else { return try add() }
    switch number(1...100) {
    case ...(seen.count > 150 ? 8 : 26): return try add()
    case ...38: return try update()
    case ...46: return try setField()
    case ...55: return try reschedule()
    case ...60:
      return try call(
        Contract.events, "Move", [.strings([target().uid]), .string(pick(calendars))])
    case ...68:
      let target = target()
      return try call(
        Contract.events, "Remove", [.string(target.uid), .string(target.id), .string(target.scope)])
    case ...(seen.count > 150 ? 78 : 70):
      let uids = Set((0..<number(2...6)).map { _ in target().uid })
      return try call(Contract.events, "RemoveMany", [.strings(uids.sorted())])
    case ...81: return try call(Contract.events, "Undo", [])
    case ...86: return try call(Contract.events, "Redo", [])
    case ...93: return try importText()
    default: return try changeCalendars()
    }
  }

  private func call(
    _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value]
  ) throws -> String {
    _ = try agent.call(interface, member, arguments)
    return member.text
  }

  private mutating func add() throws -> String {
    counter += 1
    var pairs: [(String, Value)] = [
      ("uid", .string("edit-\(seed)-\(counter)")), ("summary", .string("Event \(counter)")),
    ]
    if chance(25) {
      pairs.append(("start", .string(day())))
    } else {
      pairs.append(("start", .string(moment())))
      pairs.append(("end", .string("\(number(1...30) * 15)m")))
      if chance(30) {
        pairs.append(("time-zone", .string(pick(["America/New_York", "floating", "UTC"]))))
      }
    }
    if chance(40) { pairs.append(("rrule", .string(rule()))) }
    if chance(20) { pairs.append(("reminders", .strings(["\(number(1...90))m"]))) }
    if chance(20) { pairs.append(("categories", .strings(["c\(number(1...5))"]))) }
    return try call(Contract.events, "Add", [.string(pick([""] + calendars)), .row(pairs)])
  }

  private mutating func update() throws -> String {
    let target = target()
    var pairs: [(String, Value)] = []
    if chance(50) { pairs.append(("summary", .string("Changed \(number(1...999))"))) }
    if chance(30) { pairs.append(("start", .string(moment()))) }
    if chance(30) { pairs.append(("end", .string("\(number(1...20) * 10)m"))) }
    if chance(15) { pairs.append(("rrule", .string(chance(30) ? "" : rule()))) }
    if chance(15) { pairs.append(("all-day", .boolean(chance(50)))) }
    if chance(15) { pairs.append(("status", .string(pick(["tentative", "confirmed"])))) }
    if chance(15) { pairs.append(("location", .string("Room \(number(1...9))"))) }
    if pairs.isEmpty { pairs.append(("color", .string("#0000ff"))) }
    return try call(
      Contract.events, "Update",
      [.string(target.uid), .string(target.id), .string(target.scope), .row(pairs)])
  }

  private mutating func setField() throws -> String {
    let target = target()
    let (field, value): (String, Value) = pick([
      ("description", .string("Text \(number(1...99))")), ("busy", .boolean(chance(50))),
      ("reminders", .string("\(number(1...60))m")), ("class", .string("private")),
      ("url", .string("https://example.org/\(number(1...99))")),
    ])
    return try call(
      Contract.events, "SetField",
      [
        .string(target.uid), .string(target.id), .string(target.scope), .string(field),
        .variant(value),
      ])
  }

  private mutating func reschedule() throws -> String {
    let target = target()
    return try call(
      Contract.events, "Reschedule",
      [.string(target.uid), .string(target.id), .string(target.scope), .string(moment())])
  }

  private mutating func importText() throws -> String {
    var components: [String] = []
    let target = target()
    let present = chance(40) ? target : nil
    if let present {
      components.append(component(present.uid, "DTSTART:\(stamp())", "SUMMARY:Imported anew"))
    }
    for _ in 0..<number(present == nil ? 1...4 : 0...3) {
      counter += 1
      let lines =
        chance(50)
        ? ["DTSTART:\(stamp())", "DURATION:PT\(number(1...9))H", "SUMMARY:Imported"]
        : ["DTSTART;VALUE=DATE:\(stamp().prefix(8))", "RRULE:\(rule())", "SUMMARY:Imported days"]
      components.append(
        component("import-\(seed)-\(counter)", lines.joined(separator: "\r\n")))
    }
    // What is there is another event in another calendar, under the same uid.
    let into = if let present, chance(70) { present.calendar } else { pick([""] + calendars) }
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Datebook//Tests//EN\r\n"
      + components.joined() + "END:VCALENDAR\r\n"
    return try call(
      Contract.transfer, "ImportText",
      [
        .string(text), .string(into),
        .string(pick(["merge", "replace", "skip-existing"])),
      ])
  }

  private mutating func changeCalendars() throws -> String {
    let calendar = pick(calendars)
    switch number(1...7) {
    case 1,
      2 where calendars.count < 8:
      defer { calendars = [] }
      return try call(
        Contract.calendars, "Create",
        [.string("Calendar \(number(1...99))"), .string(""), .string("")])
    case 3:
      defer { calendars = [] }
      return try call(
        Contract.calendars, "Remove",
        [.string(calendar), .string(pick(["with-events", "refuse-if-used"]))])
    case 4:
      return try call(
        Contract.calendars, "SetVisible", [.string(calendar), .boolean(chance(70))])
    case 5: return try call(Contract.calendars, "SetDefault", [.string(calendar)])
    case 6:
      return try call(
        Contract.calendars, "Update",
        [.string(calendar), .row([("reminders", .strings(["\(number(1...60))m"]))])])
    default:
      return try call(
        Contract.calendars, "SetColor",
        [.string(calendar), .string(pick(["red", "blue", "#123456"]))])
    }
  }

  // MARK: Parts

  private struct Target {
    let calendar: String
    let uid: String
    let id: String
    let scope: String
  }

  private mutating func target() -> Target {
    let row = pick(seen)
    let id = row["recurrence-id"]?.asString ?? ""
    let isOccurrence = !id.isEmpty && chance(80)
    return Target(
      calendar: row["calendar"]?.asString ?? "", uid: row["uid"]?.asString ?? "",
      id: isOccurrence ? id : "",
      scope: isOccurrence ? pick(["this", "this-and-future", "all", ""]) : "")
  }

  /// A day of the winter in which all of this is.
  private mutating func day() -> String {
    let month = pick(["2026-11", "2026-12", "2027-01", "2027-02"])
    return "\(month)-\(two(number(1...28)))"
  }

  private mutating func moment() -> String {
    "\(day()) \(two(number(0...23))):\(pick(["00", "15", "30"]))"
  }

  private mutating func stamp() -> String {
    "\(day().split(separator: "-").joined())T\(two(number(0...23)))0000Z"
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private mutating func rule() -> String {
    let base = pick([
      "FREQ=DAILY", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=MONTHLY",
      "FREQ=DAILY;INTERVAL=3",
    ])
    return base + pick(["", ";COUNT=\(number(2...12))", ";UNTIL=20270201T120000Z"])
  }
}
