import CalendarBus
import Platform

extension OptionSpec {
  /// An option of the commands that write events.
  static let busy = flag(
    "--busy",
    localized(
      "free and conflicts count its time as taken (the default unless it is all-day)"))
  /// An option of the commands that write events.
  static let free = flag(
    "--free",
    localized("free and conflicts count its time as free (the default if it is all-day)"))
}

/// The options that set whether an event takes up time, the TRANSP of RFC 5545 section 3.8.2.7.
enum BusyOptions {
  /// The events that count as busy, for the help of commands that search for free time.
  static let help = localized(
    """
    Timed events count as busy. So do all-day events that were added with --busy, and imported \
    ones unless their file has TRANSP:TRANSPARENT. Not busy are events that edit --free changed, \
    cancelled events, those that you have declined, and those of hidden calendars.
    """)

  /// Returns whether --busy was given.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` if --free was given, too.
  static func isBusy(_ arguments: ParsedArguments, command: String) throws(CommandError) -> Bool {
    let isBusy = arguments.has(OptionSpec.busy)
    guard !isBusy || !arguments.has(OptionSpec.free) else {
      throw .usage(
        localized(
          "{option} cannot be combined with {other}", ["option": "--busy", "other": "--free"]),
        command: command, hint: nil)
    }
    return isBusy
  }
}
