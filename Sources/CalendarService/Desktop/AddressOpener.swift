import Platform

/// Opens web addresses that people click, with the program of the settings.
///
/// The agent may have been started at login, before there was a screen. So the variables of the
/// user's service manager override those of the agent. The agent's PATH, which may have the user's
/// own folders, counts only if the manager's does not have the program.
final class AddressOpener {
  private let words: [String]
  private let mapAddress: String
  private let environment: [String: String]
  private let manager: UserManager
  /// The manager's PATH in its last answer.
  private var managerPath: String?
  private let loop: EventLoop
  private let log: Log
  /// How many started programs are running.
  private(set) var count = 0

  /// - Parameters:
  ///   - words: the program, looked up in both PATHs, and its arguments before the address.
  ///   - mapAddress: the start of the address of a place on a map.
  ///   - environment: the agent's own.
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

  /// A program that fails after this many nanoseconds has probably shown a window.
  private static let patience: Int64 = 30_000_000_000

  /// Opens a web address.
  ///
  /// - Parameters:
  ///   - activationToken: lets the new window take the focus.
  ///   - onFailure: called soon after, if the program fails.
  func open(
    _ address: String, activationToken: String?, onFailure: @escaping () -> Void = {}
  ) {
    // The closure keeps the opener alive until the answer.
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
      log.warning(
        localized(
          "{address} could not be opened: there is no program {program} in PATH",
          ["address": address, "program": words[0]]))
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
          log.warning(
            localized(
              "{program} could not open {address}: {reason}",
              ["program": program, "address": address, "reason": end.text]))
          if SystemCalls.monotonicNanoseconds() - began < AddressOpener.patience { onFailure() }
        })
      count += 1
    } catch {
      log.warning(
        localized(
          "{address} could not be opened: {reason}",
          ["address": address, "reason": error.text]))
      onFailure()
    }
  }

  /// The program, and the PATH that has it, which the program gets; nil if neither has it.
  private var found: (program: String, path: String?)? {
    let own = environment["PATH"]
    for path in [managerPath ?? own, own] {
      if let program = program(named: words[0], path: path) { return (program, path) }
    }
    return nil
  }

  /// Why no address can be opened; nil if no problem is known.
  var problem: String? {
    found == nil
      ? localized(
        "Join and Open location do nothing: there is no program {program} in PATH",
        ["program": words[0]]) : nil
  }

  /// Opens a place on a map, or directly if it is a web address.
  func open(place: String, activationToken: String?) {
    let point = place.hasPrefix("geo:") ? String(place.dropFirst(4).prefix { $0 != ";" }) : place
    open(
      PlaceText.isAddress(place) ? place : mapAddress + percentEncoded(point),
      activationToken: activationToken)
  }
}

/// Returns text with all but the unreserved characters as percent escapes.
///
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
