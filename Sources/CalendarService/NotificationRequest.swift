import CalendarModel
import CivilTime
import DBus

/// What one notification shows, and for which reminders it stands.
struct NotificationContent {
  /// What there is one notification of; without spaces.
  let subject: String
  private(set) var reminders: [String]
  /// The only occurrence that it is of; nil of a digest.
  let single: Reminder?
  /// Whether there is something to hear: words that are brought up to date come silently.
  var isNew: Bool
  /// Made once it is known whether the server reads markup.
  let text: (_ markup: Bool) -> NotificationText

  /// Of one occurrence: each reminder of it that falls due comes in the place of the one before.
  ///
  /// - Parameter standing: what it stands for; nil: this reminder.
  init(
    _ reminder: Reminder, isNew: Bool, standingFor standing: [String]? = nil,
    text: @escaping (_ markup: Bool) -> NotificationText
  ) {
    subject = reminder.notificationSubject
    reminders = standing ?? [reminder.id]
    single = reminder
    self.isNew = isNew
    self.text = text
  }

  /// Of many that came at once.
  init(
    digest reminders: [Reminder], subject: String, isNew: Bool,
    text: @escaping (_ markup: Bool) -> NotificationText
  ) {
    self.subject = subject
    self.reminders = reminders.map(\.id)
    single = nil
    self.isNew = isNew
    self.text = text
  }

  /// Ends that it stands for a reminder; false where it stands for nothing any more.
  mutating func withdraw(_ reminder: String) -> Bool {
    reminders.removeAll { $0 == reminder }
    return !reminders.isEmpty
  }

  private static let digestMark = "digest:"

  /// The name of a digest that is new.
  static func subject(ofDigest reminders: [Reminder]) -> String {
    digestMark + (reminders.first?.id ?? "")
  }

  static func isDigest(_ subject: String) -> Bool { subject.hasPrefix(digestMark) }
}

extension Reminder {
  /// The same for all reminders of one occurrence, and for no others.
  var notificationSubject: String {
    ReminderKey(
      calendar: key.calendar, uid: key.uid, recurrenceID: key.recurrenceID, alarm: "",
      trigger: .earliest
    ).id
  }
}

/// A notification that is asked for and not yet up: what is taken off it
/// meanwhile is not shown, or not for long.
final class NotificationRequest {
  let content: NotificationContent
  /// The notification that it takes the place of; 0: none.
  let replaced: UInt32
  /// What is to be shown of the same subject as soon as this one is up.
  var next: NotificationContent?
  private let all: [String]
  private var wanted: Set<String>

  /// - Parameter others: what the notification that it replaces stands for besides.
  init(_ content: NotificationContent, replacing replaced: UInt32 = 0, others: [String] = []) {
    self.content = content
    self.replaced = replaced
    let own = Set(content.reminders)
    all = content.reminders + others.filter { !own.contains($0) }
    wanted = Set(all)
  }

  /// What it still stands for, in order.
  var reminders: [String] { all.filter(wanted.contains) }
  var isEmpty: Bool { wanted.isEmpty }
  /// Whether it was to stand for something, and that is over.
  var isOver: Bool { wanted.isEmpty && !all.isEmpty && next == nil }

  func withdraw(_ reminder: String) {
    wanted.remove(reminder)
    // A digest that tells of what was too old alone stands for nothing from the beginning.
    if next?.reminders.contains(reminder) ?? false, next?.withdraw(reminder) == false { next = nil }
  }
}

extension Message {
  /// The number of a notification and what is said of it; nil where it is no signal of a server.
  var notificationArguments: (number: UInt32, what: Value)? {
    guard let values = try? arguments(limits: .request), values.count == 2,
      let number = values[0].asInteger.flatMap(UInt32.init(exactly:))
    else { return nil }
    return (number, values[1])
  }
}
