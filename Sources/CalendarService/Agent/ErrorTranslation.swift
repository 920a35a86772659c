import CalendarBus
import CalendarModel
import CalendarStore

/// Runs a question to the store; its errors become those of the contract.
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
  init(_ error: StoreError) {
    let kind: Kind =
      switch error {
      case .unknownCalendar: .notFound
      case .lastCalendar, .calendarInUse: .conflict
      default: .storageFailed
      }
    self.init(kind, error.description)
  }

  init(_ error: UndoError) {
    switch error {
    case .nothingToUndo, .nothingToRedo: self.init(.nothingToUndo, error.description)
    case .changedSince, .calendarChangedSince, .presentAgain:
      self.init(.conflict, error.description)
    case .notInTrash: self.init(.notFound, error.description)
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
    self.init(kind, error.description)
  }
}
