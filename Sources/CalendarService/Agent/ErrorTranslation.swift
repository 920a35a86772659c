import CalendarBus
import CalendarModel
import CalendarStore
import ICalendar
import Platform

/// Runs a query of the store, and converts its errors.
///
/// - Throws: the ``CallError`` for a ``StoreError``.
func translated<Answer: ~Copyable>(
  _ body: () throws(StoreError) -> Answer
) throws(CallError) -> Answer {
  do throws(StoreError) {
    return try body()
  } catch {
    throw CallError(error)
  }
}

extension CallError {
  /// The error for a text that cannot be imported; clients read the position at its beginning.
  init(_ error: CalendarTextError) {
    self.init(.parseFailed, "\(error.position): \(localized(error.text))")
  }

  init(_ error: StoreError) {
    let kind: Kind =
      switch error {
      case .unknownCalendar: .notFound
      case .lastCalendar, .calendarInUse: .conflict
      default: .storageFailed
      }
    self.init(kind, localized(error.text))
  }

  init(_ error: UndoError) {
    switch error {
    case .nothingToUndo, .nothingToRedo: self.init(.nothingToUndo, localized(error.text))
    case .changedSince, .calendarChangedSince, .presentAgain:
      self.init(.conflict, localized(error.text))
    case .notInTrash: self.init(.notFound, localized(error.text))
    case .store(let error): self.init(error)
    }
  }

  init(_ error: ModelError) {
    let kind: Kind =
      switch error {
      case .unknownEvent, .unknownCalendar: .notFound
      case .readOnlyCalendar: .readOnly
      case .occurrenceNeeded, .oneOfSeveralNeeded: .invalidArguments
      case .recurrenceOfOne, .seriesNeeded, .ruleCannotFollow, .cannotSplit: .invalidRecurrence
      case .endBeforeStart, .mixedDateAndTime, .time: .invalidTime
      }
    self.init(kind, localized(error.text))
  }
}
