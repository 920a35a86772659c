/// An interface with the handlers of its calls.
///
///     let calendar = BoundInterface(CalendarTable.table)
///     calendar.on("Agenda") { call throws(DBusError) in
///       .reply([.rows(try agenda(from: call.string(0), days: call.uint32(1)))])
///     }
///     calendar.get("Version") { .string("0.1") }
///
/// Each method needs a handler and each property a getter when it is registered with an
/// ``ObjectServer``. To bind what the table does not have, to bind twice or to leave something unbound is a
/// programming error that ends the program at its start.
package final class BoundInterface {
  /// Answers a call, now or later, or throws the error that answers it.
  package typealias Handler = (MethodCall) throws(DBusError) -> MethodAnswer
  /// Returns a property's value.
  package typealias Getter = () throws(DBusError) -> Value

  /// What is bound.
  package let table: InterfaceTable
  private(set) var handlers: [MemberName: Handler] = [:]
  private(set) var getters: [MemberName: Getter] = [:]
  /// The methods by name, since a table is searched in order.
  let methods: [MemberName: InterfaceTable.Method]

  /// Binds nothing yet.
  package init(_ table: InterfaceTable) {
    self.table = table
    methods = Dictionary(uniqueKeysWithValues: table.methods.map { ($0.name, $0) })
  }

  /// Binds a method.
  package func on(_ method: MemberName, _ handler: @escaping Handler) {
    precondition(methods[method] != nil, "\(table.name) has no method \(method)")
    precondition(handlers[method] == nil, "\(table.name).\(method) is bound twice")
    handlers[method] = handler
  }

  /// Binds a property.
  package func get(_ property: MemberName, _ getter: @escaping Getter) {
    precondition(table.property(property) != nil, "\(table.name) has no property \(property)")
    precondition(getters[property] == nil, "\(table.name).\(property) is bound twice")
    getters[property] = getter
  }

  /// The members of the table that nothing is bound to, sorted.
  package var unbound: [MemberName] {
    (table.methods.map(\.name).filter { handlers[$0] == nil }
      + table.properties.map(\.name).filter { getters[$0] == nil })
      .sorted { $0.text < $1.text }
  }

  /// Returns a property's value, checked against the table.
  ///
  /// - Throws: `UnknownProperty`, what the getter throws, and `Failed` for a value of another type.
  func value(of property: MemberName) throws(DBusError) -> Value {
    guard let row = table.property(property), let getter = getters[property] else {
      throw DBusError(.unknownProperty, "\(table.name) has no property \(property)")
    }
    let value = try getter()
    guard value.signature == row.signature else {
      throw DBusError(
        .failed,
        "\(table.name).\(property) is of type \(value.signature.inWords) in the program and "
          + "\(row.signature.inWords) in its table; please report this")
    }
    return value
  }
}

/// What a handler does with a call.
package enum MethodAnswer {
  /// These values are the reply.
  case reply([Value])
  /// These rows are the reply, and the values after them.
  case rows(EncodedRows, [Value])
  /// The handler keeps the call's ``MethodCall/responder`` and answers through it.
  case later
}
