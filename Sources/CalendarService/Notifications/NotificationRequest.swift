import CalendarModel
import CivilTime
import DBus

/// The text and the reminders of one notification.
struct NotificationContent {
  /// The key of the notification, unique on the screen; without spaces.
  let subject: String
  private(set) var reminders: StandingReminders
  /// Its new reminders that were never shown.
  private(set) var unseen: Set<String>
  /// The reminder of its only occurrence; nil for a digest and a fault.
  let single: Reminder?
  /// Whether it makes a sound: an updated text does not.
  var isNew: Bool
  /// Whether it is shown again without a sound.
  ///
  /// This is after an action that does not dismiss it, or when its reminder is pending again.
  var isHeard = false
  /// How many reminders too old to be pending it counts that no shown digest has counted.
  private(set) var tooOld: Int
  /// How many too old reminders it counts in all.
  let counted: Int
  /// The refusals so far.
  var refusals = NotificationRefusals()
  /// Makes the text, once it is known whether the server reads markup.
  let text: (_ markup: Bool) -> NotificationText

  /// Makes the notification of one occurrence, in which each new reminder replaces the one before.
  ///
  /// - Parameter standing: its reminders; nil means this one.
  init(
    _ reminder: Reminder, isNew: Bool, standingFor standing: [String]? = nil,
    text: @escaping (_ markup: Bool) -> NotificationText
  ) {
    subject = reminder.notificationSubject
    let standing = standing ?? [reminder.id]
    reminders = StandingReminders(standing)
    unseen = isNew ? Set(standing) : []
    single = reminder
    (tooOld, counted) = (0, 0)
    self.isNew = isNew
    self.text = text
  }

  /// Makes a digest of many reminders that came at once.
  ///
  /// - Parameters:
  ///   - earlier: the IDs of those that were shown before.
  ///   - tooOld: how many too old reminders it counts that no shown digest has counted.
  ///   - counted: how many too old reminders it counts in all.
  init(
    digest reminders: [Reminder], earlier: Set<String> = [], tooOld: Int, counted: Int,
    subject: String, isNew: Bool,
    text: @escaping (_ markup: Bool) -> NotificationText
  ) {
    self.subject = subject
    let standing = reminders.map(\.id)
    self.reminders = StandingReminders(standing)
    unseen = isNew ? Set(standing).subtracting(earlier) : []
    single = nil
    (self.tooOld, self.counted) = (tooOld, counted)
    self.isNew = isNew
    self.text = text
  }

  /// Makes the notification of a problem of the agent, without reminders.
  ///
  /// - Parameter subject: see ``isFault(_:)``.
  init(
    fault subject: String, isNew: Bool, text: @escaping (_ markup: Bool) -> NotificationText
  ) {
    self.subject = subject
    reminders = StandingReminders([])
    unseen = []
    single = nil
    (tooOld, counted) = (0, 0)
    self.isNew = isNew
    self.text = text
  }

  /// Adds reminders that are on the screen already, after its own.
  mutating func stand(for others: [String]) { reminders.append(others) }

  /// Takes over the sound, counts and reminders of one of the same subject that was not shown.
  ///
  /// A digest has all its reminders already.
  mutating func replace(_ former: NotificationContent) {
    isNew = isNew || former.isNew
    tooOld += former.tooOld
    unseen.formUnion(former.unseen)
    if single != nil { stand(for: former.reminders.inOrder) }
  }

  /// Removes a reminder.
  mutating func withdraw(_ reminder: String) {
    reminders.remove(reminder)
    unseen.remove(reminder)
  }

  private static let digestMark = "digest:"

  /// Returns the subject of a new digest.
  ///
  /// - Parameter number: different each time, since it is the only key of digests that only count
  ///   missed reminders, which must not replace each other.
  static func subject(ofDigest reminders: [Reminder], number: Int) -> String {
    digestMark + (reminders.first?.id ?? "missed-\(number)")
  }

  /// The subject of the notification that reminders cannot be stored.
  static let ledgerFault = "ledger-fault"
  static let databaseFault = "database-fault"
  /// The subjects of the agent's own problems, without reminders.
  static let faults = [ledgerFault, databaseFault]

  private static let sourceMark = "source:"

  /// The subject of the notification that a source needs its user.
  static func subject(ofSource id: String) -> String { sourceMark + id }

  /// Whether a subject has no reminders: it is of the agent's own problems or of a source.
  static func isFault(_ subject: String) -> Bool {
    faults.contains(subject) || subject.hasPrefix(sourceMark)
  }

  static func isDigest(_ subject: String) -> Bool { subject.hasPrefix(digestMark) }
}

extension Reminder {
  /// The key of its notification: one for all reminders of an occurrence.
  var notificationSubject: String { key.ofOccurrence.id }
}

/// The reminders of a notification, in order, of which thousands may be removed one by one.
struct StandingReminders {
  private var all: [String] = []
  private var wanted: Set<String> = []

  init(_ reminders: [String]) { append(reminders) }

  /// The remaining reminders.
  var inOrder: [String] { all.filter(wanted.contains) }
  /// Whether no reminders remain.
  var isEmpty: Bool { wanted.isEmpty }
  /// Whether all reminders were removed; false for a digest that only counts too old ones.
  var isOver: Bool { wanted.isEmpty && !all.isEmpty }

  func contains(_ reminder: String) -> Bool { wanted.contains(reminder) }

  mutating func append(_ reminders: [String]) {
    for reminder in reminders where wanted.insert(reminder).inserted { all.append(reminder) }
  }

  mutating func remove(_ reminder: String) { wanted.remove(reminder) }
}

/// A notification that was sent but not shown yet, or that was refused and is retried.
final class NotificationRequest {
  private(set) var content: NotificationContent
  /// Whether its content is out of date.
  var isOutdated = false
  /// The notification that it replaces; 0 for none.
  let replaced: UInt32
  /// The content to show for the same subject after this one.
  var next: NotificationContent?
  /// Whether the server has refused it.
  private(set) var isRefused = false
  /// Its position in the order of creation.
  var place = 0
  /// The reminders by which ``NotificationRequests`` finds it.
  var foundBy: [String] = []

  init(_ content: NotificationContent, replacing replaced: UInt32 = 0) {
    self.content = content
    self.replaced = replaced
  }

  /// Whether it need not be shown any more.
  var isOver: Bool { next == nil && (isOutdated || content.reminders.isOver) }

  func stands(for reminder: String) -> Bool {
    content.reminders.contains(reminder) || next?.reminders.contains(reminder) ?? false
  }

  /// Records a refusal; ``next``, if there is one, replaces the content.
  func refuse(_ error: DBusError) {
    if var next {
      next.replace(content)
      next.refusals = content.refusals
      content = next
    }
    next = nil
    content.refusals.add(error)
    isRefused = true
  }

  /// Records that the refusal is in the log.
  func noteLogged() { content.refusals.isLogged = true }

  /// Restarts its retries: another reminder is due.
  func forgetRefusals() { content.refusals = NotificationRefusals() }

  func withdraw(_ reminder: String) {
    content.withdraw(reminder)
    next?.withdraw(reminder)
    if next?.reminders.isOver ?? false { next = nil }
  }
}

extension Message {
  /// The number of a notification and the second argument; nil for a malformed signal.
  var notificationArguments: (number: UInt32, what: Value)? {
    guard let values = try? arguments(limits: .request), values.count == 2,
      let number = values[0].asInteger.flatMap(UInt32.init(exactly:))
    else { return nil }
    return (number, values[1])
  }
}
