import CalendarModel
import CivilTime
import DBus

/// The text and the reminders of one notification.
struct NotificationContent {
  /// The key of the notification, which exists once; without spaces.
  let subject: String
  private(set) var reminders: StandingReminders
  /// Its new reminders that were never shown.
  private(set) var unseen: Set<String>
  /// The reminder of its only occurrence; nil for a digest and a fault.
  let single: Reminder?
  /// Whether it makes a sound: an updated text does not.
  var isNew: Bool
  /// Whether it is shown again without a sound: after an action that does not dismiss it, or
  /// because its reminder was over and is pending again.
  var isHeard = false
  /// How many reminders a digest counts that are too old to be pending and were in none that was
  /// shown.
  private(set) var tooOld: Int
  /// How many too old reminders it counts in all, with those that were shown.
  let counted: Int
  /// Its refusals so far.
  var refusals = NotificationRefusals()
  /// Made once it is known whether the server reads markup.
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
  ///   - earlier: those of them that were shown before.
  ///   - tooOld, counted: how many too old reminders it counts: those never shown, and all.
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
  /// - Parameter subject: one of ``faults``.
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

  /// Replaces a notification of the same subject that was not shown: it takes over its sound,
  /// counts and unseen reminders. A digest has all its reminders already.
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
  /// - Parameter number: a different one each time: digests that only count missed reminders have
  ///   no other key, and must not replace each other.
  static func subject(ofDigest reminders: [Reminder], number: Int) -> String {
    digestMark + (reminders.first?.id ?? "missed-\(number)")
  }

  /// The subject of the notification that reminders cannot be stored.
  static let ledgerFault = "ledger-fault"
  static let databaseFault = "database-fault"
  /// The subjects without reminders.
  static let faults = [ledgerFault, databaseFault]

  static func isDigest(_ subject: String) -> Bool { subject.hasPrefix(digestMark) }
}

extension Reminder {
  /// The same for all reminders of one occurrence, and for no others.
  var notificationSubject: String { key.ofOccurrence.id }
}

/// The reminders of a notification, in order: those of a digest may be thousands, each of which may
/// be removed separately.
struct StandingReminders {
  private var all: [String] = []
  private var wanted: Set<String> = []

  init(_ reminders: [String]) { append(reminders) }

  /// The remaining reminders.
  var inOrder: [String] { all.filter(wanted.contains) }
  /// Whether there are no reminders, or none any more.
  var isEmpty: Bool { wanted.isEmpty }
  /// Whether there were reminders and all are removed: a digest that only counts too old reminders
  /// has none from the beginning.
  var isOver: Bool { wanted.isEmpty && !all.isEmpty }

  func contains(_ reminder: String) -> Bool { wanted.contains(reminder) }

  mutating func append(_ reminders: [String]) {
    for reminder in reminders where wanted.insert(reminder).inserted { all.append(reminder) }
  }

  mutating func remove(_ reminder: String) { wanted.remove(reminder) }
}

/// A notification that was sent but not shown yet, or that was refused and is retried. Reminders
/// removed meanwhile are not shown, or not for long.
final class NotificationRequest {
  private(set) var content: NotificationContent
  /// Whether its content is out of date.
  var isOutdated = false
  /// The notification that it replaces; 0 for none.
  let replaced: UInt32
  /// What to show for the same subject after this one.
  var next: NotificationContent?
  /// Whether the server has refused it.
  private(set) var isRefused = false
  /// Its place in the order of creation.
  var place = 0
  /// Under which reminders ``NotificationRequests`` has it.
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

  /// Records a refusal: the content that was to follow replaces this one.
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
