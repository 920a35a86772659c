import CalendarBus

extension OptionSpec {
  /// Of the commands that write events.
  static let busy = flag(
    "--busy", "its time is taken, for free and conflicts (so it is unless it takes whole days)")
  /// Of the commands that write events.
  static let free = flag(
    "--free", "its time stays free, for free and conflicts (so it is if it takes whole days)")
}

/// What makes an event take time: the TRANSP of RFC 5545 section 3.8.2.7.
enum BusyOptions {
  /// What counts, for the help of who looks for free time.
  static let help = """
    Busy are events with a time, all-day ones that were added with --busy, and imported all-day \
    ones unless their file says that they leave the time free (TRANSP:TRANSPARENT); edit --free has \
    any event leave it free. Not busy are cancelled events, those that you have declined, and those \
    of hidden calendars.
    """

  /// Returns whether it is --busy that was given.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` where --free was, too.
  static func isBusy(_ arguments: ParsedArguments, command: String) throws(CommandError) -> Bool {
    let isBusy = arguments.has(OptionSpec.busy)
    guard !isBusy || !arguments.has(OptionSpec.free) else {
      throw .usage("--busy and --free exclude each other", command: command, hint: nil)
    }
    return isBusy
  }
}
