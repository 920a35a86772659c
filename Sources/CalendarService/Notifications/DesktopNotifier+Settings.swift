extension DesktopNotifier {
  /// The user's settings of notifications.
  struct Settings {
    /// The Snooze actions, in order.
    let snoozes: [SnoozeStep]
    /// Whether a location can be opened on a map.
    let offersMap: Bool
    let urgency: NotificationUrgency
    /// After how long a server that does not answer is a problem. The wait goes on.
    let patienceMilliseconds: Int
  }
}
