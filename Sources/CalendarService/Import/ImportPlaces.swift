import CalendarBus
import CalendarImport
import CalendarModel
import ICalendar
import Platform
import Tables

/// Into which calendar each VCALENDAR of an import goes, where the caller has named none.
///
/// What one of us has exported goes back to the calendar of that id, else of that name, and
/// where there is neither, one is made: so a backup is whole again on another machine. What comes
/// from a folder that is a calendar goes to the one of its name, in the same way, but for one thing: a
/// folder without anything in it that is new is no calendar yet. What others have written goes to the
/// calendar that is called as it is, else to the default one; that one keeps its name and colour, by which
/// people know it. The first calendar of a new machine has neither from anybody, and takes those of a backup.
final class ImportPlaces {
  /// Where all goes that says nothing.
  let usual: CalendarID
  /// Whether the caller asked for that: then all goes there.
  let isGiven: Bool
  private let calendars: [CalendarInfo]
  private let names: CalendarNames
  private let newReminders: DefaultReminders
  private let folder: CalendarHead?
  private let isFirst: Bool
  /// Whether what other programs call a calendar is one here, too, and is made where there is none.
  private let makesOwn: Bool
  /// Those that there are not yet, in the order of the text, each with the head that asks for it.
  private(set) var made: [NewCalendar] = []
  /// The one of the folder, as long as nothing has gone into it.
  private var ofFolder: NewCalendar?
  /// By what the text calls each.
  private var known: [String: CalendarID] = [:]
  /// What other programs call a calendar whose events go into one that keeps its own name and colour, each once:
  /// without a name or a colour that is the same.
  private(set) var unkept: [(head: CalendarHead, calendar: CalendarInfo)] = []
  private var seen: Set<String> = []
  /// The calendars that take the name and the colour which a backup has for them.
  private(set) var restored: [CalendarID: NewCalendar] = [:]
  /// Those that a folder, or the name that another program gave a calendar, stands for.
  private var meant: Set<CalendarID> = []
  /// The calendars that were named by their ids.
  private var ofBackup: Set<CalendarID> = []
  /// Those into which something goes that names no id: of what goes there nobody knows which of the two it is of.
  private var ofOthers: Set<CalendarID> = []

  /// A calendar that there is not yet, with the head that asks for it.
  typealias NewCalendar = (calendar: CalendarInfo, head: CalendarHead)

  /// - Parameters:
  ///   - calendars: those that there are.
  ///   - newReminders: of the ones that are made.
  ///   - folder: what the folder is called that the text comes from; nil where it comes from none.
  ///   - makesOwn: whether calendars that other programs have named are made.
  ///   - isFirst: whether there is no event yet.
  init(
    usual: CalendarID, isGiven: Bool, calendars: [CalendarInfo], newReminders: DefaultReminders,
    folder: CalendarHead? = nil, makesOwn: Bool = false, isFirst: Bool = false
  ) {
    self.isFirst = isFirst
    self.folder = folder
    self.makesOwn = makesOwn
    self.usual = usual
    self.isGiven = isGiven
    self.calendars = calendars
    names = CalendarNames(calendars)
    self.newReminders = newReminders
  }

  /// Returns where a VCALENDAR goes.
  func place(_ head: CalendarHead) -> CalendarID {
    if isGiven { return usual }
    let place = placed(head)
    if head.id.isEmpty { ofOthers.insert(place) }
    return place
  }

  private func placed(_ head: CalendarHead) -> CalendarID {
    var head = head
    let isOwn = makesOwn && head.id.isEmpty && !head.name.isEmpty
    if isOwn { head.id = head.name }
    if head.id.isEmpty {
      guard let folder else {
        let named = named(head)
        if let named { meant.insert(named) }
        note(head, goingInto: named ?? usual)
        return named ?? usual
      }
      let place = place(of: folder)
      // A folder of several calendars, such as Google's, has the events of all in one here.
      if !head.name.isEmpty { note(head, goingInto: place) }
      return place
    }
    return place(of: head, isOwn: isOwn)
  }

  private func place(of head: CalendarHead, isOwn: Bool = false) -> CalendarID {
    let key = head.id + "\n" + head.name
    if let known = known[key] { return known }
    let present = names.calendar(id: head.id)
    if let present, !isOwn, head != folder { restore(present, as: head) }
    let place = present?.id ?? named(head) ?? make(head)
    known[key] = place ?? usual
    guard let place else {
      note(head, goingInto: usual)
      return usual
    }
    if isOwn || head == folder { meant.insert(place) } else { ofBackup.insert(place) }
    return place
  }

  /// Where all goes that names no calendar.
  var unnamed: CalendarID { folder.map(place) ?? usual }

  /// Those that there are, and those that there may be after the import.
  var all: [CalendarInfo] { calendars + (made + [ofFolder].compactMap(\.self)).map(\.calendar) }

  /// Returns a calendar that is not there yet, also that of the folder before anything has gone into it; nil for all
  /// others.
  func new(_ calendar: CalendarID) -> CalendarInfo? {
    if let folder = ofFolder?.calendar, folder.id == calendar { return folder }
    return made.first { $0.calendar.id == calendar }?.calendar
  }

  /// Whether a calendar is not there yet.
  func isNew(_ calendar: CalendarID) -> Bool { new(calendar) != nil }

  /// Whether what goes into a calendar is meant for that one, whatever others have: two people's calendars, or
  /// collections of a folder, may each have the event of one uid.
  func isMeant(_ calendar: CalendarID) -> Bool { meant.contains(calendar) }

  /// Whether all that goes into a calendar is of a backup, which named it.
  func isOfBackup(_ calendar: CalendarID) -> Bool {
    ofBackup.contains(calendar) && !ofOthers.contains(calendar)
  }

  /// Whether a backup has named calendars.
  var hasBackup: Bool { !ofBackup.isEmpty }

  /// To be called before something goes into a calendar: that of the folder is made then.
  func needs(_ calendar: CalendarID) {
    guard let new = ofFolder, new.calendar.id == calendar else { return }
    made.append(new)
    ofFolder = nil
  }

  /// Whether a calendar that is there takes no events.
  func isReadOnly(_ calendar: CalendarID) -> Bool {
    names.calendar(id: calendar.text)?.isReadOnly ?? false
  }

  /// What is told of what would have gone into a calendar that takes no events.
  func readOnlyRemark(_ id: CalendarID) -> String {
    names.calendar(id: id.text).map { localized(TableCalendars.remark(onReadOnly: $0)) }
      ?? "the calendar \(id) is read-only"
  }

  private func note(_ head: CalendarHead, goingInto id: CalendarID) {
    guard unkept.count < ImportNotes.maximumProblems, seen.insert(head.name).inserted,
      let calendar = all.first(where: { $0.id == id })
    else { return }
    var head = head
    if head.name.lowercased() == calendar.name.lowercased() { head.name = "" }
    if head.color == calendar.color { head.color = nil }
    if !head.name.isEmpty || head.color != nil { unkept.append((head, calendar)) }
  }

  private func named(_ head: CalendarHead) -> CalendarID? {
    names.named(head.name).calendar?.id
  }

  /// Gives the calendar of a new machine, which nobody has named, the name and the colour that a backup has for it.
  private func restore(_ present: CalendarInfo, as head: CalendarHead) {
    guard isFirst, !present.isReadOnly, present.id == CalendarInfo.first.id,
      present.name == CalendarInfo.first.name, present.color == CalendarInfo.first.color
    else { return }
    var new = present
    if let name = try? CalendarComposer.name(head.name), named(head) == nil { new.name = name }
    new.color = head.color ?? present.color
    if new != present { restored[present.id] = (new, head) }
  }

  /// Makes a calendar; nil where its name cannot be one, or there are too many.
  private func make(_ head: CalendarHead) -> CalendarID? {
    let others = all
    guard others.count < Limit.calendars,
      let name = try? CalendarComposer.name(head.name.isEmpty ? head.id : head.name)
    else { return nil }
    // An id that Create would have given stays.
    let isFree = !others.contains { $0.id.text == head.id }
    let isOurs = CalendarComposer.id(for: head.id, others: []).text == head.id
    let id = isFree && isOurs ? CalendarID(head.id) : CalendarComposer.id(for: name, others: others)
    let color =
      head.color ?? (try? CalendarComposer.color("", others: others)) ?? EventColor.palette[0]
    let calendar = CalendarInfo(
      id: id, name: name, color: color, order: (others.map(\.order).max() ?? -1) + 1,
      timedReminders: newReminders.timed, allDayReminders: newReminders.allDay)
    if head == folder {
      ofFolder = (calendar, head)
    } else {
      made.append((calendar, head))
    }
    return id
  }
}

extension CalendarInfo {
  /// Takes over the properties of a VCALENDAR that was read into it, in the place of those of the
  /// same names.
  ///
  /// - Parameter keepsOld: whether those that are there stay.
  /// - Returns: as of ``HeadProperties/take(_:keepingOld:)``.
  mutating func take(_ new: [String], keepingOld keepsOld: Bool) -> String? {
    var all = HeadProperties(properties)
    let misfit = all.take(new, keepingOld: keepsOld)
    properties = all.lines
    return misfit
  }
}
