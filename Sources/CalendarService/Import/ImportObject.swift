import CalendarBus
import CalendarModel
import CalendarStore
import DBus
import ICalendar
import Platform

/// The import methods of the interface org.datebook.Calendar1.Transfer.
final class ImportObject {
  private let access: TransferAccess

  init(access: TransferAccess) {
    self.access = access
  }

  /// The most imports at a time: each has its text in memory.
  private static let maximumImports = 4

  /// How many descriptors are being read now.
  private var readings = 0
  /// The running import, and those that wait for it.
  private var runs: [Waiting] = []
  /// The running import, the first of ``runs``.
  private var current: ImportRun?

  private struct Waiting {
    var bytes: [UInt8]
    let request: ImportRequest
    let transfer: Transfer
  }

  // MARK: Methods

  func importText(
    _ call: CallArguments, answer: @escaping (Result<[Value], CallError>) -> Void
  ) throws(CallError) {
    let request = try ImportRequest(
      format: nil, calendar: try access.agenda.writableCalendar(call.text(1)),
      isCalendarGiven: !call.text(1).isEmpty, mode: call.text(2), isDryRun: false)
    try checkRoom()
    run(Array(call.text(0).utf8), request, access.transfers.begin(call, isWhole: true, answer))
  }

  /// The method Import, which reads a descriptor to its end while other calls are answered.
  func importDescriptor(
    _ call: CallArguments, answer: @escaping (Result<[Value], CallError>) -> Void
  ) throws(CallError) {
    guard case .fileDescriptor(let descriptor) = call.values[0] else {
      throw CallError(
        .invalidArguments, about: "fd", localized("no file descriptor came with the call"))
    }
    let options = try call.options(
      4, "options",
      [
        (.dryRun, ["b"]), (.name, ["s"]), (.color, ["s"]), (.byCalendar, ["b"]),
        (.ownCalendars, ["b"]), (.progress, ["b"]),
      ])
    let request = try ImportRequest(
      format: try ImportFormat.named(call.text(1)),
      calendar: try access.agenda.writableCalendar(call.text(2)),
      isCalendarGiven: !call.text(2).isEmpty,
      mode: call.text(3), isDryRun: options.flag(.dryRun),
      folder: try ImportObject.folder(options), countsCalendars: options.flag(.byCalendar),
      makesOwn: options.flag(.ownCalendars),
      onProgress: options.flag(.progress) ? call.caller.map(teller) : nil)
    try checkRoom()
    var transfer: Transfer?
    let reader = try access.descriptors.read(descriptor) { [unowned self] result in
      readings -= 1
      guard let transfer else { return }
      switch result {
      case .success(let bytes): run(bytes, request, transfer)
      case .failure(let error): transfer.answer(.failure(error))
      }
    }
    readings += 1
    let begun = access.transfers.begin(call, answer)
    transfer = begun
    begun.giveUp = { [unowned self, unowned begun] error in
      reader.cancel()
      readings -= 1
      begun.answer(.failure(error))
    }
  }

  /// Returns a function that sends the progress of an import to its caller.
  private func teller(of caller: BusName) -> (_ percent: Int, _ events: UInt32) -> Void {
    { [access] percent, events in
      access.changes.bus.emit(
        Contract.transferTable, "ImportProgress", [.uint32(UInt32(percent)), .uint32(events)],
        to: caller)
    }
  }

  /// Returns the name and color of the folder that a text comes from; nil for none.
  private static func folder(_ options: Row) throws(CallError) -> CalendarHead? {
    let name = options.text(.name)
    if name.isEmpty { return nil }
    // It has no position in the text.
    var head = CalendarHead(line: 0)
    head.column = 0
    head.name = try CalendarComposer.name(name)
    head.id = head.name
    let color = options.text(.color)
    if !color.isEmpty { head.color = try CalendarComposer.color(named: color) }
    return head
  }

  private func checkRoom() throws(CallError) {
    let count = readings + runs.count { !$0.transfer.isOver }
    guard count < ImportObject.maximumImports else {
      throw CallError(
        .busy,
        localized(
          count, one: "{count} import is already running; try again when it has ended",
          other: "{count} imports are already running; try again when one has ended"))
    }
  }

  // MARK: The work

  private func run(_ bytes: [UInt8], _ request: ImportRequest, _ transfer: Transfer) {
    // While it waits there is nothing to roll back.
    transfer.giveUp = { [unowned transfer] in transfer.answer(.failure($0)) }
    runs.append(Waiting(bytes: bytes, request: request, transfer: transfer))
    // Only one import runs at a time.
    if runs.count == 1 { goOn() } else { access.staging.resume() }
  }

  /// Continues with an import whose rollback has failed.
  func resume() { goOn() }

  private func goOn() {
    access.context.whenIdle { [weak self] in
      guard let self, !runs.isEmpty else { return }
      switch step() {
      case .goesOn: break
      case .waits:
        waitForMore()
        return
      case .isOver:
        current = nil
        runs.removeFirst()
        if runs.isEmpty { return tidyUpLater() }
      }
      goOn()
    }
  }

  private func waitForMore() {
    if let current {
      if let obstacle = current.obstacle {
        access.staging.interrupt(.imports(self))
        refuse(after: 1, obstacle)
      } else {
        current.whenThereIsMore { [weak self] in self?.goOn() }
      }
      return
    }
    access.staging.waitForEnd { [weak self] failure in
      guard let failure else { return self?.goOn() ?? () }
      self?.refuse(after: 0, failure)
    }
    access.staging.resume()
  }

  /// Refuses the imports that would wait until the store can be written again.
  ///
  /// - Parameter first: how many imports, from the first one, are not refused.
  private func refuse(after first: Int, _ error: CallError) {
    let refused = runs[first...]
    runs.removeSubrange(first...)
    for waiting in refused { waiting.transfer.answer(.failure(error)) }
  }

  /// Does a batch of the first import.
  private func step() -> ImportRun.Progress {
    if let current { return current.step() }
    let first = runs[0]
    if first.transfer.isOver { return .isOver }
    // Even a dry run depends on the present events of the store.
    if access.storage.current?.isStaging ?? false { return .waits }
    do throws(CallError) {
      let run = try ImportRun(
        first.bytes, try first.request.now(access), access: access, first.transfer.answer)
      current = run
      first.transfer.giveUp = { [weak run] in run?.giveUp($0) }
      runs[0].bytes = []
      return run.step()
    } catch {
      first.transfer.answer(.failure(error))
      return .isOver
    }
  }

  /// Gives up all imports: their store is being closed.
  func abandon(_ error: CallError) {
    let given = runs
    runs = []
    current = nil
    for waiting in given { waiting.transfer.answer(.failure(error)) }
  }

  // MARK: Afterwards

  /// The wait before tidying up: signals and the snapshot come first.
  private static let restMilliseconds = 100

  /// Tidies up when no import is left.
  private func tidyUpLater() {
    access.context.loop.after(milliseconds: ImportObject.restMilliseconds) { [weak self] in
      guard let self, runs.isEmpty else { return }
      access.storage.current?.tidyJournal()
      // An import of a large file uses many times its size in memory.
      access.context.whenIdle { SystemCalls.releaseMemoryOfThreads() }
    }
  }
}
