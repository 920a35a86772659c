import CalendarBus
import CalendarModel
import DBus
import Phrases
import Widgets

/// What somebody asks a snapshot for.
struct SnapshotRequest {
  var excerpt = CalendarFilter()
  /// What `now` and `next` are chosen from.
  var counted = CountedEvents()
  /// How many rows `next` has at most; nil is what the settings say.
  var nextCount: Int?

  /// Whether its answer is what the agent's own file has.
  var isWhole: Bool { excerpt.isWhole && counted == CountedEvents() && nextCount == nil }

  /// The keys of the options that it is read from, with the types of their values.
  static let keys: [(key: RowKey, types: [Signature])] = [
    (.calendars, ["as"]), (.privacy, ["s"]), (.includeDeclined, ["b"]), (.hours, ["s"]),
  ]
}

extension AgendaSource {
  /// Reads the options ``SnapshotRequest/keys``, and "next" where a method has it.
  ///
  /// - Throws: ``CallError`` of the kinds `notFound` for a calendar that there is not, and
  ///   `invalidArguments`.
  func question(_ options: Row, _ reader: AgendaReader) throws(CallError) -> SnapshotRequest {
    var question = SnapshotRequest(excerpt: try excerpt(options, reader))
    question.counted.includesDeclined = options.flag(.includeDeclined)
    let hours = options.text(.hours)
    if hours == Contract.workingHours {
      question.counted.hours = context.configuration.workingHours
    } else if !hours.isEmpty {
      do throws(PhraseError) {
        question.counted.hours = try readWeeklyHours(hours)
      } catch {
        throw CallError(.invalidArguments, "hours: \(error)")
      }
    }
    let count = options.number(.next)
    if count != 0 {
      guard SnapshotSettings.nextCounts.contains(Int(clamping: count)) else {
        throw CallError(
          .invalidArguments,
          "next: \(count) is not from 1 to \(SnapshotSettings.nextCounts.upperBound)")
      }
      question.nextCount = Int(count)
    }
    return question
  }
}
