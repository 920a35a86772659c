import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Phrases
import Platform

/// Methods of the interface org.datebook.Calendar1 about busy time, free time and conflicts.
final class AvailabilityObject {
  private let context: AgentContext
  private unowned let agenda: AgendaSource

  init(_ context: AgentContext, agenda: AgendaSource) {
    self.context = context
    self.agenda = agenda
  }

  /// The methods, by the names of the contract.
  var methods: [MemberName: MethodBody] {
    ["FreeBusy": freeBusy, "FreeSlots": freeSlots, "Conflicts": conflicts]
  }

  // MARK: Methods

  private func freeBusy(_ call: CallArguments) throws(CallError) -> [Value] {
    let (span, occurrences) = try occurrences(call)
    return [try answer(BusyTimes(occurrences, in: span).spans)]
  }

  private func freeSlots(_ call: CallArguments) throws(CallError) -> [Value] {
    let minutes = try call.number(2, "minutes", in: 1...AvailabilityObject.maximumMinutes)
    let (span, occurrences) = try occurrences(call)
    let hours = context.configuration.workingHours.spans(in: span, zone: context.localZone)
    return [
      try answer(
        BusyTimes(occurrences, in: span).gaps(in: hours, lasting: Int64(minutes) * 60))
    ]
  }

  private func conflicts(_ call: CallArguments) throws(CallError) -> [Value] {
    let (_, occurrences) = try occurrences(call)
    let found = Conflict.all(among: occurrences, limit: Contract.maximumRows + 1)
    guard found.count <= Contract.maximumRows else {
      throw CallError(tooManyAmong: found.flatMap { [$0.first, $0.second] })
    }
    let reader = try agenda.reader()
    let (colors, own) = (reader.colors, reader.ownAddresses)
    return [
      Row.array(
        found.map { conflict in
          var row = Row()
          row.set(.first, Row(conflict.first, colors: colors, ownAddresses: own).value)
          row.set(.second, Row(conflict.second, colors: colors, ownAddresses: own).value)
          row.set(.from, .int64(conflict.span.start.seconds))
          row.set(.to, .int64(conflict.span.end.seconds))
          return row
        })
    ]
  }

  // MARK: Parts

  /// The longest free slot to ask for: a week.
  private static let maximumMinutes: UInt32 = 10_080
  /// The longest range, two years: working hours are computed day by day.
  private static let maximumDays: Int64 = 732

  /// Returns the range of a call, and the occurrences in it.
  private func occurrences(
    _ call: CallArguments
  ) throws(CallError) -> (TimeSpan, [Occurrence]) {
    let span = try context.span(from: call.text(0), to: call.text(1))
    guard span.seconds <= AvailabilityObject.maximumDays * 86_400 else {
      throw CallError(
        .limitsExceeded, about: "to",
        localized(
          Int(AvailabilityObject.maximumDays), one: "the range is longer than {count} day",
          other: "the range is longer than {count} days"))
    }
    let reader = try agenda.reader()
    let found = try reader.occurrences(
      in: span,
      filter: AgendaReader.Filter(
        includesDeclined: false, ownAddresses: reader.store.ownAddresses),
      atMost: AvailabilityObject.maximumOccurrences)
    return (span, found)
  }

  private static let maximumOccurrences = 50_000

  private func answer(_ spans: [TimeSpan]) throws(CallError) -> Value {
    guard spans.count <= Contract.maximumRows else { throw CallError(tooManyOf: "") }
    return .array(
      "(xx)",
      spans.map { .structure([.int64($0.start.seconds), .int64($0.end.seconds)]) })
  }
}
