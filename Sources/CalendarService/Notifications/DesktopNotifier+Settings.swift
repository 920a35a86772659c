extension DesktopNotifier {
  /// What people can choose.
  struct Settings {
    /// The Snooze actions, in order.
    let snoozes: [SnoozeStep]
    /// Whether a place can be looked up.
    let offersMap: Bool
    let urgency: NotificationUrgency
    /// After how long a server that does not answer is a problem. The wait goes on.
    let patienceMilliseconds: Int
  }
}
