import CalendarBus
import DBus

/// Which events a list has: the options --calendar, --state and --quality.
struct ListFilter {
  /// The IDs of the calendars; none means all that are visible.
  var calendars: [String] = []
  /// The states of releases; none means any event.
  var states: [String] = []
  /// A part of the quality of releases; "" means any event.
  var quality = ""

  /// Whether it has every visible event.
  var isOpen: Bool { calendars.isEmpty && states.isEmpty && quality.isEmpty }

  /// Sets the options of GetOccurrences and Search.
  func set(_ options: inout Row) {
    if !calendars.isEmpty { options.set(.calendars, calendars) }
    if !states.isEmpty { options.set(.states, states) }
    options.setUnlessEmpty(.quality, quality)
  }
}

extension ParsedArguments {
  /// Returns the filter of the options of ``CommandSpec/filters``.
  ///
  /// - Throws: See ``CalendarLookup/id(_:_:)``.
  func filter(_ context: CommandContext) throws(CommandError) -> ListFilter {
    ListFilter(
      calendars: try calendars(context), states: all(OptionSpec.states.name),
      quality: value(OptionSpec.quality.name) ?? "")
  }
}
