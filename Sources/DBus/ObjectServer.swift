/// Answers the method calls of a connection from the interfaces registered at its objects.
///
/// Each object also has `org.freedesktop.DBus.Introspectable` and `…Properties`; the paths above it
/// have the former, so that a tree can be walked from `/`. libdbus answers `…Peer` for every path.
/// Each call gets exactly one reply.
package final class ObjectServer {
  private let connection: Connection
  private var objects: [ObjectPath: [BoundInterface]] = [:]

  /// Takes over the method calls of a connection, and keeps it alive.
  package init(_ connection: Connection) {
    self.connection = connection
    connection.onMethodCall = { [weak self] message in
      guard let self else { return false }
      self.answer(message)
      return true
    }
  }

  deinit { connection.onMethodCall = nil }

  /// Registers an object at a path; an interface with unbound members is a programming error.
  package func register(_ path: ObjectPath, _ interfaces: [BoundInterface]) {
    for interface in interfaces {
      let unbound = interface.unbound.map(\.text).joined(separator: ", ")
      precondition(unbound.isEmpty, "\(interface.table.name): nothing bound to \(unbound)")
    }
    objects[path] = interfaces
  }

  /// Emits a signal of a table.
  ///
  /// - Throws: `Failed` if the table has no such signal with these types; see also
  ///   ``Connection/emit(_:_:_:_:to:)``.
  package func emit(
    _ path: ObjectPath, _ table: InterfaceTable, _ signal: MemberName, _ arguments: [Value],
    to destination: BusName? = nil
  ) throws(DBusError) {
    let given = arguments.map(\.signature.text).joined()
    guard let row = table.signal(signal), row.signature.text == given else {
      throw DBusError(
        .failed, "\(table.name) has no signal \(signal) with \u{201C}\(given)\u{201D}")
    }
    try connection.emit(path, table.name, signal, arguments, to: destination)
  }

  /// Emits PropertiesChanged for changed properties, each in the way its table specifies.
  ///
  /// Nothing is emitted if none of them announces its changes.
  ///
  /// - Throws: `UnknownObject`, `UnknownInterface` or `UnknownProperty`; an error of a getter; see
  ///   also ``Connection/emit(_:_:_:_:to:)``.
  package func propertiesChanged(
    _ path: ObjectPath, _ interface: InterfaceName, _ names: [MemberName]
  ) throws(DBusError) {
    let bound = try self.interface(interface, at: path)
    var changed: [(String, Value)] = []
    var invalidated: [String] = []
    for name in names {
      guard let property = bound.table.property(name) else {
        throw DBusError(.unknownProperty, "\(interface) has no property \(name)")
      }
      switch property.emits {
      case .value: changed.append((name.text, try bound.value(of: name)))
      case .invalidates: invalidated.append(name.text)
      case .const, .never: break
      }
    }
    if changed.isEmpty && invalidated.isEmpty { return }
    try connection.emit(
      path, StandardInterfaces.properties.name, "PropertiesChanged",
      [.string(interface.text), .row(changed), .strings(invalidated)])
  }

  // MARK: Routing

  private func answer(_ message: Message) {
    guard let path = message.path, let member = message.member else { return }
    let what = (message.interface.map { "\($0)." } ?? "") + member.text
    do throws(DBusError) {
      let target = try route(path, message.interface, member)
      try target.method.check(message.signature)
      guard let arguments = try arguments(of: message) else { return }
      let responder = Responder(
        try message.withoutDescriptors(), what, returning: target.method.outputSignature,
        over: connection)
      do throws(DBusError) {
        let call = MethodCall(
          target.method, path: path, arguments: arguments, responder: responder)
        switch try target.handler(call) {
        case .reply(let values): responder.succeed(values)
        case .rows(let rows, let rest): responder.succeed(rows, rest)
        case .later: break
        }
      } catch {
        responder.fail(error)
      }
    } catch {
      Responder(message, what, returning: .empty, over: connection).fail(error)
    }
  }

  /// Reads the arguments of a call; nil if they are too long, in which case it is refused later.
  private func arguments(of message: Message) throws(DBusError) -> [Value]? {
    var reader = MessageReader(message, limits: .request)
    do throws(DBusError) {
      return try reader.readAll()
    } catch  where error.name == .limitsExceeded {
      connection.refuseLate(message, error, octets: reader.textOctets)
      return nil
    }
  }

  private typealias Target = (method: InterfaceTable.Method, handler: BoundInterface.Handler)

  private func route(
    _ path: ObjectPath, _ interface: InterfaceName?, _ member: MemberName
  ) throws(DBusError) -> Target {
    let bound = objects[path]
    guard bound != nil || objects.keys.contains(where: { path.child(towards: $0) != nil }) else {
      throw DBusError(.unknownObject, "there is no object at \(path)")
    }
    // Without an interface, the first one with that member is used; ours before the standard ones.
    for candidate in bound ?? [] where interface == nil || interface == candidate.table.name {
      if let method = candidate.methods[member], let handler = candidate.handlers[member] {
        return (method, handler)
      }
    }
    for table in bound == nil ? [StandardInterfaces.introspectable] : StandardInterfaces.served
    where interface == nil || interface == table.name {
      if let method = table.method(member), let handler = standardHandler(member) {
        return (method, handler)
      }
    }
    let known = (bound ?? []).map(\.table.name) + StandardInterfaces.served.map(\.name)
    if let interface, !known.contains(interface) {
      throw DBusError(.unknownInterface, "the object \(path) has no interface \(interface)")
    }
    let place = interface.map { "the interface \($0)" } ?? "the object \(path)"
    throw DBusError(.unknownMethod, "\(place) has no method \(member)")
  }

  private func interface(
    _ name: InterfaceName, at path: ObjectPath
  ) throws(DBusError) -> BoundInterface {
    guard let bound = objects[path] else {
      throw DBusError(.unknownObject, "there is no object at \(path)")
    }
    guard let interface = bound.first(where: { $0.table.name == name }) else {
      throw DBusError(.unknownInterface, "the object \(path) has no interface \(name)")
    }
    return interface
  }

  // MARK: Standard interfaces

  private func standardHandler(_ member: MemberName) -> BoundInterface.Handler? {
    switch member {
    case "Introspect":
      return { [unowned self] call in .reply([.string(self.introspect(call.path))]) }
    case "Get":
      return { [unowned self] call throws(DBusError) in
        let (interface, name) = try self.property(call)
        return .reply([.variant(try interface.value(of: name))])
      }
    case "GetAll":
      return { [unowned self] call throws(DBusError) in
        .reply([.row(try self.allProperties(call))])
      }
    case "Set":
      return { [unowned self] call throws(DBusError) in
        let (interface, name) = try self.property(call)
        throw DBusError(
          .propertyReadOnly, "\(interface.table.name).\(name) cannot be set; see the methods")
      }
    default:
      return nil
    }
  }

  /// Finds the property that the first two arguments name.
  ///
  /// An empty interface name means the first interface that has the property.
  private func property(_ call: MethodCall) throws(DBusError) -> (BoundInterface, MemberName) {
    let (interface, property) = (call.string(0), call.string(1))
    guard MemberName.isValid(property) else {
      throw DBusError(
        .unknownProperty, "\u{201C}\(property)\u{201D} is not the name of a property")
    }
    let name = MemberName(unchecked: property)
    let candidates = try interfaces(interface, at: call.path)
    guard let found = candidates.first(where: { $0.table.property(name) != nil }) else {
      let place = interface.isEmpty ? "the object \(call.path)" : interface
      throw DBusError(.unknownProperty, "\(place) has no property \(property)")
    }
    return (found, name)
  }

  private func allProperties(_ call: MethodCall) throws(DBusError) -> [(String, Value)] {
    var pairs: [(String, Value)] = []
    for interface in try interfaces(call.string(0), at: call.path) {
      for property in interface.table.properties {
        pairs.append((property.name.text, try interface.value(of: property.name)))
      }
    }
    return pairs
  }

  /// Returns the interfaces that an argument of Properties names; "" means all.
  ///
  /// The standard interfaces are known, and have no properties.
  private func interfaces(
    _ name: String, at path: ObjectPath
  ) throws(DBusError) -> [BoundInterface] {
    if name.isEmpty { return objects[path] ?? [] }
    if StandardInterfaces.all.contains(where: { $0.name.text == name }) { return [] }
    return [try interface(try InterfaceName(name), at: path)]
  }

  private func introspect(_ path: ObjectPath) -> String {
    let own = objects[path].map { $0.map(\.table) + StandardInterfaces.all }
    let children = Set(objects.keys.compactMap { path.child(towards: $0) })
    return IntrospectionXML.text(
      own ?? StandardInterfaces.ofParents, children: children.sorted())
  }
}
