import CalendarBus
import DBus

/// What answers a call at once.
typealias MethodBody = (CallArguments) throws(CallError) -> [Value]

/// Runs what answers a call; its errors go over the bus by their names.
func asDBusError<Answer>(_ body: () throws(CallError) -> Answer) throws(DBusError) -> Answer {
  do throws(CallError) {
    return try body()
  } catch {
    throw DBusError(error)
  }
}

extension DBusError {
  init(_ error: CallError) {
    self.init(ErrorName(unchecked: error.name), error.message)
  }
}
