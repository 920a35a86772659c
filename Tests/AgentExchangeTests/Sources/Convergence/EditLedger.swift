import DBus
import TestSupport
import Testing

/// What several computers have changed, to be held against what all of them hold in the end.
struct EditLedger {
  /// A property of an event or of one occurrence; without one: whether that is there.
  struct Place: Hashable {
    let uid: String
    var occurrence = ""
    var property = ""
  }

  /// A change that was answered; each has a value of its own.
  struct Edit: CustomStringConvertible {
    let step: Int
    let machine: Int
    let place: Place
    /// nil: a removal.
    let value: String?
    /// What the computer showed of the event before.
    var view: Set<String> = []
    /// The computers that had changed the event before, and did not know yet that the server has it.
    var waiting: Set<Int> = []

    var description: String {
      let what = value.map { "\(place.property) \($0)" } ?? "removal"
      return "step \(step), computer \(machine): \(what) at \(place.uid) \(place.occurrence)"
    }
  }

  private(set) var edits: [Edit] = []

  mutating func note(_ edit: Edit) { edits.append(edit) }

  /// Returns what was lost: each edit must be the one that is there, or older than that, or in a
  /// trash; and what was removed may only be there again if another computer had edited it.
  ///
  /// - Parameters:
  ///   - machines: whose edits are looked at.
  ///   - standing: the value of a property, and whether its event or occurrence is there.
  ///   - trash: all that the trash of the computers holds, as text.
  func losses(
    of machines: Set<Int>, standing: (Place) throws -> String?, trash: String
  ) rethrows -> [Edit] {
    try edits.filter { edit in
      guard machines.contains(edit.machine) else { return false }
      let now = try standing(edit.place)
      guard let value = edit.value else {
        return now != nil && !isResurrected(edit) && !wentWithEvent(edit, among: machines)
      }
      if now == value { return false }
      let winner = edits.last { other in
        if let now { return other.place == edit.place && other.value == now }
        return other.value == nil && other.place.uid == edit.place.uid
          && ["", edit.place.occurrence].contains(other.place.occurrence)
      }
      if let winner, winner.step > edit.step { return false }
      // Changed or removed by somebody who saw it, though that may be lost in its turn: an event that
      // comes back because a third computer had edited it comes back without it.
      let isSeen = edits.contains { other in
        guard other.step > edit.step, other.view.contains(value), other.place.uid == edit.place.uid
        else { return false }
        if other.value == nil {
          return ["", edit.place.occurrence].contains(other.place.occurrence)
        }
        return machines.contains(other.machine) && other.place == edit.place
      }
      if isSeen { return false }
      return !trash.contains(value)
    }
  }

  /// Whether somebody who knew that an occurrence was removed has removed the whole event after it, and
  /// a computer that did not know of either has brought that back.
  private func wentWithEvent(_ removal: Edit, among machines: Set<Int>) -> Bool {
    edits.contains { other in
      other.value == nil && other.place.uid == removal.place.uid && other.place.occurrence.isEmpty
        && other.step > removal.step && !other.view.contains(removal.place.occurrence)
        && machines.contains(other.machine) && isResurrected(other)
    }
  }

  /// Whether another computer made an edit that the one that removed it did not know.
  private func isResurrected(_ removal: Edit) -> Bool {
    edits.contains { edit in
      guard edit.machine != removal.machine, edit.place.uid == removal.place.uid,
        ["", edit.place.occurrence].contains(removal.place.occurrence)
      else { return false }
      // What was shown may have come from a computer that got no answer, and sends it again: it cannot
      // know whether the event is gone with its edit or without it, and an edit beats a removal.
      if removal.waiting.contains(edit.machine), edit.step < removal.step { return true }
      // Who removes one occurrence edits the event; the other still showed it.
      guard let value = edit.value else {
        return !edit.place.occurrence.isEmpty
          && (edit.step > removal.step || removal.view.contains(edit.place.occurrence))
      }
      return !removal.view.contains(value)
    }
  }
}
