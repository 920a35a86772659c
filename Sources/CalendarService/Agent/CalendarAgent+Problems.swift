import CalendarBus
import CalendarStore
import Platform

extension CalendarAgent {
  /// The problems of the agent and its environment, one a line.
  var problems: [String] {
    var problems = configurationFaults
    if snapshot.path.isEmpty {
      problems.append(
        localized(
          "no snapshot file is written: {reason}",
          ["reason": PlatformError.noRuntimeDirectory.text]))
    }
    if storage.hold == nil, storage.current?.revision == 0, !storage.files.backups.all().isEmpty {
      problems.append(
        localized(
          "the calendar is new, but there are backups of an earlier one; see calctl backups"))
    }
    if let hold = storage.hold { problems.append(hold.error.message) }
    if let fault = reminders.presenter.ledgerFault.reason {
      problems.append(
        localized(
          "reminders are paused, since the database cannot be written: {reason}",
          ["reason": fault]))
    }
    problems += [snapshot.fault, notifier?.problem, notifier == nil ? nil : opener.problem]
      .compactMap(\.self)
    problems += sources.problems
    return problems + snapshot.exportProblems + hooks.problems
  }
}
