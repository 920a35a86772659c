import CalendarBus
import DBus
import Platform
import TestSupport

/// A client that keeps a copy of what the agent holds, by nothing but the signals,
/// ChangesSince, List, Get and GetOccurrences, while others write.
///
/// It goes by "How to keep a copy" in dbus/README.md, step by step.
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

    init(calendar: String, uid: String) {
      self.calendar = calendar
      self.uid = uid
    }

    /// The event that a row of ChangesSince or List names.
    init(_ row: Value) {
      self.init(calendar: row["calendar"]?.asString ?? "", uid: row["uid"]?.asString ?? "")
    }
  }

  /// What a client keeps on its disk between two of its lives.
  struct Copy {
    var events: [Name: Value] = [:]
    /// The rows of Calendars.List without their counts, by id.
    var calendars: [String: [String: Value]] = [:]
    /// The calendars whose events are to be read again, with how often they were named:
    /// one that is named again while they are read stays.
    var stale: [String: Int] = [:]
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
  /// How many agents there were, and the one that is being asked: what was begun with
  /// one is not gone on with at the next.
  private var (agents, askedAgent) = (0, 0)
  /// How often everything was read anew.
  private(set) var wholeReadings = 0

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
        agents += 1
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
  var isQuiet: Bool {
    !isWorking && !isAsked && stale == nil && !areCalendarsStale && copy.stale.isEmpty
  }

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
      for list in arguments[1...2] {
        for calendar in list.asStrings ?? [] { copy.stale[calendar, default: 0] += 1 }
      }
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

  /// Reads what is to be read, one question after the other: the calendars first, since
  /// what is read of events after that has a colour of theirs, or one that is told of.
  private func work() {
    guard !isWorking, isAgentThere, isAsked || stale != nil || areCalendarsStale else { return }
    isWorking = true
    askedAgent = agents
    readCalendars()
  }

  /// Reads the calendars again. The events of one that is another are read again, too.
  private func readCalendars() {
    guard areCalendarsStale else { return readChanges() }
    areCalendarsStale = false
    ask(Contract.calendars, "List", []) { [unowned self] answer in
      guard let answer, let rows = answer.first?.asArray else {
        areCalendarsStale = true
        return pause()
      }
      let former = copy.calendars
      copy.calendars = [:]
      for row in rows {
        var fields = Dictionary(uniqueKeysWithValues: (row.asRow ?? []).map { ($0.key, $0.value) })
        fields["events"] = nil
        let id = row["id"]?.asString ?? ""
        copy.calendars[id] = fields
        if former[id] != fields { copy.stale[id, default: 0] += 1 }
      }
      readChanges()
    }
  }

  private func readChanges() {
    isAsked = false
    ask(Contract.calendar, "ChangesSince", [.uint64(copy.seen)]) { [unowned self] answer in
      guard let answer, case .uint64(let revision) = answer[0] else { return pause() }
      guard answer[1] == .boolean(true) else {
        wholeReadings += 1
        return list(after: "", names: [], upTo: revision)
      }
      var names: [Name] = []
      for change in answer[2].asArray ?? [] {
        let name = Name(change)
        if change["change"] == .string("removed") {
          copy.events[name] = nil
        } else {
          names.append(name)
        }
      }
      read(names) { [unowned self] in
        copy.seen = revision
        readStaleCalendars()
      }
    }
  }

  /// Reads everything: the names first, page by page.
  private func list(after cursor: String, names: [Name], upTo revision: UInt64) {
    ask(
      Contract.events, "List",
      [.row([("cursor", .string(cursor)), ("limit", .uint32(1000))])]
    ) { [unowned self] answer in
      guard let answer, let rows = answer[0].asArray, let next = answer[1].asString else {
        return pause()
      }
      let names = names + rows.map(Name.init)
      guard next.isEmpty else { return list(after: next, names: names, upTo: revision) }
      let present = Set(names)
      copy.events = copy.events.filter { present.contains($0.key) }
      read(names) { [unowned self] in
        copy.seen = revision
        readStaleCalendars()
      }
    }
  }

  private func readStaleCalendars() {
    let marks = copy.stale
    guard !marks.isEmpty else { return readSpan() }
    read(copy.events.keys.filter { marks[$0.calendar] != nil }) { [unowned self] in
      for (calendar, count) in marks where copy.stale[calendar] == count {
        copy.stale[calendar] = nil
      }
      readSpan()
    }
  }

  /// Reads events, the last of the list first, and then does what follows.
  private func read(_ names: [Name], then next: @escaping () -> Void) {
    guard let name = names.last else { return next() }
    ask(
      Contract.events, "Get", [.string("\(name.calendar)/\(name.uid)"), .string("")]
    ) { [unowned self] answer in
      guard let answer else { return pause() }
      // It may have gone again, and the next ChangesSince says so.
      copy.events[name] = answer.first
      read(names.dropLast(), then: next)
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
        return start < part.upperBound && (end > part.lowerBound || start >= part.lowerBound)
      }
      shown += rows + page
      rest()
    }
  }

  private func rest() {
    isWorking = false
    work()
  }

  /// Lets the work lie until the agent is back; where it is already, begins anew.
  private func pause() {
    isWorking = false
    isAsked = true
    if askedAgent != agents { work() }
  }

  /// Asks the agent; the answer is nil while there is none, and empty where what is
  /// asked for is not there.
  private func ask(
    _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value],
    _ handle: @escaping ([Value]?) -> Void
  ) {
    guard askedAgent == agents else { return handle(nil) }
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
