import CalendarBus
import CalendarImport
import CalendarModel
import ICalendar
import Platform
import Tables

/// Chooses the calendar for each VCALENDAR of an import, if the caller named none.
///
/// - For an export of Datebook it is the calendar with its ID, or else with its name, or else a new
///   one: a backup is complete again on another machine.
/// - For a folder that is a calendar it is likewise the calendar with its name, but a new one is
///   created only when the folder has events.
/// - For other files it is the calendar with their name, or else the default one, which keeps its
///   name and color.
/// - The first calendar of a new machine takes its name and color from a backup.
final class ImportPlaces {
  /// The calendar of events without a calendar in the text.
  let usual: CalendarID
  /// Whether the caller named that calendar: then everything goes into it.
  let isGiven: Bool
  private let calendars: [CalendarInfo]
  private let names: CalendarNames
  private let newReminders: DefaultReminders
  private let folder: CalendarHead?
  private let isFirst: Bool
  /// Whether calendars of other programs are created if they do not exist.
  private let makesOwn: Bool
  /// The calendars to create, in the order of the text, each with the properties that name it.
  private(set) var made: [NewCalendar] = []
  /// The new calendar of the folder, as long as it has no events.
  private var ofFolder: NewCalendar?
  /// The calendar of each ID and name in the text.
  private var known: [String: CalendarID] = [:]
  /// The names and colors in the text that differ from those of the chosen calendar, each once.
  private(set) var unkept: [(head: CalendarHead, calendar: CalendarInfo)] = []
  private var seen: Set<String> = []
  /// The calendars that take their name and color from a backup.
  private(set) var restored: [CalendarID: NewCalendar] = [:]
  /// The calendars that a folder named.
  private var meant: Set<CalendarID> = []
  /// The calendars that another program named: a cancellation is for these alone.
  private var named: Set<CalendarID> = []
  /// The calendars that were named by their IDs.
  private var ofBackup: Set<CalendarID> = []
  /// The calendars that also get events of files without an ID, and so are not only of a backup.
  private var ofOthers: Set<CalendarID> = []

  /// A calendar to create, with the properties that name it.
  typealias NewCalendar = (calendar: CalendarInfo, head: CalendarHead)

  /// - Parameters:
  ///   - calendars: the existing calendars.
  ///   - newReminders: the default reminders of new calendars.
  ///   - folder: the folder that the text comes from; nil for none.
  ///   - makesOwn: whether calendars of other programs are created if they do not exist.
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

  /// Returns the calendar for the events of a VCALENDAR.
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
        let found = calendar(namedBy: head)
        if let found { named.insert(found) }
        note(head, goingInto: found ?? usual)
        return found ?? usual
      }
      let place = place(of: folder)
      // The calendars of a folder, such as Google's, become one calendar here.
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
    let place = present?.id ?? calendar(namedBy: head) ?? make(head)
    known[key] = place ?? usual
    guard let place else {
      note(head, goingInto: usual)
      return usual
    }
    // What another program named may have been imported by other options: it stays where it is.
    if head == folder { meant.insert(place) } else if !isOwn { ofBackup.insert(place) }
    return place
  }

  /// The calendar for events without a VCALENDAR, which may be that of the folder.
  var unnamed: CalendarID { folder.map(place) ?? usual }

  /// The existing calendars, and those that the import may create.
  var all: [CalendarInfo] { calendars + (made + [ofFolder].compactMap(\.self)).map(\.calendar) }

  /// Returns a calendar that the import may create; nil for an existing one.
  func new(_ calendar: CalendarID) -> CalendarInfo? {
    if let folder = ofFolder?.calendar, folder.id == calendar { return folder }
    return made.first { $0.calendar.id == calendar }?.calendar
  }

  /// Whether a calendar does not exist yet.
  func isNew(_ calendar: CalendarID) -> Bool { new(calendar) != nil }

  /// Whether events belong in this calendar even if another calendar has the same UID.
  func isMeant(_ calendar: CalendarID) -> Bool { meant.contains(calendar) }

  func isNamed(_ calendar: CalendarID) -> Bool {
    meant.contains(calendar) || named.contains(calendar)
  }

  /// Whether all imported events of a calendar come from a backup that names it.
  func isOfBackup(_ calendar: CalendarID) -> Bool {
    ofBackup.contains(calendar) && !ofOthers.contains(calendar)
  }

  /// Whether a backup has named calendars.
  var hasBackup: Bool { !ofBackup.isEmpty }

  /// Notes that a calendar gets an event: the calendar of the folder is then created.
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

  private func calendar(namedBy head: CalendarHead) -> CalendarID? {
    names.named(head.name).calendar?.id
  }

  /// Gives the unchanged first calendar of a new machine its name and color from a backup.
  private func restore(_ present: CalendarInfo, as head: CalendarHead) {
    guard isFirst, !present.isReadOnly, present.id == CalendarInfo.first.id,
      present.name == CalendarInfo.first.name, present.color == CalendarInfo.first.color
    else { return }
    var new = present
    if let name = try? CalendarComposer.name(head.name), calendar(namedBy: head) == nil {
      new.name = name
    }
    new.color = head.color ?? present.color
    if new != present { restored[present.id] = (new, head) }
  }

  /// Plans a new calendar; nil if its name is invalid, or there are too many.
  private func make(_ head: CalendarHead) -> CalendarID? {
    let others = all
    guard others.count < Limit.calendars,
      let name = try? CalendarComposer.name(head.name.isEmpty ? head.id : head.name)
    else { return nil }
    // An ID in the form of our own is preserved.
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
  /// Adds the properties of an imported VCALENDAR, replacing those with the same names.
  ///
  /// - Parameter keepsOld: whether existing properties stay instead.
  /// - Returns: see ``HeadProperties/take(_:keepingOld:)``.
  mutating func take(_ new: [String], keepingOld keepsOld: Bool) -> String? {
    var all = HeadProperties(properties)
    let misfit = all.take(new, keepingOld: keepsOld)
    properties = all.lines
    return misfit
  }
}
