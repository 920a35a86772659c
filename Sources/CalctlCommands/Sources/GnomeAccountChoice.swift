import CalendarBus
import Platform

extension CommandContext {
  /// Finds the account of GNOME Online Accounts that is meant.
  ///
  /// - Parameter word: its ID, user or provider; nil for the only one.
  /// - Throws: ``CommandError/notFound(_:near:)`` with those that there are, if it is not one.
  func onlineAccount(_ word: String?) throws(CommandError) -> Row {
    let all = try client().onlineAccounts()
    guard !all.isEmpty else {
      throw .notFound(
        localized(
          """
          no account in GNOME Online Accounts has calendars; add one in the settings of GNOME
          """))
    }
    let found = all.filter { account in
      word.map { [account.text(.id), account.text(.user), account.text(.name)].contains($0) }
        ?? true
    }
    if found.count == 1 { return found[0] }
    let lines = all.map { "\($0.text(.user))  (\($0.text(.name)), \($0.text(.id)))" }
    if let word, found.isEmpty {
      throw .notFound(
        localized("GNOME Online Accounts has no account \"{name}\"; it has:", ["name": word]),
        near: lines)
    }
    throw .notFound(
      localized(
        "several accounts have calendars; say which: {command}",
        ["command": "calctl sources add gnome USER"]), near: lines)
  }
}
