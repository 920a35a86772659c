import CalendarBus
import Platform
import Widgets

// An event of whose title only a part was written, or that is over: the meant one may be gone.

extension EventLookup {
  /// Returns whether an event that was found is to be changed; asks on a terminal where the text may
  /// mean another one.
  ///
  /// - Throws: See ``refuse(doubtful:_:)``.
  func confirms(
    _ found: Found, _ reference: EventReference, _ arguments: ParsedArguments
  ) throws(CommandError) -> Bool {
    guard found.isByPart || found.isOver, !arguments.has(.yes) else { return true }
    guard context.canAsk(arguments) else {
      try refuse(doubtful: found, reference)
      return false
    }
    let event = try line(found)
    context.writeError(
      found.isByPart
        ? localized(
          "\"{text}\" is a part of this title: {event}. Is it meant? [y/N] ",
          ["text": reference.text, "event": event])
        : localized(
          "The only event with this title is over: {event}. Is it meant? [y/N] ",
          ["event": event]))
    return try context.isYes()
  }

  /// Refuses to change an event by a part of its title, or one that is over by its title, where
  /// nobody can be asked.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` with the event.
  func refuse(doubtful found: Found, _ reference: EventReference) throws(CommandError) {
    guard found.isByPart || found.isOver else { return }
    throw .notFound(
      found.isByPart
        ? localized(
          "\"{text}\" is only a part of a title; write the ID or the whole title, or add {option}:",
          ["text": reference.text, "option": OptionSpec.yes.name])
        : localized(
          "the only event called \"{text}\" is over; write its ID, or add {option}:",
          ["text": reference.text, "option": OptionSpec.yes.name]),
      near: [
        "\(try line(found))  "
          + EventReference(calendar: "", uid: found.uid, occurrence: found.occurrence).text
      ])
  }

  /// "Standup: Mon 7 Jan 2030, 09:30 – 10:30"; of a to-do when it is due.
  func line(_ found: Found) throws(CommandError) -> String {
    let title = Output.title(found.event.text(.summary))
    switch found.kind {
    case .event where found.event[.start] != nil:
      return title.with(text: try context.output.when(found.event))
    case .toDo where found.event[.due] != nil:
      return title.with(text: context.output.due(of: found.event, zone: try context.zone()))
    case .event, .toDo, .kept: return title
    }
  }
}

extension OptionSpec {
  /// An option of commands that change or remove what they find.
  static let yes = flag(
    "--yes",
    localized("do not ask; also take an event of whose title you wrote a part, or that is over"))
}
