import CalendarBus
import CalendarStore
import DBus
import Glibc
import Platform
import TestSupport
import Testing

@testable import AgentSupport

extension AgentProcess {
  /// Returns when what was left of a change of many events has been taken back: an import waits for that.
  fileprivate func waitForTakingBack() throws {
    _ = try call(
      Contract.transfer, "ImportText", [.string(calendar("")), .string(""), .string("")])
  }

  /// Lets some writes be answered, and then goes on to a moment in the middle of others.
  fileprivate func waitForMoment(_ client: WritingClient) throws {
    let wanted = client.writes + client.number(0...20)
    try wait(for: "writes") { client.writes >= wanted || !client.faults.isEmpty }
    var isOver = false
    loop.after(milliseconds: client.number(0...10)) { isOver = true }
    try wait(for: "the moment") { isOver }
  }

  /// Makes a call that changes many events in parts, and kills the agent.
  ///
  /// - Parameters:
  ///   - questions: How many are asked before, each of which is answered between two slices; nil asks until the
  ///     first event, which is the first that is changed, has the title.
  ///   - title: as which the call leaves the events.
  /// - Returns: whether the change was seen, and not over.
  fileprivate func killInTheMiddle(
    of message: Message, asking questions: Int?, for title: String
  ) throws -> Bool {
    var result: Result<Message, DBusError>?
    try connection.call(
      message, timeoutMilliseconds: AgentUnderTest.patienceMilliseconds
    ) { result = $0 }
    var isSeen = false
    var left = questions ?? .max
    while left > 0, result == nil, questions != nil || !isSeen {
      left -= 1
      let event = try call(Contract.events, "Get", [.string("u0"), .string("")])[0]
      isSeen = event["summary"]?.asString == title
    }
    let isMiddle = result == nil && isSeen
    try kill()
    return isMiddle
  }

  fileprivate func exportedText() throws -> String {
    try call(Contract.transfer, "ExportText", [.string("ics"), .string(""), .string("")])[0]
      .asString ?? ""
  }
}

/// Runs `body`; its error says where.
private func naming(_ place: String, _ body: () throws -> Void) throws {
  do { try body() } catch { throw TestSupportError("\(place): \(error)") }
}

/// What the write-ahead journal of a database holds.
///
/// Source: sqlite.org/fileformat2.html section 4.
private struct Journal {
  /// Where each transaction ends, in octets, from the first on.
  private(set) var ends: [Int] = []
  private var frames = 0

  init(_ bytes: [UInt8]) {
    func number(_ place: Int) -> UInt32 {
      bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    let header = 32
    guard bytes.count > header else { return }
    let frame = 24 + Int(number(8))
    var place = header
    // Older frames behind the present ones bear other salts.
    while place + frame <= bytes.count, number(place + 8) == number(16),
      number(place + 12) == number(20)
    {
      // The last frame of a transaction has the size of the database.
      if number(place + 4) != 0 { ends.append(place + frame) }
      frames += 1
      place += frame
    }
  }

  /// A place inside the last transaction; nil where there are no two, or where a part
  /// of the journal may be in the database already, which it is from 1,000 pages on.
  func placeInLastTransaction(_ random: (ClosedRange<Int>) -> Int) -> Int? {
    guard ends.count >= 2, frames < 1000 else { return nil }
    return random(ends[ends.count - 2]...ends[ends.count - 1] - 1)
  }
}

@Suite struct `Durability` {
  /// How often the agent is killed.
  private static let kills = proofSize("DATEBOOK_KILLS", short: 10, long: 50)
  /// How often the files are copied under its hands.
  private static let copies = kills

  private func seed() -> UInt64 {
    UInt64(variable("DATEBOOK_SEED")) ?? UInt64.random(in: 0...UInt64.max)
  }

  @Test func `what was answered survives a kill at any moment, and nothing is half there`() throws {
    let seed = seed()
    let agent = try AgentProcess()
    let client = try WritingClient(agent, seed: seed)
    let copies = try TemporaryDirectory()
    var unanswered = 0
    for kill in 1...Self.kills {
      let place = "seed \(seed), kill \(kill)"
      try agent.start()
      #expect(try agent.property("Revision") == .uint64(client.revision), "\(place)")
      #expect(try agent.property("State") == .string("ready"), "\(place)")
      try client.begin()
      try agent.waitForMoment(client)
      try agent.kill()
      client.isWriting = false
      try agent.wait(for: "the answers") { client.isIdle }
      unanswered += client.underWay.count
      // A copy: the agent is to make good what it left itself.
      try naming(place) {
        let store = try openStore(copyFiles(of: agent, to: copies))
        try client.check(store, settles: true, place)
        store.close()
      }
    }
    print(
      "kills: seed \(seed), \(Self.kills) kills, \(client.writes) writes answered, \(unanswered) "
        + "under way, \(client.answered.count) events")
  }

  @Test func `after a power cut at any moment what was answered is there`() throws {
    let seed = seed()
    let agent = try AgentProcess()
    let client = try WritingClient(agent, seed: seed)
    let folder = try TemporaryDirectory()
    var (torn, lost) = (0, 0)
    try agent.start()
    try client.begin()
    for copy in 1...Self.copies {
      let place = "seed \(seed), copy \(copy)"
      try agent.waitForMoment(client)
      let tornFolder = try TemporaryDirectory()
      var (path, tornPath) = ("", "")
      try agent.frozen {
        path = try copyFiles(of: agent, to: folder)
        tornPath = try copyFiles(of: agent, to: tornFolder)
      }
      var whole: UInt64 = 0
      try naming(place) {
        let store = try openStore(path)
        whole = store.revision
        try client.check(store, settles: false, place)
        store.close()
      }
      // The last transaction reaches the disk in part: it never was.
      let journal = Journal(readFile(tornPath + "-wal") ?? [])
      guard let cut = journal.placeInLastTransaction({ client.number($0) }) else { continue }
      truncate(tornPath + "-wal", off_t(cut))
      try naming("\(place), torn at \(cut)") {
        let store = try openStore(tornPath)
        // The calls of a turn share a transaction, and the client has eight under way. The last one
        // may also be no change: the agent writes down what it has told, and counts the trash.
        #expect(store.revision <= whole, "\(place): torn at \(cut)")
        if store.revision < whole { lost += 1 }
        #expect(store.revision + 8 >= whole, "\(place): torn at \(cut)")
        try expectSound(store, place)
        store.close()
      }
      torn += 1
    }
    client.isWriting = false
    try agent.wait(for: "the answers") { client.isIdle }
    #expect(try agent.terminate().status == .exited(0))
    #expect(torn == 0 || lost > 0, "seed \(seed): no change was torn among \(torn)")
    print(
      "power cuts: seed \(seed), \(Self.copies) copies, \(torn) of them torn, \(client.writes) writes "
        + "answered")
  }

  @Test func `an import of changes that is killed has happened whole or not at all`() throws {
    let seed = seed()
    var random = SeededGenerator(seed: seed)
    func text(_ sequence: Int) -> String {
      let events = (0..<900).map {
        component(
          "u\($0)", "DTSTART:20261121T140000Z", "SUMMARY:Version \(sequence)",
          "SEQUENCE:\(sequence)")
      }
      // One that is new with each of them.
      let new = component("new\(sequence)", "DTSTART:20261121T140000Z", "SUMMARY:New")
      return calendar((events + [new]).joined())
    }
    let agent = try AgentProcess()
    try agent.start()
    _ = try agent.call(
      Contract.transfer, "ImportText", [.string(text(0)), .string(""), .string("")])
    var (whole, none, middle) = (0, 0, 0)
    for kill in 1...max(4, Self.kills / 5) {
      let place = "seed \(seed), kill \(kill)"
      let before = try agent.exportedText()
      let former = try agent.property("Revision").asInteger ?? -1
      let isMiddle = try agent.killInTheMiddle(
        of: .call(
          Contract.busName, Contract.path, Contract.transfer, "ImportText",
          [.string(text(kill)), .string(""), .string("")]),
        asking: kill.isMultiple(of: 2) ? nil : Int.random(in: 0...60, using: &random),
        for: "Version \(kill)")
      if isMiddle { middle += 1 }
      try agent.start()
      try agent.waitForTakingBack()
      let after = try agent.exportedText()
      let revision = try agent.property("Revision").asInteger ?? -1
      if after == before {
        none += 1
        // Who has seen some of it gets to know.
        if isMiddle { #expect(revision == former + 2, "\(place)") }
      } else {
        whole += 1
        let lines = after.split(separator: "\r\n")
        #expect(lines.count { $0 == "SUMMARY:Version \(kill)" } == 900, "\(place)")
        #expect(lines.contains("UID:new\(kill)"), "\(place)")
        _ = try agent.call(Contract.events, "Undo")
        #expect(try agent.exportedText() == before, "\(place)")
        _ = try agent.call(Contract.events, "Redo")
        #expect(try agent.exportedText() == after, "\(place)")
      }
    }
    #expect(middle > 0, "seed \(seed)")
    print("imports: seed \(seed), \(whole) whole, \(none) not at all, \(middle) seen in the middle")
  }

  @Test func `many changes whose taking back is killed are taken back whole or not at all`() throws
  {
    let seed = seed()
    var random = SeededGenerator(seed: seed)
    let agent = try AgentProcess()
    try agent.start()
    for sequence in 0...1 {
      let events = (0..<900).map {
        component(
          "u\($0)", "DTSTART:20261121T140000Z", "SUMMARY:Version \(sequence)",
          "SEQUENCE:\(sequence)")
      }
      let new = component("new\(sequence)", "DTSTART:20261121T140000Z", "SUMMARY:New")
      _ = try agent.call(
        Contract.transfer, "ImportText",
        [.string(calendar((events + [new]).joined())), .string(""), .string("")])
    }
    var versions = ["", try agent.exportedText()]
    _ = try agent.call(Contract.events, "Undo")
    versions[0] = try agent.exportedText()
    #expect(versions[0] != versions[1])
    var (now, whole, middle) = (0, 0, 0)
    for kill in 1...max(4, Self.kills / 5) {
      let place = "seed \(seed), kill \(kill)"
      let former = try agent.property("Revision").asInteger ?? -1
      let isMiddle = try agent.killInTheMiddle(
        of: .call(Contract.busName, Contract.path, Contract.events, now == 0 ? "Redo" : "Undo"),
        asking: kill.isMultiple(of: 2) ? nil : Int.random(in: 0...60, using: &random),
        for: "Version \(1 - now)")
      if isMiddle { middle += 1 }
      try agent.start()
      try agent.waitForTakingBack()
      let after = try agent.exportedText()
      if after == versions[now] {
        let revision = try agent.property("Revision").asInteger ?? -1
        if isMiddle { #expect(revision == former + 2, "\(place)") }
      } else {
        whole += 1
        now = 1 - now
        #expect(after == versions[now], "\(place)")
      }
    }
    #expect(middle > 0, "seed \(seed)")
    print("undo: seed \(seed), \(whole) whole, \(middle) seen in the middle")
  }

  // A kill in the middle of a checkpoint: the agent would not open the database any more.
  @Test func `a file into which the journal was half written is opened with the journal`() throws {
    let agent = try AgentProcess()
    let client = try WritingClient(agent, seed: 1)
    try agent.start()
    try client.begin()
    try agent.wait(for: "writes") { client.writes >= 60 || !client.faults.isEmpty }
    try agent.kill()
    client.isWriting = false
    try agent.wait(for: "the answers") { client.isIdle }
    let (cut, whole) = (try TemporaryDirectory(), try TemporaryDirectory())
    let path = try copyFiles(of: agent, to: cut)
    let wholePath = try copyFiles(of: agent, to: whole)
    // Closing writes the journal into the file.
    let store = try openStore(wholePath)
    store.close()
    // Its first page tells of pages that are not there yet.
    let page = try #require(readFile(wholePath)).prefix(4096)
    #expect(page != (readFile(path) ?? []).prefix(4096))
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    writeAll(page, to: descriptor)
    close(descriptor)
    let mended = try openStore(path)
    try client.check(mended, settles: false, "a checkpoint that was cut off")
    mended.close()
  }
}
