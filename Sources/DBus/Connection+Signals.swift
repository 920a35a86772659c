import Messages

internal import CDBus

/// Selects the signals that a subscriber receives; a field that is nil matches all.
///
/// Source: D-Bus Specification, "Match Rules".
package struct MatchRule: Hashable, Sendable {
  /// The sender. A well-known name means its current owner.
  package var sender: BusName?
  /// The object that emits it.
  package var path: ObjectPath?
  /// The interface that declares it.
  package var interface: InterfaceName?
  /// The signal.
  package var member: MemberName?
  /// The first argument, which must be a string without an apostrophe.
  package var firstArgument: String?

  /// Makes a rule.
  package init(
    sender: BusName? = nil, path: ObjectPath? = nil, interface: InterfaceName? = nil,
    member: MemberName? = nil, firstArgument: String? = nil
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.firstArgument = firstArgument
  }

  /// The rule in the syntax of the bus.
  var text: String {
    var parts = ["type='signal'"]
    if let sender { parts.append("sender='\(sender)'") }
    if let path { parts.append("path='\(path)'") }
    if let interface { parts.append("interface='\(interface)'") }
    if let member { parts.append("member='\(member)'") }
    if let firstArgument { parts.append("arg0='\(firstArgument)'") }
    return parts.joined(separator: ",")
  }
}

/// A subscription to signals, until it is cancelled or its last reference is released.
package final class Subscription {
  private var onCancel: (() -> Void)?

  init(_ onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  deinit { cancel() }

  /// Ends the subscription.
  package func cancel() {
    let end = onCancel
    onCancel = nil
    end?()
  }
}

/// The subscriptions of one connection.
struct SubscriptionTable {
  struct Entry {
    var rule: MatchRule
    var handler: (Message) -> Void
    /// The owner of the rule's well-known sender.
    var owner: Owner = .anyone
  }

  /// What is known about the owner of a well-known sender.
  enum Owner: Equatable {
    /// The rule has no well-known sender, or the bus has not answered yet.
    case anyone
    case nobody
    case name(BusName)
  }

  var entries: [Int: Entry] = [:]
  private var last = 0

  mutating func add(_ rule: MatchRule, _ handler: @escaping (Message) -> Void) -> Int {
    last += 1
    entries[last] = Entry(rule: rule, handler: handler)
    return last
  }

  /// Returns the entries that match a signal, in the order in which they were added.
  ///
  /// Each rule is compared here, because the bus delivers a signal once however many rules it
  /// matches, and anybody may send us one that no rule asks for.
  func identifiers(matching message: Message) -> [Int] {
    guard !entries.isEmpty else { return [] }
    let (sender, path) = (message.sender, message.path)
    let (interface, member) = (message.interface, message.member)
    var first: String??
    return entries.filter { _, entry in
      let rule = entry.rule
      guard rule.path == nil || rule.path == path,
        rule.interface == nil || rule.interface == interface,
        rule.member == nil || rule.member == member
      else { return false }
      if let wanted = rule.sender, wanted != sender {
        if wanted.isUnique || wanted == .bus { return false }
        switch entry.owner {
        case .anyone: break
        case .nobody: return false
        case .name(let name): if name != sender { return false }
        }
      }
      guard let wanted = rule.firstArgument else { return true }
      if first == nil { first = .some((try? message.arguments(limits: .request))?.first?.asString) }
      return first == .some(wanted)
    }.keys.sorted()
  }
}

extension Connection {
  /// Subscribes to signals.
  ///
  /// Does not block. The bus takes requests in order, so no signal is missed that answers a call
  /// made after this.
  ///
  /// - Returns: The subscription, which ends when it is released.
  /// - Throws: `Disconnected`; `InvalidArgs` if the first argument contains an apostrophe or a NUL.
  package func subscribe(
    _ rule: MatchRule, _ handler: @escaping (Message) -> Void
  ) throws(DBusError) -> Subscription {
    try requireMatchable(rule)
    let identifier = subscriptions.add(rule, handler)
    dbus_bus_add_match(pointer, rule.text, nil)
    var ownerWatch: Subscription?
    if let sender = rule.sender, !sender.isUnique, sender != .bus {
      ownerWatch = try watchOwner(of: sender) { [weak self] owner in
        self?.subscriptions.entries[identifier]?.owner = owner.map { .name($0) } ?? .nobody
      }
    }
    return Subscription { [weak self] in
      ownerWatch?.cancel()
      guard let self else { return }
      self.subscriptions.entries[identifier] = nil
      if self.isConnected { dbus_bus_remove_match(self.pointer, rule.text, nil) }
    }
  }

  /// Reports the owner of a name: once when the bus answers, and then at each change.
  ///
  /// - Parameter handler: Gets the unique name of the owner, or nil while there is none.
  /// - Returns: The subscription, which ends when it is released.
  /// - Throws: `Disconnected`.
  package func watchOwner(
    of name: BusName, _ handler: @escaping (BusName?) -> Void
  ) throws(DBusError) -> Subscription {
    let changes = MatchRule(
      sender: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "NameOwnerChanged", firstArgument: name.text)
    let subscription = try subscribe(changes) { message in
      // Arguments: the name, its old owner, its new owner.
      guard let arguments = try? message.arguments(limits: .request), arguments.count == 3,
        let owner = arguments[2].asString
      else { return }
      handler(owner.isEmpty ? nil : BusName(unchecked: owner))
    }
    let question = try Message.call(
      .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner", [.string(name.text)])
    let pending = try call(question) { result in
      switch result {
      case .success(let reply):
        let owner = (try? reply.arguments(limits: .request))?.first?.asString
        handler(owner.map(BusName.init(unchecked:)))
      case .failure(let error) where error.name == .nameHasNoOwner: handler(nil)
      case .failure: break  // The bus is gone, and onDisconnect tells so.
      }
    }
    return Subscription {
      pending.cancel()
      subscription.cancel()
    }
  }

  /// Passes a signal to its subscribers, except those that an earlier handler has cancelled.
  func deliver(_ message: Message) {
    for identifier in subscriptions.identifiers(matching: message) {
      let handler = subscriptions.entries[identifier]?.handler
      handler?(message)
    }
  }

  private func requireMatchable(_ rule: MatchRule) throws(DBusError) {
    guard isConnected else {
      throw DBusError(.disconnected, UserText("the connection to the bus is closed"))
    }
    if let text = rule.firstArgument, text.utf8.contains(0) || text.utf8.contains(UInt8(ascii: "'"))
    {
      throw DBusError(.invalidArgs, "\u{201C}\(text)\u{201D} cannot be in a match rule")
    }
  }
}
