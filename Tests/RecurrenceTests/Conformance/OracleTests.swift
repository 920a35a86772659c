import CivilTime
import Glibc
import Recurrence
import TestSupport
import Testing

/// Other engines, as programs that read "START\tRULE\tLIMIT" and write a line of readings for each.
private enum Oracle {
  private static let folder = testsDirectory + "/RecurrenceTests/Oracles"

  static let libical = OracleProgram.libical(folder + "/libical.c")
  static let dateutil = OracleProgram.python(
    "dateutil.rrule", folder + "/dateutil_rules.py", isFromPyPI: false)
}

/// Rules drawn at random, asked of other engines: an agreement of two that share no code.
@Suite struct `Other engines` {
  private static let limit = 20

  @Test(
    .enabled(if: Oracle.libical.canRun, "\(Oracle.libical.reason)"),
    arguments: RecurrenceRule.Frequency.allCases, [UInt64(16), 529])
  func `libical gives the same instances`(frequency: RecurrenceRule.Frequency, seed: UInt64) throws
  {
    try compare(
      Oracle.libical, frequency: frequency, seed: seed, isKnown: OracleRules.libicalDiffers)
  }

  @Test(
    .enabled(if: Oracle.dateutil.canRun, "\(Oracle.dateutil.reason)"),
    arguments: RecurrenceRule.Frequency.allCases, [UInt64(16), 529])
  func `python-dateutil gives the same instances`(
    frequency: RecurrenceRule.Frequency, seed: UInt64
  ) throws {
    try compare(
      Oracle.dateutil, frequency: frequency, seed: seed, isKnown: OracleRules.dateutilDiffers,
      searchesOn: true)
  }

  private func compare(
    _ oracle: OracleProgram, frequency: RecurrenceRule.Frequency, seed: UInt64,
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
    let answers = try oracle.output(Array(questions.map { $0 + "\n" }.joined().utf8))
      .split(separator: "\n", omittingEmptySubsequences: false)
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
