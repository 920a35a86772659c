extension InterfaceTable.Method {
  /// Refuses a call whose arguments do not match the method's.
  ///
  /// - Throws: `InvalidArgs`, which names the argument and its type:
  ///
  ///       argument 2 of Agenda (days) must be of type u (uint32), not s (string)
  ///       Agenda takes 2 arguments (from s, days u), not 1
  package func check(_ given: Signature) throws(DBusError) {
    let types = given.completeTypes
    for (index, (argument, type)) in zip(input, types).enumerated()
    where argument.signature != type {
      throw DBusError(
        .invalidArgs,
        "argument \(index + 1) of \(name) (\(argument.name)) must be of type "
          + "\(argument.signature.inWords), not \(type.inWords)")
    }
    guard types.count == input.count else {
      throw DBusError(.invalidArgs, "\(name) takes \(inputInWords), not \(types.count)")
    }
  }

  private var inputInWords: String {
    let list = input.map { "\($0.name) \($0.signature)" }.joined(separator: ", ")
    switch input.count {
    case 0: return "no arguments"
    case 1: return "1 argument (\(list))"
    default: return "\(input.count) arguments (\(list))"
    }
  }
}
