import CalendarBus
import CalendarStore
import Platform

extension CalendarAgent {
  /// What is wrong around the agent, and what it goes on without, a line each.
  var problems: [String] {
    var problems = configurationFaults
    if snapshot.path.isEmpty {
      problems.append("no snapshot file is kept: \(PlatformError.noRuntimeDirectory)")
    }
    if storage.hold == nil, storage.current?.revision == 0, !storage.files.backups.all().isEmpty {
      problems.append(
        "the calendar is new, and there are copies of an earlier one: calctl backups lists them")
    }
    if let hold = storage.hold { problems.append(hold.error.message) }
    if let fault = reminders.presenter.ledgerFault.reason {
      problems.append(
        "reminders are not told: what falls due cannot be written down, which comes before telling: \(fault)"
      )
    }
    problems += [snapshot.fault, notifier?.problem, notifier == nil ? nil : opener.problem]
      .compactMap(\.self)
    return problems + snapshot.exportProblems + hooks.problems
  }
}
