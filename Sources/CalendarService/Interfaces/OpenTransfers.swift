import CalendarBus
import DBus

/// An import or export that is under way.
final class Transfer {
  typealias Answer = (Result<[Value], CallError>) -> Void

  /// Whether the call was answered.
  private(set) var isOver = false
  /// Ends it with an error; whoever does the work sets what that takes. It answers at once, or once
  /// nothing is left of what was done.
  var giveUp: (CallError) -> Void = { _ in }
  fileprivate let caller: BusName?
  fileprivate var watch: Subscription?
  fileprivate var onAnswer: Answer?

  fileprivate init(of caller: BusName?) {
    self.caller = caller
    giveUp = { [unowned self] in answer(.failure($0)) }
  }

  /// Answers the call; the first answer counts.
  func answer(_ result: Result<[Value], CallError>) {
    isOver = true
    watch?.cancel()
    watch = nil
    giveUp = { _ in }
    onAnswer.take()?(result)
  }
}

/// The imports and exports that are under way. Each ends when its caller cancels it, and mostly
/// when that leaves the bus: a text whose sender is gone may be a part of what was meant.
final class OpenTransfers {
  private let connection: Connection
  private let log: Log
  private var all: [Transfer] = []

  init(connection: Connection, log: Log) {
    self.connection = connection
    self.log = log
  }

  /// How many there are.
  var count: Int { all.count }

  /// Takes note of a call that is answered later.
  ///
  /// - Parameter isWhole: whether all of what is to be done came with the call, so that its caller
  ///   may leave, as dbus-send does at once.
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
        transfer?.giveUp(CallError(.cancelled, "the caller has left the bus"))
      }
    } catch {
      log.error("the caller of a transfer cannot be watched: \(error)")
    }
  }

  /// Cancels those of a caller.
  ///
  /// - Returns: how many there were.
  func cancel(of caller: BusName?) -> Int {
    let own = all.filter { $0.caller == caller }
    for transfer in own {
      transfer.giveUp(CallError(.cancelled, "it was cancelled by its caller, with Transfer.Cancel"))
    }
    return own.count
  }
}
