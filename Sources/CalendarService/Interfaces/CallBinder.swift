import CalendarBus
import DBus

/// Binds the methods of the objects to their interfaces, and converts their errors.
struct CallBinder {
  let changes: ChangeRunner

  /// - Parameter settles: whether earlier changes must be durable first, since the methods use more
  ///   than the store, or change it without ``ChangeRunner/changeTogether(_:)``.
  func bind(
    _ methods: [MemberName: MethodBody], to interface: BoundInterface,
    settling settles: Bool = false
  ) {
    for (name, body) in methods {
      bind(name, to: interface) { [unowned changes] arguments throws(CallError) in
        if settles { try changes.settle() }
        return .reply(try body(arguments))
      }
    }
  }

  func bind(_ methods: [MemberName: RowsBody], to interface: BoundInterface) {
    for (name, body) in methods {
      bind(name, to: interface) { arguments throws(CallError) in
        let answer = try body(arguments)
        return .rows(answer.rows, answer.rest)
      }
    }
  }

  func bind(
    _ name: MemberName, to interface: BoundInterface,
    _ body: @escaping (CallArguments) throws(CallError) -> DBus.MethodAnswer
  ) {
    interface.on(name) { [unowned changes] call throws(DBusError) in
      try asDBusError { () throws(CallError) in
        do throws(CallError) {
          return try body(CallArguments(values: call.arguments, caller: call.sender))
        } catch {
          changes.noteFailure(error)
          throw error
        }
      }
    }
  }

  /// Binds a method that answers later, when its work is done.
  func bindLater(
    _ name: MemberName, to interface: BoundInterface,
    _ body:
      @escaping (
        CallArguments, @escaping (Result<[Value], CallError>) -> Void
      ) throws(CallError) -> Void
  ) {
    interface.on(name) { [unowned changes] call throws(DBusError) in
      try asDBusError { () throws(CallError) in
        try changes.settle()
        let responder = call.responder
        try body(CallArguments(values: call.arguments, caller: call.sender)) { result in
          switch result {
          case .success(let values): responder.succeed(values)
          case .failure(let error): responder.fail(DBusError(error))
          }
        }
      }
      return .later
    }
  }

  func bind(_ methods: [MemberName: SlowMethodBody], to interface: BoundInterface) {
    for (name, body) in methods { bindLater(name, to: interface, body) }
  }
}
