import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Platform

/// Answers a call at once.
typealias MethodBody = (CallArguments) throws(CallError) -> [Value]

/// Answers a call at once with rows of occurrences and the cursor of the next page.
typealias RowsBody = (CallArguments) throws(CallError) -> RowsAnswer

struct RowsAnswer {
  let rows: EncodedRows
  var rest: [Value] = []
}

extension OccurrenceRows {
  /// Encodes the rows of some occurrences.
  static func of(
    _ occurrences: some Sequence<Occurrence>, from reader: AgendaReader,
    textZone: ZoneRules? = nil, fields: Set<RowKey>? = nil
  ) throws(CallError) -> EncodedRows {
    try laidOut(
      occurrences,
      in: OccurrenceRows(
        colors: reader.colors, ownAddresses: reader.ownAddresses, textZone: textZone, fields: fields
      ))
  }

  /// Encodes occurrences, and stops when the rows are too long for one message.
  static func laidOut(
    _ occurrences: some Sequence<Occurrence>, in rows: consuming OccurrenceRows
  ) throws(CallError) -> EncodedRows {
    for occurrence in occurrences {
      rows.add(occurrence)
      if rows.isTooLong { break }
    }
    do throws(DBusError) {
      return try rows.finished()
    } catch {
      throw CallError(
        error.name == .limitsExceeded ? .limitsExceeded : .invalidArguments,
        localized(error.text))
    }
  }
}

/// Runs a function, and converts its error into one of the bus.
func asDBusError<Answer>(_ body: () throws(CallError) -> Answer) throws(DBusError) -> Answer {
  do throws(CallError) {
    return try body()
  } catch {
    throw DBusError(error)
  }
}

extension DBusError {
  init(_ error: CallError) {
    self.init(ErrorName(unchecked: error.name), error.message)
  }
}
