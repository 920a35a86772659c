/// An interface with the handlers of its calls.
///
///     let calendar = BoundInterface(CalendarTable.table)
///     calendar.on("Agenda") { call throws(DBusError) in
///       .reply([.rows(try agenda(from: call.string(0), days: call.uint32(1)))])
///     }
///     calendar.get("Version") { .string("0.1") }
///
/// Each method needs a handler and each property a getter before registration with an
/// ``ObjectServer``. It is a programming error to bind what the table does not have, to bind twice,
/// or to leave something unbound; it ends the program at its start.
package final class BoundInterface {
  /// Answers a call, now or later; a thrown error is the answer, too.
  package typealias Handler = (MethodCall) throws(DBusError) -> MethodAnswer
  /// Returns a property's value.
  package typealias Getter = () throws(DBusError) -> Value

  /// The interface that is bound.
  package let table: InterfaceTable
  private(set) var handlers: [MemberName: Handler] = [:]
  private(set) var getters: [MemberName: Getter] = [:]
  /// The methods by name; a table is searched in order, which is slower.
  let methods: [MemberName: InterfaceTable.Method]

  /// Makes an interface with nothing bound.
  package init(_ table: InterfaceTable) {
    self.table = table
    methods = Dictionary(uniqueKeysWithValues: table.methods.map { ($0.name, $0) })
  }

  /// Binds a method.
  package func on(_ method: MemberName, _ handler: @escaping Handler) {
    guard methods[method] != nil else { fatalError("\(table.name) has no method \(method)") }
    precondition(handlers[method] == nil, "\(table.name).\(method) is bound twice")
    handlers[method] = handler
  }

  /// Binds a property.
  package func get(_ property: MemberName, _ getter: @escaping Getter) {
    guard table.property(property) != nil else {
      fatalError("\(table.name) has no property \(property)")
    }
    precondition(getters[property] == nil, "\(table.name).\(property) is bound twice")
    getters[property] = getter
  }

  /// The members of the table without a handler or getter, sorted.
  package var unbound: [MemberName] {
    (table.methods.map(\.name).filter { handlers[$0] == nil }
      + table.properties.map(\.name).filter { getters[$0] == nil })
      .sorted { $0.text < $1.text }
  }

  /// Returns a property's value, checked against the table.
  ///
  /// - Throws: `UnknownProperty`; an error of the getter; `Failed` for a value of another type.
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

/// How a handler answers a call.
package enum MethodAnswer {
  /// The reply is these values.
  case reply([Value])
  /// The reply is these rows, then the values.
  case rows(EncodedRows, [Value])
  /// The handler keeps the call's ``MethodCall/responder`` and answers through it.
  case later
}
