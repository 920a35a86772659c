import CalendarBus
import DBus
import Platform
import TestSupport

/// A client that keeps a copy of what the agent holds, by nothing but the signals,
/// ChangesSince, Get and GetOccurrences, while others write.
///
/// It has two copies, as programs do: all events by their ids, and the occurrences of
/// a few months as they are on a screen. The first goes on from the revision that
/// it has seen, also in the client's next life; the second is read again where
/// EventsChanged says that something was touched.
final class CopyingClient {
  /// An event, as ChangesSince names it.
  struct Name: Hashable {
    let calendar: String
    let uid: String
  }

  /// What a client keeps on its disk between two of its lives.
  struct Copy {
    var events: [Name: Value] = [:]
    /// The rows of Calendars.List without their counts, by id.
    var calendars: [String: [String: Value]] = [:]
    /// The revision of which ``events`` has everything.
    var seen: UInt64 = 0
  }

  private(set) var copy: Copy
  /// The rows of GetOccurrences for the span shown, in no order.
  private(set) var shown: [Value] = []
  /// What went otherwise than the contract says.
  private(set) var faults: [String] = []
  /// The span shown, in seconds since 1970.
  let span: Range<Int64>

  private let connection: Connection
  private var subscriptions: [Subscription] = []
  /// What of the span is to be read again; nil where nothing is.
  private var stale: Range<Int64>?
  private var isAsked = false
  /// Whether calendars may be others.
  private var areCalendarsStale = true
  private var isWorking = false
  private var isAgentThere = false

  /// Begins a life, with what was kept of the one before.
  init(_ agent: AgentUnderTest, span: Range<Int64>, copy: Copy = Copy()) throws {
    self.copy = copy
    self.span = span
    stale = span
    connection = try Connection(address: agent.bus.address)
    LoopAttachment.attach(connection, to: agent.loop)
    subscriptions.append(
      try connection.subscribe(MatchRule(sender: Contract.busName, path: Contract.path)) {
        [unowned self] in heard($0)
      })
    subscriptions.append(
      try connection.watchOwner(of: Contract.busName) { [unowned self] owner in
        isAgentThere = owner != nil
        // What happened while nobody spoke is not known.
        stale = self.span
        areCalendarsStale = true
        isAsked = true
        work()
      })
  }

  /// Ends a life, wherever it is in its work; what was kept stays in ``copy``.
  func end() {
    subscriptions = []
    connection.close()
  }

  /// Whether everything that was told has been read.
  var isQuiet: Bool { !isWorking && !isAsked && stale == nil && !areCalendarsStale }

  // MARK: Signals

  private func heard(_ message: Message) {
    guard let arguments = try? message.arguments() else { return }
    switch message.member {
    case "EventsChanged":
      if let from = arguments[3]["from"]?.asInteger, let to = arguments[3]["to"]?.asInteger {
        markStale(from..<max(from, to))
      } else {
        stale = span
      }
    case "CalendarsChanged":
      stale = span
      areCalendarsStale = true
    default: return
    }
    isAsked = true
    work()
  }

  private func markStale(_ touched: Range<Int64>) {
    let part = touched.clamped(to: span)
    guard !part.isEmpty else { return }
    stale =
      stale.map {
        min($0.lowerBound, part.lowerBound)..<max($0.upperBound, part.upperBound)
      } ?? part
  }

  // MARK: Reading

  /// Reads what is to be read, one question after the other.
  private func work() {
    guard !isWorking, isAgentThere, isAsked || stale != nil || areCalendarsStale else { return }
    isWorking = true
    isAsked = false
    ask(Contract.calendar, "ChangesSince", [.uint64(copy.seen)]) { [unowned self] answer in
      guard let answer, case .uint64(let revision) = answer[0] else { return pause() }
      if answer[1] != .boolean(true) { faults.append("ChangesSince(\(copy.seen)) is incomplete") }
      read(answer[2].asArray ?? [], upTo: revision)
    }
  }

  /// Reads the calendars again. The events of one that is another have its colour, for
  /// one: they are read again, too.
  private func readCalendars() {
    guard areCalendarsStale else { return readSpan() }
    areCalendarsStale = false
    ask(Contract.calendars, "List", []) { [unowned self] answer in
      guard let answer, let rows = answer.first?.asArray else {
        areCalendarsStale = true
        return pause()
      }
      var calendars: [String: [String: Value]] = [:]
      for row in rows {
        var fields = Dictionary(uniqueKeysWithValues: (row.asRow ?? []).map { ($0.key, $0.value) })
        fields["events"] = nil
        calendars[row["id"]?.asString ?? ""] = fields
      }
      let touched = copy.events.keys.filter {
        calendars[$0.calendar] != copy.calendars[$0.calendar]
      }
      readAgain(Array(touched), of: calendars)
    }
  }

  /// Reads events of calendars that are others. Those count as seen after that: a client
  /// that ends before begins with it again.
  private func readAgain(_ names: [Name], of calendars: [String: [String: Value]]) {
    guard let name = names.last else {
      copy.calendars = calendars
      return readSpan()
    }
    ask(Contract.events, "Get", [.string(name.uid), .string("")]) { [unowned self] answer in
      guard let answer else {
        areCalendarsStale = true
        return pause()
      }
      if let row = answer.first, row["calendar"] == .string(name.calendar) {
        copy.events[name] = row
      }
      readAgain(names.dropLast(), of: calendars)
    }
  }

  /// Reads events again, the last of the list first.
  private func read(_ changes: [Value], upTo revision: UInt64) {
    guard let change = changes.last, let uid = change["uid"]?.asString,
      let calendar = change["calendar"]?.asString
    else {
      copy.seen = revision
      return readCalendars()
    }
    let name = Name(calendar: calendar, uid: uid)
    if change["change"] == .string("removed") {
      copy.events[name] = nil
      return read(changes.dropLast(), upTo: revision)
    }
    ask(Contract.events, "Get", [.string(uid), .string("")]) { [unowned self] answer in
      guard let answer else { return pause() }
      // It may have gone again, or to another calendar, and the next ChangesSince says so.
      let row = answer.first
      copy.events[name] = row?["calendar"] == .string(calendar) ? row : nil
      read(changes.dropLast(), upTo: revision)
    }
  }

  private func readSpan() {
    guard let part = stale else { return rest() }
    stale = nil
    readPage(of: part, after: "", rows: [])
  }

  private func readPage(of part: Range<Int64>, after cursor: String, rows: [Value]) {
    ask(
      Contract.calendar, "GetOccurrences",
      [
        .string("@\(part.lowerBound)"), .string("@\(part.upperBound)"),
        .row([("cursor", .string(cursor)), ("limit", .uint32(200))]),
      ]
    ) { [unowned self] answer in
      guard let answer, let page = answer[0].asArray, let next = answer[1].asString else {
        stale = span
        return pause()
      }
      guard next.isEmpty else { return readPage(of: part, after: next, rows: rows + page) }
      shown.removeAll { row in
        guard let start = row["start"]?.asInteger, let end = row["end"]?.asInteger else {
          return true
        }
        return start < part.upperBound && end > part.lowerBound
      }
      shown += rows + page
      rest()
    }
  }

  private func rest() {
    isWorking = false
    work()
  }

  /// Lets the work lie until the agent is back.
  private func pause() {
    isWorking = false
    isAsked = true
  }

  /// Asks the agent; the answer is nil while there is none, and empty where what is
  /// asked for is not there.
  private func ask(
    _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value],
    _ handle: @escaping ([Value]?) -> Void
  ) {
    do {
      let message = try Message.call(
        Contract.busName, Contract.path, interface, member, arguments)
      message.startsService = false
      try connection.call(message, timeoutMilliseconds: AgentUnderTest.patienceMilliseconds) {
        [unowned self] result in
        switch result {
        case .success(let reply): handle((try? reply.arguments()) ?? [])
        case .failure(let error) where error.name.text == CallError.Kind.notFound.rawValue:
          handle([])
        case .failure(let error):
          // The agent has ended, or this client has.
          if isAgentThere, error.name != .noReply, error.name != .serviceUnknown {
            faults.append("\(member): \(error)")
          }
          handle(nil)
        }
      }
    } catch {
      handle(nil)
    }
  }
}
