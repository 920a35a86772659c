/// A notification about a problem of the agent itself or a source, shown once for each problem.
final class FaultNotice {
  /// Why it is shown; nil while all is well.
  private(set) var reason: String?
  private let subject: String
  private let text: (_ reason: String, _ markup: Bool) -> NotificationText
  private let quiet: QuietKeeper
  private let notifier: DesktopNotifier?
  /// Whether the notification was shown, even if a person has closed it.
  private var isShown = false

  /// - Parameter subject: see ``NotificationContent/isFault(_:)``.
  init(
    _ subject: String, quiet: QuietKeeper, notifier: DesktopNotifier?,
    text: @escaping (_ reason: String, _ markup: Bool) -> NotificationText
  ) {
    self.subject = subject
    self.text = text
    self.quiet = quiet
    self.notifier = notifier
  }

  /// Shows the problem, once until ``works()``.
  func fails(_ new: String) {
    guard reason == nil else { return }
    reason = new
    showIfUnseen()
  }

  /// Called when the notification vanished unseen, because its server ended.
  func isGone() {
    isShown = false
    showIfUnseen()
  }

  /// Shows a present problem that was not shown yet, unless it is quiet time.
  func showIfUnseen() {
    guard let reason, !isShown, !quiet.isQuiet else { return }
    isShown = true
    // One that a crashed agent left on the screen has had its sound.
    let isNew = !(notifier?.isShown(subject) ?? false)
    notifier?.show(
      NotificationContent(fault: subject, isNew: isNew) { [text] in text(reason, $0) })
  }

  /// Called when the problem is over: removes the notification, also that of a crashed agent.
  func works() {
    reason = nil
    isShown = false
    notifier?.withdraw(subject: subject)
  }
}
