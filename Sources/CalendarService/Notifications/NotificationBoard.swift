import CalendarModel

/// Which notification on the screen stands for which reminders: decides what a
/// signal of the notification server means, and touches no bus.
///
/// A server tells of an action once or many times, closes a notification after
/// it or not, and sends signals of other programs' notifications along. So an
/// action counts once, a notification that we do not know is passed over, and a
/// close counts as seen only where a person did it and chose nothing before.
///
/// Source: Desktop Notifications Specification 1.2.
struct NotificationBoard {
  /// The actions that a notification has, by their keys on the bus.
  enum Action: Equatable {
    /// One of the steps of the settings, by its place.
    case snooze(Int)
    case dismiss
    /// A click on the notification itself: somebody has seen it.
    case open
    /// To the meeting.
    case join
    /// Where it is, on a map.
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

  /// What somebody did with the reminders of a notification.
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

  /// By the server's number.
  private var shown: [UInt32: Shown] = [:]
  /// The notifications that stand for a reminder. A digest has thousands of them,
  /// each of which may be answered elsewhere.
  private var numbers: [String: [UInt32]] = [:]

  /// The notification of each subject.
  private var subjects: [String: UInt32] = [:]

  private struct Shown {
    /// What there is one notification of: an occurrence, or a digest.
    var subject: String
    /// All that it stood for at first, in order.
    var reminders: [String]
    /// How many of them it still stands for.
    var count: Int
    /// How many more it counts that were too old to be told.
    var tooOld: Int
  }

  /// Takes down that a notification is on the screen.
  ///
  /// - Parameters:
  ///   - subject: what there is one notification of; "" where there may be several.
  ///   - tooOld: how many more it counts that were too old to be told.
  mutating func show(
    _ notification: UInt32, reminders: [String], subject: String = "", tooOld: Int = 0
  ) {
    _ = take(notification)
    shown[notification] = Shown(
      subject: subject, reminders: reminders, count: reminders.count, tooOld: tooOld)
    if !subject.isEmpty { subjects[subject] = notification }
    for reminder in reminders { numbers[reminder, default: []].append(notification) }
  }

  /// What a reminder is called that has gone along with its event.
  struct Name {
    let reminder: String
    /// What there is one notification of, where it is in no digest.
    let subject: String
  }

  /// Lets notifications stand for reminders under other names. Those of an occurrence are of the one that
  /// has gone from there, unless there is one of it.
  ///
  /// - Parameter names: by those of before.
  /// - Returns: what those reminders are called, and their notifications.
  mutating func rename(
    _ names: [String: Name]
  ) -> (reminders: Set<String>, notifications: [UInt32]) {
    let touched = Set(names.keys.flatMap { numbers[$0] ?? [] }).sorted()
    // One occurrence may go to where another one was.
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

  /// Returns the notification of a subject; nil where none is on the screen.
  func notification(of subject: String) -> UInt32? { subjects[subject] }

  /// Returns what a notification is the one of; nil for one that is not known.
  func subject(of notification: UInt32) -> String? { shown[notification]?.subject }

  /// Returns the subjects of the notifications that stand for a reminder.
  func subjects(of reminder: String) -> [String] {
    (numbers[reminder] ?? []).compactMap { shown[$0]?.subject }
  }

  /// What is on the screen and the next agent has to know of, by number: what stands for something, and
  /// that nothing can be told.
  var entries: [NotificationFile.Entry] {
    shown.keys.sorted().compactMap { number in
      let reminders = reminders(of: number) ?? []
      guard let subject = shown[number]?.subject,
        !reminders.isEmpty || NotificationContent.faults.contains(subject)
      else { return nil }
      return NotificationFile.Entry(
        number: number, subject: subject, tooOld: tooOld(of: subject), reminders: reminders)
    }
  }

  /// How many that were too old to be told the notification of a subject counts, where it is on the screen.
  func tooOld(of subject: String) -> Int {
    subjects[subject].flatMap { shown[$0]?.tooOld } ?? 0
  }

  /// Lets a notification go that is no longer the one of its subject.
  private mutating func forget(_ notification: UInt32) {
    guard let subject = shown.removeValue(forKey: notification)?.subject else { return }
    if subjects[subject] == notification { subjects[subject] = nil }
  }

  /// Returns what a notification still stands for, in order; nil for one that is not known.
  func reminders(of notification: UInt32) -> [String]? {
    shown[notification]?.reminders.filter { numbers[$0]?.contains(notification) ?? false }
  }

  /// Takes a notification off, and returns what it still stood for; nil for one
  /// that is not known.
  mutating func take(_ notification: UInt32) -> [String]? {
    guard let taken = shown[notification] else { return nil }
    forget(notification)
    return taken.reminders.filter { leave($0, notification) }
  }

  /// Ends that a notification stands for a reminder; false if it did not.
  private mutating func leave(_ reminder: String, _ notification: UInt32) -> Bool {
    guard var rest = numbers[reminder], let place = rest.firstIndex(of: notification) else {
      return false
    }
    rest.remove(at: place)
    numbers[reminder] = rest.isEmpty ? nil : rest
    return true
  }

  /// ActionInvoked(id, action). The notification stands for nothing after it, and
  /// is to be closed.
  mutating func invoked(_ notification: UInt32, _ action: String) -> Meaning? {
    guard let action = Action(key: action), let reminders = take(notification) else { return nil }
    return switch action {
    case .snooze(let step): .snooze(reminders, step: step)
    case .dismiss, .open: .dismiss(reminders)
    case .join: .join(reminders)
    case .locate: .locate(reminders)
    }
  }

  /// NotificationClosed(id, reason): 1 expired, 2 by a person, 3 by us, 4 other.
  mutating func closed(_ notification: UInt32, reason: UInt32) -> Meaning? {
    guard let reminders = take(notification), reason == 2 else { return nil }
    return .dismiss(reminders)
  }

  /// Takes a reminder off; returns the notifications that stand for nothing any
  /// more and are to be closed.
  ///
  /// - Parameter subject: what goes on to stand for it; nil: nothing.
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

  /// The server is gone, and with it every notification.
  mutating func clear() {
    shown.removeAll()
    numbers.removeAll()
    subjects.removeAll()
  }
}
