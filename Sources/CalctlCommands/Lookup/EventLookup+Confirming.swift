import CalendarBus
import Platform
import Widgets

// An event of whose title only a part was written: the meant one may be gone.

extension EventLookup {
  /// Returns whether an event that was found is to be changed; asks about a part of a title on a
  /// terminal.
  ///
  /// - Throws: See ``refuse(part:_:)``.
  func confirms(
    _ found: Found, _ reference: EventReference, _ arguments: ParsedArguments
  ) throws(CommandError) -> Bool {
    guard found.isByPart, !arguments.has(.yes) else { return true }
    guard context.canAsk(arguments) else {
      try refuse(part: found, reference)
      return false
    }
    context.writeError(
      localized(
        "\"{text}\" is a part of this title: {event}. Is it meant? [y/N] ",
        ["text": reference.text, "event": try line(found)]))
    return try context.isYes()
  }

  /// Refuses to change an event by a part of its title where nobody can be asked.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` with the event.
  func refuse(part found: Found, _ reference: EventReference) throws(CommandError) {
    guard found.isByPart else { return }
    throw .notFound(
      localized(
        "\"{text}\" is only a part of a title; write the ID or the whole title, or add {option}:",
        ["text": reference.text, "option": OptionSpec.yes.name]),
      near: [
        EventReference(calendar: "", uid: found.uid, occurrence: found.occurrence).text
          + "  \(try line(found))"
      ])
  }

  /// "Standup: Mon 7 Jan 2030, 09:30 – 10:30"; of a to-do its title.
  private func line(_ found: Found) throws(CommandError) -> String {
    let title = Output.title(found.event.text(.summary))
    guard found.kind == .event else { return title }
    return "\(title): \(try context.output.when(found.event))"
  }
}

extension OptionSpec {
  /// An option of commands that change or remove what they find.
  static let yes = flag(
    "--yes", localized("do not ask; also take an event of whose title you wrote a part"))
}
