import CalendarModel

/// The notifications on the screen, and what the server's signals mean for their reminders.
///
/// It does not touch the bus. A server may report an action once or many times, close the
/// notification after it or not, and send signals of other programs' notifications, too. So an
/// action counts once, an unknown notification is ignored, and a close counts as seen only if a
/// person did it, without an action before it.
///
/// Source: Desktop Notifications Specification 1.2.
struct NotificationBoard {
  /// The actions that a notification has, by their keys on the bus.
  enum Action: Equatable {
    /// One of the durations of the settings, by its index.
    case snooze(Int)
    case dismiss
    /// A click on the notification itself: a person has seen it.
    case open
    /// Opens the meeting.
    case join
    /// Shows the location on a map.
    case locate

    var key: String {
      switch self {
      case .snooze(0): "snooze"
      case .snooze(let step): "snooze:\(step)"
      case .dismiss: "dismiss"
      case .open: "default"
      case .join: "join"
      case .locate: "location"
      }
    }

    init?(key: String) {
      let simple: [Action] = [.snooze(0), .dismiss, .open, .join, .locate]
      if let action = simple.first(where: { $0.key == key }) {
        self = action
      } else if key.hasPrefix("snooze:"), let step = Int(key.dropFirst(7)), step > 0 {
        self = .snooze(step)
      } else {
        return nil
      }
    }
  }

  /// What a person did with the reminders of a notification.
  enum Meaning: Equatable {
    case snooze([String], step: Int)
    case dismiss([String])
    case join([String])
    case locate([String])

    var reminders: [String] {
      switch self {
      case .snooze(let reminders, _), .dismiss(let reminders), .join(let reminders),
        .locate(let reminders):
        reminders
      }
    }
  }

  /// The notifications by the server's numbers.
  private var shown: [UInt32: Shown] = [:]
  /// The notifications of each reminder, for a digest of thousands that are dismissed one by one.
  private var numbers: [String: [UInt32]] = [:]

  /// The notification of each subject.
  private var subjects: [String: UInt32] = [:]

  private struct Shown {
    /// The key of an occurrence or a digest, which has one notification.
    var subject: String
    /// All the reminders that it was shown with, in order.
    var reminders: [String]
    /// How many of them it still has.
    var count: Int
    /// How many more it counts that were too old to be shown.
    var tooOld: Int
  }

  /// Records that a notification is on the screen.
  ///
  /// - Parameters:
  ///   - subject: its key; "" for one of several without a key.
  ///   - tooOld: how many more it counts that were too old to be shown.
  mutating func show(
    _ notification: UInt32, reminders: [String], subject: String = "", tooOld: Int = 0
  ) {
    _ = take(notification)
    shown[notification] = Shown(
      subject: subject, reminders: reminders, count: reminders.count, tooOld: tooOld)
    if !subject.isEmpty { subjects[subject] = notification }
    for reminder in reminders { numbers[reminder, default: []].append(notification) }
  }

  /// The new ID of a reminder that has moved with its event.
  struct Name {
    let reminder: String
    /// The subject of its notification, if it is not in a digest.
    let subject: String
  }

  /// Renames reminders in notifications.
  ///
  /// The notification of an occurrence gets the new subject, unless another one has it.
  ///
  /// - Parameter names: by the old IDs.
  /// - Returns: the new IDs, and the notifications of those reminders.
  mutating func rename(
    _ names: [String: Name]
  ) -> (reminders: Set<String>, notifications: [UInt32]) {
    let touched = Set(names.keys.flatMap { numbers[$0] ?? [] }).sorted()
    // One occurrence may move to the former time of another one.
    for notification in touched {
      if let subject = shown[notification]?.subject, subjects[subject] == notification {
        subjects[subject] = nil
      }
    }
    var renamed: Set<String> = []
    var notifications: [UInt32] = []
    for notification in touched {
      guard var entry = shown[notification] else { continue }
      let isOfMany = entry.subject.isEmpty || NotificationContent.isDigest(entry.subject)
      if !isOfMany {
        let free = entry.reminders.lazy.compactMap { names[$0]?.subject }
        entry.subject = free.first { subjects[$0] == nil } ?? entry.subject
      }
      entry.reminders = entry.reminders.map { reminder in
        guard let name = names[reminder], isOfMany || name.subject == entry.subject,
          leave(reminder, notification)
        else { return reminder }
        numbers[name.reminder, default: []].append(notification)
        renamed.insert(name.reminder)
        return name.reminder
      }
      if entry.reminders != shown[notification]?.reminders { notifications.append(notification) }
      shown[notification] = entry
      if !entry.subject.isEmpty, subjects[entry.subject] == nil {
        subjects[entry.subject] = notification
      }
    }
    return (renamed, notifications)
  }

  /// Returns the notification of a subject; nil if it is not on the screen.
  func notification(of subject: String) -> UInt32? { subjects[subject] }

  /// Returns the subject of a notification; nil for an unknown one.
  func subject(of notification: UInt32) -> String? { shown[notification]?.subject }

  /// Returns the subjects of the notifications with a reminder.
  func subjects(of reminder: String) -> [String] {
    (numbers[reminder] ?? []).compactMap { shown[$0]?.subject }
  }

  /// The notifications with reminders or about problems, by number, for the next agent.
  var entries: [NotificationFile.Entry] {
    shown.keys.sorted().compactMap { number in
      let reminders = reminders(of: number) ?? []
      guard let subject = shown[number]?.subject,
        !reminders.isEmpty || NotificationContent.isFault(subject)
      else { return nil }
      return NotificationFile.Entry(
        number: number, subject: subject, tooOld: tooOld(of: subject), reminders: reminders)
    }
  }

  /// How many too old reminders the notification of a subject counts, if it is on the screen.
  func tooOld(of subject: String) -> Int {
    subjects[subject].flatMap { shown[$0]?.tooOld } ?? 0
  }

  /// Removes a notification.
  private mutating func forget(_ notification: UInt32) {
    guard let subject = shown.removeValue(forKey: notification)?.subject else { return }
    if subjects[subject] == notification { subjects[subject] = nil }
  }

  /// Returns the reminders that a notification still has, in order; nil for an unknown one.
  func reminders(of notification: UInt32) -> [String]? {
    shown[notification]?.reminders.filter { numbers[$0]?.contains(notification) ?? false }
  }

  /// Removes a notification, and returns the reminders that it still had; nil for an unknown one.
  mutating func take(_ notification: UInt32) -> [String]? {
    guard let taken = shown[notification] else { return nil }
    forget(notification)
    return taken.reminders.filter { leave($0, notification) }
  }

  /// Removes a reminder from a notification; false if it did not have it.
  private mutating func leave(_ reminder: String, _ notification: UInt32) -> Bool {
    guard var rest = numbers[reminder], let place = rest.firstIndex(of: notification) else {
      return false
    }
    rest.remove(at: place)
    numbers[reminder] = rest.isEmpty ? nil : rest
    return true
  }

  /// Handles ActionInvoked(id, action): removes the notification, which the caller closes.
  mutating func invoked(_ notification: UInt32, _ action: String) -> Meaning? {
    guard let action = Action(key: action), let reminders = take(notification) else { return nil }
    return switch action {
    case .snooze(let step): .snooze(reminders, step: step)
    case .dismiss, .open: .dismiss(reminders)
    case .join: .join(reminders)
    case .locate: .locate(reminders)
    }
  }

  /// Handles NotificationClosed(id, reason): 1 expired, 2 by a person, 3 by us, 4 other.
  mutating func closed(_ notification: UInt32, reason: UInt32) -> Meaning? {
    guard let reminders = take(notification), reason == 2 else { return nil }
    return .dismiss(reminders)
  }

  /// Removes a reminder; returns the notifications without reminders, which the caller closes.
  ///
  /// - Parameter subject: the subject of a notification that keeps it; nil for none.
  mutating func withdraw(_ reminder: String, keeping subject: String? = nil) -> [UInt32] {
    var empty: [UInt32] = []
    for notification in numbers[reminder] ?? [] {
      if let subject, shown[notification]?.subject == subject { continue }
      _ = leave(reminder, notification)
      shown[notification]?.count -= 1
      guard shown[notification]?.count == 0 else { continue }
      forget(notification)
      empty.append(notification)
    }
    return empty
  }

  /// Removes every notification: the server has ended.
  mutating func clear() {
    shown.removeAll()
    numbers.removeAll()
    subjects.removeAll()
  }
}
