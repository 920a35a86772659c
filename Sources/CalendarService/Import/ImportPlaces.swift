import CalendarBus
import CalendarImport
import CalendarModel
import ICalendar
import Platform
import Tables

/// The calendar that each VCALENDAR of an import goes into, where the caller has named none.
///
/// - An export of Datebook goes into the calendar of its ID, else of its name, and creates one
///   where there is neither: a backup is complete again on another machine.
/// - A folder that is a calendar goes into the calendar of its name likewise, but creates one only
///   when something new is in it.
/// - What other programs have written goes into the calendar of its name, else into the default
///   one, which keeps its name and color: people know it by those.
/// - The first calendar of a new machine takes its name and color from a backup.
final class ImportPlaces {
  /// The calendar of whatever names none.
  let usual: CalendarID
  /// Whether the caller named that calendar: then everything goes into it.
  let isGiven: Bool
  private let calendars: [CalendarInfo]
  private let names: CalendarNames
  private let newReminders: DefaultReminders
  private let folder: CalendarHead?
  private let isFirst: Bool
  /// Whether the calendars that other programs have named are created where they do not exist.
  private let makesOwn: Bool
  /// The calendars to create, in the order of the text, each with the properties that name it.
  private(set) var made: [NewCalendar] = []
  /// The calendar of the folder, as long as nothing has gone into it.
  private var ofFolder: NewCalendar?
  /// The calendar of each ID and name in the text.
  private var known: [String: CalendarID] = [:]
  /// The names and colors in the text that differ from those of the calendar that the events go
  /// into: the calendar keeps its own. Each is listed once; what is the same is left out.
  private(set) var unkept: [(head: CalendarHead, calendar: CalendarInfo)] = []
  private var seen: Set<String> = []
  /// The calendars that take their name and color from a backup.
  private(set) var restored: [CalendarID: NewCalendar] = [:]
  /// The calendars that a folder has named, or another program.
  private var meant: Set<CalendarID> = []
  /// The calendars that were named by their IDs.
  private var ofBackup: Set<CalendarID> = []
  /// The calendars that also get something that names no ID: it is not known what of them is of a
  /// backup.
  private var ofOthers: Set<CalendarID> = []

  /// A calendar to create, with the properties that name it.
  typealias NewCalendar = (calendar: CalendarInfo, head: CalendarHead)

  /// - Parameters:
  ///   - calendars: the existing ones.
  ///   - newReminders: the default reminders of calendars that are created.
  ///   - folder: the folder that the text comes from; nil where it comes from none.
  ///   - makesOwn: whether the calendars that other programs have named are created.
  ///   - isFirst: whether the store has no event yet.
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

  /// Returns the calendar that a VCALENDAR goes into.
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

  /// The calendar of whatever names none, which may be that of the folder.
  var unnamed: CalendarID { folder.map(place) ?? usual }

  /// The existing calendars, and those that may exist after the import.
  var all: [CalendarInfo] { calendars + (made + [ofFolder].compactMap(\.self)).map(\.calendar) }

  /// Returns a calendar that does not exist yet, also that of the folder before anything has gone
  /// into it; nil for an existing one.
  func new(_ calendar: CalendarID) -> CalendarInfo? {
    if let folder = ofFolder?.calendar, folder.id == calendar { return folder }
    return made.first { $0.calendar.id == calendar }?.calendar
  }

  /// Whether a calendar does not exist yet.
  func isNew(_ calendar: CalendarID) -> Bool { new(calendar) != nil }

  /// Whether events belong into this calendar even if another has the same UID: two people's
  /// calendars, or two collections of a folder, may each have it.
  func isMeant(_ calendar: CalendarID) -> Bool { meant.contains(calendar) }

  /// Whether everything that goes into a calendar comes from a backup that names it.
  func isOfBackup(_ calendar: CalendarID) -> Bool {
    ofBackup.contains(calendar) && !ofOthers.contains(calendar)
  }

  /// Whether a backup has named calendars.
  var hasBackup: Bool { !ofBackup.isEmpty }

  /// Notes that something goes into a calendar: that of the folder is created from then on.
  func needs(_ calendar: CalendarID) {
    guard let new = ofFolder, new.calendar.id == calendar else { return }
    made.append(new)
    ofFolder = nil
  }

  /// Whether an existing calendar is read-only.
  func isReadOnly(_ calendar: CalendarID) -> Bool {
    names.calendar(id: calendar.text)?.isReadOnly ?? false
  }

  /// The reason why an event is not imported into a read-only calendar.
  func readOnlyRemark(_ id: CalendarID) -> String {
    names.calendar(id: id.text).map { localized(TableCalendars.remark(onReadOnly: $0)) }
      ?? localized("the calendar {calendar} is read-only", ["calendar": id.text])
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

  /// Gives the calendar of a new machine, which nobody has named, its name and color from a backup.
  private func restore(_ present: CalendarInfo, as head: CalendarHead) {
    guard isFirst, !present.isReadOnly, present.id == CalendarInfo.first.id,
      present.name == CalendarInfo.first.name, present.color == CalendarInfo.first.color
    else { return }
    var new = present
    if let name = try? CalendarComposer.name(head.name), named(head) == nil { new.name = name }
    new.color = head.color ?? present.color
    if new != present { restored[present.id] = (new, head) }
  }

  /// Creates a calendar; nil where its name is invalid, or there are too many.
  private func make(_ head: CalendarHead) -> CalendarID? {
    let others = all
    guard others.count < Limit.calendars,
      let name = try? CalendarComposer.name(head.name.isEmpty ? head.id : head.name)
    else { return nil }
    // An ID that Create would give is preserved.
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
  /// Takes over the properties of a VCALENDAR that was read into it; they replace those of the same
  /// names.
  ///
  /// - Parameter keepsOld: whether existing properties stay instead.
  /// - Returns: as of ``HeadProperties/take(_:keepingOld:)``.
  mutating func take(_ new: [String], keepingOld keepsOld: Bool) -> String? {
    var all = HeadProperties(properties)
    let misfit = all.take(new, keepingOld: keepsOld)
    properties = all.lines
    return misfit
  }
}
