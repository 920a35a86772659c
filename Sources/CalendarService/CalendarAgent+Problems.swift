import CalendarBus

extension CalendarAgent {
  /// What is wrong around the agent, and what it goes on without, a line each.
  var problems: [String] {
    var problems = configurationFaults
    if snapshot.path.isEmpty {
      problems.append("no snapshot file is kept: there is no XDG_RUNTIME_DIR to keep it in")
    }
    if let hold = storage.hold { problems.append(hold.error.message) }
    if let fault = teller?.ledgerFault.reason {
      problems.append(
        "reminders are not told: what falls due cannot be written down, which comes before telling: \(fault)"
      )
    }
    problems += [snapshot.fault, notifier?.problem, notifier == nil ? nil : opener.problem]
      .compactMap(\.self)
    return problems + snapshot.exportProblems + hooks.problems
  }
}
