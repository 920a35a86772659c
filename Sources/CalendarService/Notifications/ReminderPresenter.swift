import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Reminders

/// Presents due reminders: signals for programs, notifications for people.
final class ReminderPresenter: ReminderSink {
  private unowned let service: ReminderService
  /// nil if the settings turn notifications off.
  private let notifier: DesktopNotifier?
  /// How many too old reminders each digest counts, by its subject.
  private(set) var tooOld: [String: Int] = [:]
  /// The IDs of each digest that were shown before and are not counted, by its subject.
  private var earlier: [String: Set<String>] = [:]
  /// Whether the reminders shown now waited for a server.
  private var isServerLate = false
  /// The digests whose reminders waited for a server.
  private var serverLate: Set<String> = []
  /// How many digests there have been.
  private var digests = 0
  /// The digests that have lost reminders and wait for an update.
  private var shrunk: Set<String> = []

  init(_ service: ReminderService) {
    self.service = service
    notifier = service.notifier
  }

  func tell(_ reminder: Reminder, lateSeconds: Int64) {
    signal(reminder, lateSeconds: lateSeconds, isQuiet: false)
    show(reminder, isNew: true)
  }

  func signal(_ reminder: Reminder, lateSeconds: Int64, isQuiet: Bool) {
    emit(
      "ReminderDue", reminder,
      Row(
        detailsOf: reminder, late: lateSeconds, quiet: isQuiet,
        notified: !isQuiet && notifier?.isAvailable ?? false))
    service.hooks.run(
      .reminderDue, HookCall(due: reminder, lateSeconds: lateSeconds, isQuiet: isQuiet))
  }

  /// Signals that a reminder is pending again after it was reported as over.
  ///
  /// It makes no sound and runs no hook, since it was due before.
  ///
  /// - Parameter former: its ID then; nil if it is the same.
  func returned(_ reminder: Reminder, former: String?) {
    let (isQuiet, isSnoozed) = (service.quiet.isQuiet, reminder.state == .snoozed)
    let late = isSnoozed ? 0 : max(0, service.context.clock.now.seconds - reminder.due.seconds)
    emit(
      "ReminderReturned", reminder,
      Row(
        detailsOfReturned: reminder, former: former, late: late, quiet: isQuiet,
        notified: !isSnoozed && !isQuiet && notifier?.isAvailable ?? false))
  }

  private func emit(_ signal: MemberName, _ reminder: Reminder, _ details: Row) {
    service.bus.emit(
      Contract.remindersTable, signal,
      [
        .string(reminder.id), .string(reminder.key.uid.text),
        .string(reminder.isPrivate ? "" : reminder.summary),
        .int64(reminder.span.start.seconds), .int64(reminder.due.seconds),
        service.row(details, of: reminder).value,
      ])
  }

  /// Runs code that shows reminders on a new server.
  func showingLate(_ body: () -> Void) {
    isServerLate = true
    body()
    isServerLate = false
  }

  func tellDigest(_ digest: ReminderDigest) {
    // Without notifications the too old reminders count as shown.
    guard let notifier else {
      service.scheduler?.showed(missed: digest.tooOld)
      return
    }
    // A digest on the screen, also of an earlier agent, is updated in place.
    var formers: Set<String> = []
    var former: String?
    for subject in digest.reminders.lazy.compactMap({ notifier.subject(of: $0.id) })
    where NotificationContent.isDigest(subject) {
      former = former ?? subject
      formers.insert(subject)
    }
    if let former {
      let count = formers.reduce(0) { $0 + counted(in: $1) }
      tooOld[former] = count > 0 ? count : nil
    }
    let known = Set(former.map(notifier.reminders(of:)) ?? [])
    showDigest(
      withOthers(digest), subject: former,
      isNew: !digest.isHeard
        && (digest.tooOld > 0 || !digest.reminders.allSatisfy { known.contains($0.id) }))
  }

  /// Adds the reminders of a digest's occurrences that have a separate notification.
  ///
  /// They may be due before quiet time, for example. All reminders of an occurrence are then in one
  /// notification with one answer. A later reminder still gets a separate one, with a sound.
  private func withOthers(_ digest: ReminderDigest) -> ReminderDigest {
    guard let notifier, let scheduler = service.scheduler else { return digest }
    var digest = digest
    let count = digest.reminders.count
    var known = Set(digest.reminders.map(\.id))
    for subject in Set(digest.reminders.map(\.notificationSubject)) {
      for id in notifier.reminders(of: subject) where known.insert(id).inserted {
        guard let other = scheduler.pending(id: id), other.state == .delivered else { continue }
        digest.reminders.append(other)
        digest.earlier.insert(id)
      }
    }
    // Each place needs an ID, which is costly for thousands, so they are sorted only if needed.
    if digest.reminders.count > count {
      digest.reminders = digest.reminders.map { (place: PendingPlace(after: $0), reminder: $0) }
        .sorted { $0.place < $1.place }.map(\.reminder)
    }
    return digest
  }

  /// - Parameter digest: the digest, whose number of too old reminders is added to the former one.
  private func showDigest(_ digest: ReminderDigest, subject: String?, isNew: Bool) {
    guard let notifier else { return }
    digests += 1
    let subject =
      subject ?? NotificationContent.subject(ofDigest: digest.reminders, number: digests)
    // Forget the digests that are neither on the screen nor sent.
    tooOld = tooOld.filter { notifier.knows($0.key) }
    earlier = earlier.filter { notifier.knows($0.key) }
    serverLate = serverLate.filter(notifier.knows)
    if isServerLate { serverLate.insert(subject) }
    let waitedForServer = serverLate.contains(subject)
    let counted = digest.tooOld + counted(in: subject)
    tooOld[subject] = counted > 0 ? counted : nil
    earlier[subject] = digest.earlier
    let fresh = digest.reminders.filter { !digest.earlier.contains($0.id) }
    // An occurrence with a new reminder has a line already.
    let named = Set(fresh.lazy.map(\.key.ofOccurrence))
    let waiting = digest.reminders.filter {
      digest.earlier.contains($0.id) && !named.contains($0.key.ofOccurrence)
    }
    var content = NotificationContent(
      digest: digest.reminders, earlier: digest.earlier, tooOld: digest.tooOld, counted: counted,
      subject: subject, isNew: isNew
    ) { [unowned service] markup in
      NotificationText(
        digest: fresh, earlier: waiting, tooOld: counted, waitedForServer: waitedForServer,
        now: service.context.clock.now, zone: service.context.localZone, markup: markup,
        subject: service.subject)
    }
    content.isHeard = digest.isHeard
    notifier.show(content)
  }

  // MARK: Problems of the agent

  /// Reminders cannot be stored, and so are not delivered.
  private(set) lazy var ledgerFault = FaultNotice(
    NotificationContent.ledgerFault, quiet: service.quiet, notifier: notifier
  ) { NotificationText(ledgerFault: $0, markup: $1) }
  /// The database is damaged, or not the one at its path.
  private(set) lazy var databaseFault = FaultNotice(
    NotificationContent.databaseFault, quiet: service.quiet, notifier: notifier
  ) { NotificationText(databaseFault: $0, markup: $1) }

  /// What sources need of their user, by the subjects of the notifications.
  private var sourceNeeds: [String: FaultNotice] = [:]

  var faults: [FaultNotice] { [ledgerFault, databaseFault] + sourceNeeds.values }

  /// Shows what a source needs of its user, once for each need; nil: nothing any more.
  func sourceNeeds(_ need: String?, of id: String, named name: String) {
    let subject = NotificationContent.subject(ofSource: id)
    let notice =
      sourceNeeds[subject]
      ?? FaultNotice(subject, quiet: service.quiet, notifier: notifier) {
        NotificationText(source: name, needs: $0, markup: $1)
      }
    guard notice.reason != need || need == nil else { return }
    // An earlier agent may have left one on the screen.
    if notice.reason != nil || need == nil { notice.works() }
    sourceNeeds[subject] = need == nil ? nil : notice
    if let need { notice.fails(need) }
  }

  /// Shows an occurrence's notification again, silently, after an action that did not dismiss it.
  ///
  /// - Parameter ids: the IDs of its reminders.
  func keep(_ ids: [String]) {
    let waiting = ids.compactMap { service.scheduler?.pending(id: $0) }
      .filter { $0.state == .delivered }
    guard let first = waiting.first else { return }
    var content = NotificationContent(
      first, isNew: false, standingFor: waiting.map(\.id)
    ) { [unowned service] markup in service.notificationText(of: first, markup: markup) }
    content.isHeard = true
    notifier?.show(content)
  }

  /// Returns how many too old reminders a digest counts, also one of an earlier agent.
  private func counted(in subject: String) -> Int {
    tooOld[subject] ?? notifier?.tooOld(of: subject) ?? 0
  }

  func showAgain(_ reminder: Reminder, isNew: Bool, isHeard: Bool) {
    // A notification of its own would lose the digest's count of too old reminders.
    if let subject = notifier?.subject(of: reminder.id), NotificationContent.isDigest(subject),
      counted(in: subject) > 0
    {
      let earlier: Set<String> = isNew ? [] : [reminder.id]
      return tellDigest(ReminderDigest([reminder], earlier: earlier, isHeard: isHeard))
    }
    show(reminder, isNew: isNew && !isHeard, isHeard: isHeard)
  }

  /// Shows a refused notification after quiet time.
  func holdBack(_ content: NotificationContent) {
    switch content.subject {
    case NotificationContent.ledgerFault: return ledgerFault.isGone()
    case NotificationContent.databaseFault: return databaseFault.isGone()
    case let subject where NotificationContent.isFault(subject):
      sourceNeeds[subject]?.isGone()
      return
    default: break
    }
    service.scheduler?.showAgain(
      ids: content.reminders.inOrder, missed: content.tooOld, unseen: content.unseen)
  }

  private func show(_ reminder: Reminder, isNew: Bool, isHeard: Bool = false) {
    var content = NotificationContent(reminder, isNew: isNew) { [unowned service] markup in
      service.notificationText(of: reminder, markup: markup)
    }
    content.isHeard = isHeard
    notifier?.show(content)
  }

  func reword(_ reminders: [Reminder]) {
    guard let notifier else { return }
    var digests: Set<String> = []
    for reminder in reminders {
      guard let subject = notifier.subject(of: reminder.id) else { continue }
      guard NotificationContent.isDigest(subject) else {
        show(reminder, isNew: false)
        continue
      }
      // Once, however many of its reminders have changed.
      if digests.insert(subject).inserted { rewordDigest(subject) }
    }
  }

  /// Removes a reminder from the screen.
  ///
  /// Its digest is updated once for all reminders that are removed together.
  private func takeOff(_ reminder: Reminder) {
    guard let notifier else { return }
    let subject = notifier.subject(of: reminder.id)
    notifier.withdraw(reminder.id)
    guard let subject, NotificationContent.isDigest(subject) else { return }
    if shrunk.isEmpty {
      service.context.whenIdle { [weak self] in
        guard let self else { return }
        let subjects = shrunk.sorted()
        shrunk = []
        // A refused digest gets its text at the retry.
        for subject in subjects where !notifier.isRefused(subject) { rewordDigest(subject) }
      }
    }
    shrunk.insert(subject)
  }

  /// Updates the text of a digest without a sound, unless it has no pending reminders.
  func rewordDigest(_ subject: String) {
    let standing = (notifier?.reminders(of: subject) ?? []).compactMap {
      service.scheduler?.pending(id: $0)
    }
    if standing.isEmpty { return }
    showDigest(
      ReminderDigest(standing, earlier: earlier[subject] ?? []), subject: subject, isNew: false)
  }

  /// Subtracts reminders from digests that were too old only because of a wrong clock.
  func uncount(tooOld count: Int) {
    guard let notifier else { return }
    var rest = count
    for (subject, counted) in tooOld where rest > 0 && counted > 0 {
      let left = max(0, counted - rest)
      rest -= counted - left
      // 0, not nil, which would mean the former number on the screen.
      tooOld[subject] = left
      let standing = notifier.reminders(of: subject).compactMap {
        service.scheduler?.pending(id: $0)
      }
      if left == 0, standing.isEmpty {
        notifier.withdraw(subject: subject)
      } else {
        showDigest(
          ReminderDigest(standing, earlier: earlier[subject] ?? []), subject: subject, isNew: false)
      }
    }
  }

  func withdraw(_ reminder: Reminder, reason: WithdrawalReason) {
    takeOff(reminder)
    service.bus.emit(
      Contract.remindersTable, "ReminderDismissed",
      [
        .string(reminder.id), .string(reminder.key.uid.text), .string(reason.rawValue),
      ])
    if reason == .user { service.onDismissed?(reminder) }
  }

  func snoozed(_ reminder: Reminder) {
    takeOff(reminder)
    service.bus.emit(
      Contract.remindersTable, "ReminderSnoozed",
      [
        .string(reminder.id), .string(reminder.key.uid.text), .int64(reminder.due.seconds),
      ])
  }

  func pendingChanged(count: Int) {
    service.bus.changed(["PendingReminders"])
    service.onPendingChanged?()
  }
}
