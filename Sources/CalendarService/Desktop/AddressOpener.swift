import Platform

/// Opens addresses for people: with the program of the settings, as what they have clicked.
///
/// The agent may have been started before there was a screen, at the login: where the session has a manager
/// that knows better what programs begin with, its variables come before those of the agent. Only where its PATH does
/// not have the program the agent's counts, which may be that of a compositor with folders of the user's own.
final class AddressOpener {
  private let words: [String]
  private let mapAddress: String
  private let environment: [String: String]
  private let manager: UserManager
  /// The manager's, as it was when it was asked last.
  private var managerPath: String?
  private let loop: EventLoop
  private let log: Log
  /// How many programs run that were started and are still listened to.
  private(set) var count = 0

  /// - Parameters:
  ///   - words: the program, looked up in either PATH, and what stands before the address.
  ///   - mapAddress: what the address of a place begins with.
  ///   - environment: that of the agent's start.
  init(
    words: [String], mapAddress: String, environment: [String: String], manager: UserManager,
    loop: EventLoop, log: Log
  ) {
    self.words = words
    self.mapAddress = mapAddress
    self.environment = environment
    self.manager = manager
    self.loop = loop
    self.log = log
  }

  /// A program that fails after so many nanoseconds has had a window by then.
  private static let patience: Int64 = 30_000_000_000

  /// Opens an address of the web.
  ///
  /// - Parameters:
  ///   - activationToken: lets the window that comes take the focus.
  ///   - onFailure: called where nothing comes, soon after.
  func open(
    _ address: String, activationToken: String?, onFailure: @escaping () -> Void = {}
  ) {
    // An address that waits for this keeps the opener.
    manager.environment(over: environment, isHurried: false) { [self] current, path in
      managerPath = path
      var variables = current
      variables["XDG_ACTIVATION_TOKEN"] = activationToken
      open(address, in: variables, onFailure: onFailure)
    }
  }

  private func open(
    _ address: String, in environment: [String: String], onFailure: @escaping () -> Void
  ) {
    guard let (program, path) = found else {
      log.warning("\(address) cannot be opened: there is no program \(words[0]) in PATH")
      return onFailure()
    }
    var environment = environment
    environment["PATH"] = path
    let began = SystemCalls.monotonicNanoseconds()
    do throws(SystemError) {
      _ = try ChildProcess(
        program, arguments: words.dropFirst() + [address], environment: environment,
        directory: "/", input: [], milliseconds: nil, on: loop, onLine: { _ in },
        onEnd: { [weak self, log] end in
          self?.count -= 1
          if end == .exited(0) { return }
          log.warning("\(program) could not open \(address): \(end)")
          if SystemCalls.monotonicNanoseconds() - began < AddressOpener.patience { onFailure() }
        })
      count += 1
    } catch {
      log.warning("\(address) cannot be opened: \(error)")
      onFailure()
    }
  }

  /// The program and the PATH that has it, with which it begins; nil where none has.
  private var found: (program: String, path: String?)? {
    let own = environment["PATH"]
    for path in [managerPath ?? own, own] {
      if let program = program(named: words[0], path: path) { return (program, path) }
    }
    return nil
  }

  /// Why no address can be opened; nil where nothing is known to be wrong.
  var problem: String? {
    found == nil
      ? "Join and Open location do nothing: there is no program \(words[0]) in PATH" : nil
  }

  /// Looks a place up on a map; one that is an address itself is opened.
  func open(place: String, activationToken: String?) {
    let point = place.hasPrefix("geo:") ? String(place.dropFirst(4).prefix { $0 != ";" }) : place
    open(
      PlaceText.isAddress(place) ? place : mapAddress + percentEncoded(point),
      activationToken: activationToken)
  }
}

/// Source: RFC 3986 section 2.3, unreserved characters.
func percentEncoded(_ text: String) -> String {
  let digits = Array("0123456789ABCDEF")
  return text.utf8.reduce(into: "") { encoded, octet in
    let character = Character(UnicodeScalar(octet))
    if octet < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
      encoded.append(character)
    } else {
      encoded += ["%", digits[Int(octet >> 4)], digits[Int(octet & 15)]]
    }
  }
}
