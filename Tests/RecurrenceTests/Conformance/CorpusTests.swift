import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite struct `The corpus` {
  static let files = [
    "added-dates", "all-day", "conventions", "count", "excluded-rules", "forms", "intervals",
    "leap-days", "month-ends", "negative-numbers", "never", "positions", "ranges", "rfc5545",
    "skip", "sub-daily", "until", "week-numbers", "week-starts", "weekdays", "zones",
  ]

  @Test(arguments: files)
  func `every record gives the instances it names`(file: String) throws {
    let records = RecordFile.read("\(corpusDirectory)/\(file).txt")
    #expect(records.count >= 10)
    for record in records {
      let fault = try CorpusCase(record).fault()
      #expect(fault == nil, "\(record)")
    }
  }

  @Test(arguments: files)
  func `every rule is read again from what it writes`(file: String) throws {
    for record in RecordFile.read("\(corpusDirectory)/\(file).txt") {
      for text in record.all("rule") + record.all("exrule") {
        let rule = try RecurrenceRule(text: text)
        let again = try RecurrenceRule(text: rule.text)
        #expect(again == rule, "\(record)")
        #expect(again.text == rule.text, "\(record)")
      }
    }
  }

  /// Seeking must not differ from walking, wherever a window begins.
  @Test(arguments: files)
  func `a question from any instance on has the rest of the list`(file: String) throws {
    for record in RecordFile.read("\(corpusDirectory)/\(file).txt") {
      let set = try CorpusCase(record).set
      let list = set.instances(in: .always, limit: 12)
      for (index, instance) in list.enumerated() {
        let rest = set.instances(
          in: TimeSpan(start: instance.instant, end: TimeSpan.always.end), limit: list.count - index
        )
        #expect(rest.map(\.instant) == list[index...].map(\.instant), "\(record)")
        let before = index == 0 ? nil : list[index - 1].instant
        #expect(set.last(before: instance.instant)?.instant == before, "\(record)")
        #expect(set.contains(instance.instant), "\(record)")
      }
    }
  }
}
