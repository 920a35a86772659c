import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Phrases
import Platform
import Widgets

/// The month grid of org.datebook.Calendar1.
final class MonthObject {
  private let context: AgentContext
  private unowned let agenda: AgendaSource

  init(_ context: AgentContext, agenda: AgendaSource) {
    self.context = context
    self.agenda = agenda
  }

  /// The methods, by the names of the contract.
  var methods: [MemberName: MethodBody] { ["Month": month, "MonthOf": monthOf] }

  /// The longest answer in bytes; a longer page gets fewer lanes.
  private static let maximumOctets = 1 << 20
  private static let mostLanes = MonthMode.expanded.lanes

  private func month(_ call: CallArguments) throws(CallError) -> [Value] {
    try month(call, CalendarFilter())
  }

  private func monthOf(_ call: CallArguments) throws(CallError) -> [Value] {
    let options = try call.options(
      2, "options", [(.calendars, ["as"]), (.privacy, ["s"]), (.lanes, ["u"])])
    let lanes = options.number(.lanes)
    guard lanes <= MonthObject.mostLanes else {
      throw CallError(
        .invalidArguments, about: "lanes", notWithin(1...UInt32(MonthObject.mostLanes), lanes))
    }
    return try month(
      call, try agenda.excerpt(options, try agenda.reader()), lanes: lanes == 0 ? nil : Int(lanes))
  }

  private func month(
    _ call: CallArguments, _ excerpt: CalendarFilter, lanes: Int? = nil
  ) throws(CallError) -> [Value] {
    let page = try page(day: try day(call.text(0)), mode: try mode(call.text(1)))
    let zone = context.localZone
    let reader = try agenda.reader()
    var occurrences = try reader.page(of: page.span(in: zone), excerpt)
    // The order must not reveal hidden titles either.
    if excerpt.privacy == .titles {
      occurrences.putInOrder(DisplayOrder(of: reader.calendars))
    } else {
      occurrences.putInOrder()
    }
    let builder = MonthGridBuilder(
      page: page, today: zone.reading(at: context.clock.now).date, occurrences: occurrences,
      colors: reader.colors.filter { excerpt.admits($0.key) }, privacy: excerpt.privacy,
      ownAddresses: reader.ownAddresses, thresholds: context.configuration.missingReleases,
      zone: zone)
    let grid = builder.grid(lanes: lanes)
    var octets = grid.json
    if octets.count > MonthObject.maximumOctets {
      let lanes = grid.lanes(within: MonthObject.maximumOctets, of: octets.count)
      octets = builder.grid(lanes: lanes).json
    }
    return [.string(String(decoding: octets, as: UTF8.self))]
  }

  /// Reads a month, or a day in the usual forms; "" means today.
  private func day(_ text: String) throws(CallError) -> CivilDate {
    if let first = MonthText.firstDay(text, context.phrases) { return first }
    if let misfit = MonthText.misfit(text) {
      throw CallError(.invalidTime, about: "day", misfit)
    }
    do throws(CallError) {
      return try context.moment(text.isEmpty ? "today" : text, "day").day(in: context.localZone)
    } catch {
      throw CallError(error.kind, "\(error.message); \(MonthText.forms)")
    }
  }

  private func mode(_ text: String) throws(CallError) -> MonthMode {
    if text.isEmpty { return .normal }
    guard let mode = MonthMode(rawValue: text) else {
      let words = MonthMode.allCases.map(\.rawValue)
      throw CallError(.invalidArguments, about: "mode", notOneOf(words, text))
    }
    return mode
  }

  private func page(day: CivilDate, mode: MonthMode) throws(CallError) -> MonthPage {
    guard
      let page = MonthPage(
        day: day, mode: mode, firstWeekday: context.configuration.firstWeekday)
    else {
      throw CallError(
        .invalidTime, about: "day",
        localized(
          "the month of {day} has days outside the years 1 to 9999", ["day": day.description]))
    }
    return page
  }
}
