import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Phrases

/// Of the interface org.datebook.Calendar1: what is taken, what is free, and what
/// is taken twice.
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
    try checkCount(found.count) { LargestSeries(among: found.flatMap { [$0.first, $0.second] }) }
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

  /// A week: longer than the working hours of any day.
  private static let maximumMinutes: UInt32 = 10_080
  /// Two years of days: working hours are laid out day by day.
  private static let maximumDays: Int64 = 732

  /// The range of a call, and what happens in it.
  private func occurrences(
    _ call: CallArguments
  ) throws(CallError) -> (TimeSpan, [Occurrence]) {
    let span = try context.span(from: call.text(0), to: call.text(1))
    guard span.seconds <= AvailabilityObject.maximumDays * 86_400 else {
      throw CallError(
        .limitsExceeded,
        "from and to: more than \(AvailabilityObject.maximumDays) days lie between them")
    }
    let reader = try agenda.reader()
    let found = try reader.occurrences(
      in: span,
      filter: AgendaReader.Filter(
        includesDeclined: false, ownAddresses: reader.store.ownAddresses),
      atMost: AvailabilityObject.maximumOccurrences
    ) { densest in
      CallError(
        .limitsExceeded,
        "more than \(AvailabilityObject.maximumOccurrences) occurrences lie there"
          + (densest.map { ", \($0.text)" } ?? "")
          + ": ask for a shorter range, or hide its calendar")
    }
    return (span, found)
  }

  private static let maximumOccurrences = 50_000

  private func checkCount(
    _ count: Int, _ densest: () -> LargestSeries? = { nil }
  ) throws(CallError) {
    guard count <= Contract.maximumRows else {
      throw CallError(
        .limitsExceeded,
        "more than the \(Contract.maximumRows) rows that are allowed"
          + (densest().map { ", \($0.text)" } ?? "") + ": ask for a shorter range")
    }
  }

  private func answer(_ spans: [TimeSpan]) throws(CallError) -> Value {
    try checkCount(spans.count)
    return .array(
      "(xx)",
      spans.map { .structure([.int64($0.start.seconds), .int64($0.end.seconds)]) })
  }
}
