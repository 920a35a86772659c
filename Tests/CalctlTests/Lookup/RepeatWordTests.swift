import CivilTime
import Phrases
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `Words for rules` {
  /// Reads phrases on Saturday, 2026-11-21, in Berlin.
  private var phrases: PhraseReader {
    get throws {
      PhraseReader(
        PhraseContext(
          now: try Timestamp(text: "2026-11-21T08:00:00Z"), zone: FixedZones.shared["Europe/Berlin"]
        ), zones: FixedZones.shared)
    }
  }

  @Test(arguments: [
    ("daily", "FREQ=DAILY"), ("Weekly", "FREQ=WEEKLY"), ("MONTHLY", "FREQ=MONTHLY"),
    ("yearly", "FREQ=YEARLY"), ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
    ("FREQ=DAILY;COUNT=3", "FREQ=DAILY;COUNT=3"), ("nonsense=1", "nonsense=1"),
    ("mon,wed", "FREQ=WEEKLY;BYDAY=MO,WE"), ("Tuesday, th", "FREQ=WEEKLY;BYDAY=TU,TH"),
    ("sun,sun", "FREQ=WEEKLY;BYDAY=SU"),
  ])
  func `a word stands for its rule, and a rule for itself`(text: String, rule: String) throws {
    #expect(try RepeatWord.rule(of: text, phrases) == rule)
  }

  @Test(arguments: [
    ("every 2 weeks", "FREQ=WEEKLY;INTERVAL=2"), ("every day", "FREQ=DAILY"),
    ("fortnightly", "FREQ=WEEKLY;INTERVAL=2"),
    ("every other friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
    ("first friday of every month", "FREQ=MONTHLY;BYDAY=1FR"),
    ("every 2 weeks 10 times", "FREQ=WEEKLY;INTERVAL=2;COUNT=10"),
    ("every tuesday until 31 Jan", "FREQ=WEEKLY;UNTIL=20270131;BYDAY=TU"),
    ("每两周", "FREQ=WEEKLY;INTERVAL=2"),
  ])
  func `a phrase is read as quick reads it`(text: String, rule: String) throws {
    #expect(try RepeatWord.rule(of: text, phrases) == rule)
  }

  @Test(arguments: ["", "often", "m,w", "mon,", "mon,x", "2 weeks", "tomorrow"])
  func `an unknown word is refused with the known ones`(text: String) throws {
    let phrases = try phrases
    let error = #expect(throws: CommandError.self) { try RepeatWord.rule(of: text, phrases) }
    #expect(error?.exitCode == .usage)
    #expect(error?.message.contains("daily, weekdays, weekly, monthly, yearly") == true)
    #expect(error?.message.contains("every 2 weeks") == true)
  }

  @Test(arguments: ["every tuesday 18:00", "every 2 weeks from 3 Dec", "every day for 3 weeks"])
  func `when it begins belongs to --start`(text: String) throws {
    let phrases = try phrases
    let error = #expect(throws: CommandError.self) { try RepeatWord.rule(of: text, phrases) }
    #expect(error?.message.contains("when it begins belongs to --start") == true)
  }
}
