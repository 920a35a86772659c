import CalendarModel
import CivilTime
import Messages

// Reads a component of METHOD:CANCEL. Times and texts may be missing, so they are not read.
extension EventReader {
  /// Returns the cancellation; nil, with a problem reported, if its target is not known.
  mutating func cancellation(_ component: Component) -> Cancellation? {
    let uid = component.uidText
    guard !uid.isEmpty else {
      let fault = ValueFault(
        word: "missing-uid", reason: UserText("a cancellation needs a UID"),
        offset: component.lines[0].name.lowerBound)
      tell(component, component.lines[0], fault, uid: uid, severity: .refused)
      return nil
    }
    var (recurrenceID, range): (EventTime?, ContentLine?)
    if let line = component.first(.recurrenceID) {
      do throws(Refusal) { recurrenceID = try time(component, line, uid: uid) } catch {
        tell(component, error.line ?? line, error.fault, uid: uid, severity: .refused)
        return nil
      }
      range = line
    }
    // An invalid time counts as a missing one.
    let times = [PropertyName.stamp, .lastModified].compactMap { property in
      component.first(property).flatMap { try? component.instant($0.value) }
    }
    return Cancellation(
      uid: EventUID(uid), recurrenceID: recurrenceID,
      appliesToFuture: range.flatMap { component.parameter("RANGE", of: $0) }.map {
        component.isName($0, "THISANDFUTURE")
      } ?? false,
      sequence: component.first(.sequence).flatMap { component.integer($0.value) } ?? 0,
      time: times.max())
  }
}
