import CalendarBus
import CalendarModel
import DBus
import Phrases
import Platform
import Widgets

/// What a snapshot should contain.
struct SnapshotRequest {
  var excerpt = CalendarFilter()
  /// The events that `now` and `next` are chosen from.
  var counted = CountedEvents()
  /// How many rows `next` has at most; nil means the number in the settings.
  var nextCount: Int?

  /// Whether the agent's own file is the snapshot that was requested.
  var isWhole: Bool { excerpt.isWhole && counted == CountedEvents() && nextCount == nil }

  /// The keys of its options, with the types of their values.
  static let keys: [(key: RowKey, types: [Signature])] = [
    (.calendars, ["as"]), (.privacy, ["s"]), (.includeDeclined, ["b"]), (.hours, ["s"]),
  ]
}

extension AgendaSource {
  /// Reads the options ``SnapshotRequest/keys``, and "next" where a method has it.
  ///
  /// - Throws: ``CallError`` of the kinds `notFound` for an unknown calendar, and
  ///   `invalidArguments`.
  func question(_ options: Row, _ reader: AgendaReader) throws(CallError) -> SnapshotRequest {
    var question = SnapshotRequest(excerpt: try excerpt(options, reader))
    question.counted.includesDeclined = options.flag(.includeDeclined)
    let hours = options.text(.hours)
    if hours == Contract.workingHours {
      question.counted.hours = context.configuration.workingHours
    } else if !hours.isEmpty {
      do throws(PhraseRefusal) {
        question.counted.hours = try readWeeklyHours(hours)
      } catch {
        throw CallError(.invalidArguments, about: "hours", localized(error.text))
      }
    }
    let count = options.number(.next)
    if count != 0 {
      guard SnapshotSettings.nextCounts.contains(Int(clamping: count)) else {
        throw CallError(
          .invalidArguments, about: "next",
          notWithin(1...UInt32(SnapshotSettings.nextCounts.upperBound), count))
      }
      question.nextCount = Int(count)
    }
    return question
  }
}
