import CalendarModel
import CivilTime
import DBus

/// What one notification shows, and for which reminders it stands.
struct NotificationContent {
  /// What there is one notification of; without spaces.
  let subject: String
  private(set) var reminders: StandingReminders
  /// Those of its reminders that are to be heard and that nothing has shown before.
  private(set) var unseen: Set<String>
  /// The only occurrence that it is of; nil of a digest and of a fault.
  let single: Reminder?
  /// Whether there is something to hear: words that are brought up to date come silently.
  var isNew: Bool
  /// Whether it comes again without a sound: somebody has just done something with it that does not end it, or
  /// what it is of was over and waits again.
  var isHeard = false
  /// How many more a digest counts that are too old to be pending, and are in none that has come up.
  private(set) var tooOld: Int
  /// How many it counts in all that are too old, those among them that have come up.
  let counted: Int
  /// What has become of it so far, where it was refused.
  var refusals = NotificationRefusals()
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
    let standing = standing ?? [reminder.id]
    reminders = StandingReminders(standing)
    unseen = isNew ? Set(standing) : []
    single = reminder
    (tooOld, counted) = (0, 0)
    self.isNew = isNew
    self.text = text
  }

  /// Of many that came at once.
  ///
  /// - Parameters:
  ///   - earlier: those of them that were shown before.
  ///   - tooOld, counted: how many more it counts that are too old: those that are in none that has come up, and all.
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

  /// Of none: it says what is wrong with the agent.
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

  /// Lets it stand for others as well, behind its own; they are on the screen already.
  mutating func stand(for others: [String]) { reminders.append(others) }

  /// Takes the place of what was to be shown of the same subject, and has not been: what was to be heard
  /// is to be still, and what it counted is counted, and nobody has seen what nobody had. A digest names all that
  /// it stands for.
  mutating func replace(_ former: NotificationContent) {
    isNew = isNew || former.isNew
    tooOld += former.tooOld
    unseen.formUnion(former.unseen)
    if single != nil { stand(for: former.reminders.inOrder) }
  }

  /// Ends that it stands for a reminder.
  mutating func withdraw(_ reminder: String) {
    reminders.remove(reminder)
    unseen.remove(reminder)
  }

  private static let digestMark = "digest:"

  /// The name of a digest that is new.
  ///
  /// - Parameter number: another one for each: those that only count what was missed have nothing else
  ///   to be known by, and do not take the place of each other.
  static func subject(ofDigest reminders: [Reminder], number: Int) -> String {
    digestMark + (reminders.first?.id ?? "missed-\(number)")
  }

  /// The name of the one that says that nothing can be told.
  static let ledgerFault = "ledger-fault"
  static let databaseFault = "database-fault"
  /// The subjects that are of no reminder.
  static let faults = [ledgerFault, databaseFault]

  static func isDigest(_ subject: String) -> Bool { subject.hasPrefix(digestMark) }
}

extension Reminder {
  /// The same for all reminders of one occurrence, and for no others.
  var notificationSubject: String { key.ofOccurrence.id }
}

/// What a notification stands for, in order: of a digest thousands, each of which may go by itself.
struct StandingReminders {
  private var all: [String] = []
  private var wanted: Set<String> = []

  init(_ reminders: [String]) { append(reminders) }

  /// What it still stands for.
  var inOrder: [String] { all.filter(wanted.contains) }
  /// Whether it stands for nothing, or nothing any more.
  var isEmpty: Bool { wanted.isEmpty }
  /// Whether it was to stand for something, and that is over: a digest that tells of what was too old
  /// alone stands for nothing from the beginning.
  var isOver: Bool { wanted.isEmpty && !all.isEmpty }

  func contains(_ reminder: String) -> Bool { wanted.contains(reminder) }

  mutating func append(_ reminders: [String]) {
    for reminder in reminders where wanted.insert(reminder).inserted { all.append(reminder) }
  }

  mutating func remove(_ reminder: String) { wanted.remove(reminder) }
}

/// A notification that is asked for and not yet up, or that was refused and is tried again: what is
/// taken off it meanwhile is not shown, or not for long.
final class NotificationRequest {
  private(set) var content: NotificationContent
  /// Whether what it shows is not so any more.
  var isOutdated = false
  /// The notification that it takes the place of; 0: none.
  let replaced: UInt32
  /// What is to be shown of the same subject as soon as this one is up.
  var next: NotificationContent?
  /// Whether it is not under way any more.
  private(set) var isRefused = false
  /// Of two the one that was made later has the greater.
  var place = 0
  /// Under which reminders ``NotificationRequests`` has it.
  var foundBy: [String] = []

  init(_ content: NotificationContent, replacing replaced: UInt32 = 0) {
    self.content = content
    self.replaced = replaced
  }

  /// Whether it was to stand for something, and that is over.
  var isOver: Bool { next == nil && (isOutdated || content.reminders.isOver) }

  func stands(for reminder: String) -> Bool {
    content.reminders.contains(reminder) || next?.reminders.contains(reminder) ?? false
  }

  /// Takes note that it was refused: what was to follow on it is wanted in its place.
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

  /// Says that a line in the log tells of it.
  func noteLogged() { content.refusals.isLogged = true }

  /// Lets it begin anew: something else has fallen due.
  func forgetRefusals() { content.refusals = NotificationRefusals() }

  func withdraw(_ reminder: String) {
    content.withdraw(reminder)
    next?.withdraw(reminder)
    if next?.reminders.isOver ?? false { next = nil }
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
