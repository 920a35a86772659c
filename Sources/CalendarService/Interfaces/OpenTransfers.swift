import CalendarBus
import DBus
import Platform

/// A running import or export.
final class Transfer {
  typealias Answer = (Result<[Value], CallError>) -> Void

  /// Whether the call was answered.
  private(set) var isOver = false
  /// Ends it with an error, at once or after the work is rolled back; set by the code that works.
  var giveUp: (CallError) -> Void = { _ in }
  fileprivate let caller: BusName?
  fileprivate var watch: Subscription?
  fileprivate var onAnswer: Answer?

  fileprivate init(of caller: BusName?) {
    self.caller = caller
    giveUp = { [unowned self] in answer(.failure($0)) }
  }

  /// Answers the call; later answers are ignored.
  func answer(_ result: Result<[Value], CallError>) {
    isOver = true
    watch?.cancel()
    watch = nil
    giveUp = { _ in }
    onAnswer.take()?(result)
  }
}

/// The running imports and exports.
///
/// Each ends when its caller cancels it, and usually when the caller leaves the bus, since the text
/// may then be incomplete.
final class OpenTransfers {
  private let connection: Connection
  private let log: Log
  private var all: [Transfer] = []

  init(connection: Connection, log: Log) {
    self.connection = connection
    self.log = log
  }

  /// How many transfers are running.
  var count: Int { all.count }

  /// Adds a transfer for a call that is answered later.
  ///
  /// - Parameter isWhole: whether the call has all the data, so that its caller may leave, as
  ///   dbus-send does at once.
  func begin(
    _ call: CallArguments, isWhole: Bool = false, _ answer: @escaping Transfer.Answer
  ) -> Transfer {
    let transfer = Transfer(of: call.caller)
    transfer.onAnswer = { [weak self, unowned transfer] result in
      self?.all.removeAll { $0 === transfer }
      answer(result)
    }
    all.append(transfer)
    if !isWhole, let caller = call.caller { watch(caller, for: transfer) }
    return transfer
  }

  private func watch(_ caller: BusName, for transfer: Transfer) {
    do throws(DBusError) {
      transfer.watch = try connection.watchOwner(of: caller) { [weak transfer] owner in
        guard owner == nil else { return }
        transfer?.giveUp(CallError(.cancelled, localized("the caller left the bus")))
      }
    } catch {
      log.error(
        localized(
          "an import or export continues even if its caller leaves the bus: {reason}",
          ["reason": error.text]))
    }
  }

  /// Cancels the transfers of a caller.
  ///
  /// - Returns: how many it cancelled.
  func cancel(of caller: BusName?) -> Int {
    let own = all.filter { $0.caller == caller }
    for transfer in own {
      transfer.giveUp(CallError(.cancelled, localized("cancelled by its caller")))
    }
    return own.count
  }
}
