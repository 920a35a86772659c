/// A notification that says what is wrong with the agent itself, once for each fault.
final class FaultNotice {
  /// Why it is shown; nil while all is well.
  private(set) var reason: String?
  private let subject: String
  private let text: (_ reason: String, _ markup: Bool) -> NotificationText
  private let quiet: QuietKeeper
  private let notifier: DesktopNotifier?
  /// Whether the notification is there, or was and somebody has closed it.
  private var isShown = false

  /// - Parameter subject: one of ``NotificationContent/faults``.
  init(
    _ subject: String, quiet: QuietKeeper, notifier: DesktopNotifier?,
    text: @escaping (_ reason: String, _ markup: Bool) -> NotificationText
  ) {
    self.subject = subject
    self.text = text
    self.quiet = quiet
    self.notifier = notifier
  }

  /// Shows what is wrong; again only once all was well.
  func fails(_ new: String) {
    guard reason == nil else { return }
    reason = new
    showIfUnseen()
  }

  /// The notification is gone without having been seen: its server is.
  func isGone() {
    isShown = false
    showIfUnseen()
  }

  /// Shows it where it holds and nobody has been shown it, unless it is quiet.
  func showIfUnseen() {
    guard let reason, !isShown, !quiet.isQuiet else { return }
    isShown = true
    // An agent that died has left it there: it was heard.
    let isNew = !(notifier?.isShown(subject) ?? false)
    notifier?.show(
      NotificationContent(fault: subject, isNew: isNew) { [text] in text(reason, $0) })
  }

  /// All is well: the notification is taken away, also the one of an agent that died.
  func works() {
    reason = nil
    isShown = false
    notifier?.withdraw(subject: subject)
  }
}
