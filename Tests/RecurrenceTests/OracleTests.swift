import CivilTime
import Glibc
import Recurrence
import TestSupport
import Testing

/// Another engine, as a program that reads "START\tRULE\tLIMIT" and writes readings.
private struct Oracle: Sendable {
  let name: String
  let command: [String]

  private static let folder = directory(ofFile: #filePath) + "/Oracles"

  /// libical, if its header and a C compiler are installed; Swift brings clang.
  static let libical: Oracle? = {
    guard let flags = try? Subprocess.run("pkg-config", ["--cflags", "--libs", "libical"]),
      flags.status == .exited(0), let program = try? TemporaryDirectory()
    else { return nil }
    let binary = program.file("libical")
    let words = flags.output.split(whereSeparator: \.isWhitespace).map(String.init)
    let compiled = try? Subprocess.run(
      "clang", ["-O1", "-o", binary, folder + "/libical.c"] + words)
    guard compiled?.status == .exited(0) else { return nil }
    // The folder stays for as long as the tests run.
    _ = Unmanaged.passRetained(program)
    return Oracle(name: "libical", command: [binary])
  }()

  /// python-dateutil, if it is installed.
  static let dateutil: Oracle? = {
    let probe = try? Subprocess.run("python3", ["-c", "import dateutil.rrule"])
    guard probe?.status == .exited(0) else { return nil }
    return Oracle(name: "dateutil", command: ["python3", folder + "/dateutil_rules.py"])
  }()

  /// Returns a line of readings for each question.
  func answers(to questions: [String]) throws -> [Substring] {
    let input = Array(questions.map { $0 + "\n" }.joined().utf8)
    let process = try Subprocess(
      command[0], Array(command.dropFirst()), input: .bytes(input))
    let outcome = try process.wait(timeoutSeconds: 120)
    #expect(outcome.status == .exited(0), "\(name): \(outcome.errors)")
    return outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
  }
}

/// Rules drawn at random, asked of other engines: an agreement of two that share no code.
@Suite struct `Other engines` {
  private static let limit = 20

  @Test(
    .enabled(if: Oracle.libical != nil, "libical-dev is not installed"),
    arguments: RecurrenceRule.Frequency.allCases, [UInt64(16), 529])
  func `libical gives the same instances`(frequency: RecurrenceRule.Frequency, seed: UInt64) throws
  {
    let oracle = try #require(Oracle.libical)
    try compare(oracle, frequency: frequency, seed: seed, isKnown: OracleRules.libicalDiffers)
  }

  @Test(
    .enabled(if: Oracle.dateutil != nil, "python3-dateutil is not installed"),
    arguments: RecurrenceRule.Frequency.allCases, [UInt64(16), 529])
  func `python-dateutil gives the same instances`(
    frequency: RecurrenceRule.Frequency, seed: UInt64
  ) throws {
    let oracle = try #require(Oracle.dateutil)
    try compare(
      oracle, frequency: frequency, seed: seed, isKnown: OracleRules.dateutilDiffers,
      searchesOn: true)
  }

  private func compare(
    _ oracle: Oracle, frequency: RecurrenceRule.Frequency, seed: UInt64,
    isKnown: (RecurrenceRule) -> Bool, searchesOn: Bool = false
  ) throws {
    var random = OracleRules(seed: seed)
    var questions: [String] = []
    var ours: [[String]] = []
    while questions.count < 40 {
      let (start, text) = random.next(frequency)
      let rule = try RecurrenceRule(text: text)
      guard !isKnown(rule) else { continue }
      let set = RecurrenceSet(start: start, isAllDay: false, zone: .utc, rules: [rule])
      let found = set.instances(in: .always, limit: Self.limit + 1).map(\.reading.basicText)
      // python-dateutil looks past UNTIL for an instance that tells it to stop, for hours if none comes.
      guard !searchesOn || found.count > Self.limit else { continue }
      questions.append("\(start.basicText)\t\(text)\t\(Self.limit + 1)")
      ours.append(found)
    }
    let answers = try oracle.answers(to: questions)
    #expect(answers.count >= questions.count)
    for (index, question) in questions.enumerated() where index < answers.count {
      // Whether a start that does not match is an instance is no question of the rule.
      let start = question.prefix { $0 != "\t" }
      // libical makes no iterator for a rule that matches nothing.
      if answers[index] == "error", ours[index].allSatisfy({ $0 == start }) { continue }
      let theirs = answers[index].split(separator: " ").filter { $0 != start }.prefix(Self.limit)
      let mine = ours[index].filter { $0 != start }.prefix(Self.limit)
      #expect(
        theirs.elementsEqual(mine.map { $0[...] }), "\(oracle.name), seed \(seed): \(question)")
    }
  }
}
