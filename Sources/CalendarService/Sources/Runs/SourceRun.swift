import CalendarBus
import CalendarStore
import CivilTime
import Platform
import Sync

/// One synchronisation of a source, from its secret to the last change that is sent.
///
/// For each calendar: ask what changed, decide whether its deletions are plausible, fetch and apply
/// what is new, then send what was changed here. The source's state is stored only together with
/// everything that it stands for, so a run may be broken off anywhere.
final class SourceRun {
  /// How a run ended.
  enum End {
    /// - Parameter refreshSeconds: when the source wants to be asked again; 0: it does not say.
    case succeeded(refreshSeconds: Int64)
    case failed(RemoteFailure)
    /// Nothing is deleted before the user says yes.
    case held(deletions: Int, known: Int)
  }

  let id: String
  let settings: SourceSettings
  let access: SourceAccess
  let conversation: RemoteConversation
  var tally = SourceTally()
  var progress = SourceProgress() { didSet { if progress != oldValue { onProgress(progress) } } }
  var onProgress: (SourceProgress) -> Void = { _ in }
  /// Since when reminders were dismissed that the source may not know of; nil: none was.
  var dismissed: Timestamp?
  /// Whether the source could not take one of those for now.
  var hasUntoldDismissals = false
  /// What the source called its calendars, by their hrefs.
  var seen: [String: SeenCalendar] = [:]
  /// Whether the source does not have all calendars any more that are here.
  var missesCalendar = false
  /// How many deletions the user has said yes to; once they are carried out, 0.
  var accepted: Int
  var sender: ItemSender?
  private var patience: Deadline?
  let discovers: Bool
  let relists: Bool
  private let onEnd: (SourceRun, End) -> Void
  /// Whether it has asked what changed there; what changes later may be missing in it.
  var hasAsked = false
  var remaining: [CollectionRow] = []
  var refreshSeconds: Int64 = 0
  private(set) var isOver = false

  /// How long the source may take for one answer.
  private static let patienceMilliseconds = 600_000
  /// How many items are applied in one change.
  static let itemsAtOnce = 100

  /// - Parameters:
  ///   - accepted: how many deletions the user has said yes to.
  ///   - discovers: whether to ask which calendars there are.
  ///   - relists: whether to ask for all that a calendar has, and not only for changes.
  ///   - onEnd: called once; not after ``stop()``.
  init(
    _ id: String, _ settings: SourceSettings, _ access: SourceAccess,
    _ conversation: RemoteConversation, accepted: Int, discovers: Bool,
    relists: Bool, onEnd: @escaping (SourceRun, End) -> Void
  ) {
    self.id = id
    self.settings = settings
    self.access = access
    self.conversation = conversation
    self.accepted = accepted
    self.discovers = discovers
    self.relists = relists
    self.onEnd = onEnd
  }

  func begin(secret: SourceSecret) {
    let place = settings.access(secret: secret, today: access.context.today)
    waitPatiently()
    ask(.open(place)) { [unowned self] _, _ throws(CallError) in
      guard !discovers else { return discover() }
      remaining = try SourceCalendars(id, settings, access).known()
      try nextCollection()
    }
  }

  /// Breaks it off.
  func stop() {
    isOver = true
    sender = nil
    if let patience { access.context.loop.cancel(patience) }
    conversation.stop()
  }

  func end(_ end: End) {
    guard !isOver else { return }
    stop()
    onEnd(self, end)
  }

  // MARK: Asking

  /// Asks, and continues with all answers; a failure ends the run unless `onFailure` takes it.
  func ask(
    _ request: RemoteRequest, onFailure: ((RemoteFailure) -> Void)? = nil,
    _ body: @escaping ([RemoteAnswer], RemoteListing?) throws(CallError) -> Void
  ) {
    var answers: [RemoteAnswer] = []
    conversation.ask(request, onAnswer: { answers.append($0) }) { [unowned self] result in
      waitPatiently()
      switch result {
      case .success(let listing): storing { () throws(CallError) in try body(answers, listing) }
      case .failure(let failure): (onFailure ?? { [unowned self] in end(.failed($0)) })(failure)
      }
    }
  }

  private func waitPatiently() {
    if let patience { access.context.loop.cancel(patience) }
    patience = access.context.loop.after(milliseconds: SourceRun.patienceMilliseconds) {
      [unowned self] in
      end(.failed(RemoteFailure(.offline, localized("no answer came within ten minutes"))))
    }
  }

  /// Runs what reads or writes the store; if that fails, the run ends, to be tried again.
  func storing(_ body: () throws(CallError) -> Void) {
    guard !isOver else { return }
    do throws(CallError) { try body() } catch {
      end(.failed(RemoteFailure(.local, error.message)))
    }
  }
}
