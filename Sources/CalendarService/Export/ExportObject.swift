import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform

/// The export methods of the interface org.datebook.Calendar1.Transfer.
final class ExportObject {
  private let access: TransferAccess

  init(access: TransferAccess) {
    self.access = access
  }

  /// The most exports at a time: each holds the numbers of its events in memory.
  private static let maximumWritings = 4

  /// How many exports are under way now.
  private var writings = 0

  // MARK: Methods

  /// Exports as text; answers when all of it is there, and serves other calls between the batches.
  func exportText(
    _ call: CallArguments, answer: @escaping (Result<[Value], CallError>) -> Void
  ) throws(CallError) {
    let (name, uid) = (call.text(1), call.text(2))
    var request = ExportRequest(
      format: try ExportFormat(word: call.text(0)), calendars: try access.agenda.reader().calendars)
    if !uid.isEmpty {
      request.uids = [EventUID(uid)]
      request.calendars = [try calendar(of: EventUID(uid), named: name, among: request.calendars)]
    } else {
      let found = request.calendars.first { name.isEmpty ? $0.isDefault : $0.id.text == name }
      guard let found else { throw ExportObject.unknown(name, "calendar") }
      request.calendars = [found]
    }
    let exporter = try Exporter(request, access: access, maximumOctets: Contract.maximumText)
    try checkRoom()
    writings += 1
    goOn(TextExport(exporter), access.transfers.begin(call, answer))
  }

  /// A text that is being made.
  private final class TextExport {
    let exporter: Exporter
    var text: [UInt8] = []

    init(_ exporter: Exporter) { self.exporter = exporter }
  }

  private func goOn(_ export: TextExport, _ transfer: Transfer) {
    let result: Result<[Value], CallError>
    do throws(CallError) {
      if !transfer.isOver, try export.exporter.next(&export.text) {
        return access.context.whenIdle { [weak self] in self?.goOn(export, transfer) }
      }
      result = .success([.string(String(decoding: export.text, as: UTF8.self))])
    } catch {
      result = .failure(error)
    }
    writings -= 1
    transfer.answer(result)
  }

  private func checkRoom() throws(CallError) {
    guard writings < ExportObject.maximumWritings else {
      throw CallError(
        .busy,
        localized(
          writings, one: "{count} export is already running; try again when it has ended",
          other: "{count} exports are already running; try again when one has ended"))
    }
  }

  /// Export answers when all has been written: a pipe may take its time, and nobody
  /// else waits for it.
  func exportToDescriptor(
    _ call: CallArguments, answer: @escaping (Result<[Value], CallError>) -> Void
  ) throws(CallError) {
    guard case .fileDescriptor(let descriptor) = call.values[0] else {
      throw CallError(
        .invalidArguments, about: "fd", localized("no file descriptor came with the call"))
    }
    let exporter = try Exporter(request(of: call), access: access)
    try checkRoom()
    var failure: CallError?
    var transfer: Transfer?
    let writer = try access.descriptors.write(
      to: descriptor,
      next: { piece in
        do throws(CallError) {
          return try exporter.next(&piece)
        } catch {
          failure = error
          return false
        }
      },
      { [unowned self] result in
        end()
        let tally = exporter.tally
        transfer?.answer(
          failure.map { .failure($0) }
            ?? result.map { _ in
              [tally.value, Row.array(tally.problems)]
            })
      })
    writings += 1
    let begun = access.transfers.begin(call, answer)
    transfer = begun
    begun.giveUp = { [unowned self, unowned begun] error in
      writer.cancel()
      end()
      begun.answer(.failure(error))
    }
  }

  private func end() {
    writings -= 1
    access.memory.releaseSoon()
  }

  // MARK: Parts

  private func request(of call: CallArguments) throws(CallError) -> ExportRequest {
    let options = try call.options(
      3, "options",
      [
        (.from, ["s"]), (.to, ["s"]), (.uids, ["as"]), (.recurrenceIDs, ["as"]),
        (.omitPrivate, ["b"]),
      ])
    let calendars = try access.agenda.reader().calendars
    var request = ExportRequest(format: try ExportFormat(word: call.text(1)), calendars: calendars)
    let names = call.values[2].asStrings ?? []
    if !names.isEmpty {
      for name in names where !calendars.contains(where: { $0.id.text == name }) {
        throw ExportObject.unknown(name, "calendars")
      }
      request.calendars = calendars.filter { names.contains($0.id.text) }
    }
    if let uids = options[.uids]?.asStrings {
      guard uids.count <= Contract.maximumRows, names.count <= Contract.maximumRows else {
        throw CallError(
          .limitsExceeded,
          localized(
            "more than {limit} UIDs or calendars in one export; export fewer at a time",
            ["limit": Contract.maximumRows]))
      }
      var seen: Set<String> = []
      request.uids = uids.filter { seen.insert($0).inserted }.map { EventUID($0) }
    }
    if let ids = options[.recurrenceIDs]?.asStrings {
      request.occurrences = try ExportObject.occurrences(
        ids, of: options[.uids]?.asStrings ?? [])
    }
    let (from, to) = (options.text(.from), options.text(.to))
    if !from.isEmpty || !to.isEmpty {
      request.span = try access.context.openSpan(from: from, to: to)
    }
    request.omitsPrivate = options.flag(.omitPrivate)
    return request
  }

  /// The most single occurrences of one export: each takes an expansion of its event, and all of
  /// one event are expanded without a pause.
  private static let maximumOccurrences = 100

  /// Returns the occurrences to export of each event; an event that is exported whole has none.
  ///
  /// - Throws: ``CallError`` of the kinds `invalidArguments` and `invalidTime`.
  private static func occurrences(
    _ ids: [String], of uids: [String]
  ) throws(CallError) -> [EventUID: [RecurrenceID]] {
    guard ids.count == uids.count else {
      throw CallError(
        .invalidArguments, about: "recurrence-ids",
        localized(
          "needs one entry for each of the uids: {expected}, not {count}",
          ["expected": uids.count, "count": ids.count]))
    }
    let count = ids.count { !$0.isEmpty }
    guard count <= ExportObject.maximumOccurrences else {
      throw CallError(
        .invalidArguments, about: "recurrence-ids",
        localized(
          count, one: "{count} single occurrence is too many; export at most {limit} at a time",
          other: "{count} single occurrences are too many; export at most {limit} at a time",
          ["limit": ExportObject.maximumOccurrences]))
    }
    var found: [EventUID: [RecurrenceID]] = [:]
    for (uid, text) in zip(uids, ids) where !text.isEmpty {
      do throws(CivilTimeError) {
        let (id, uid) = (try RecurrenceID(text: text), EventUID(uid))
        if found[uid]?.contains(id) != true { found[uid, default: []].append(id) }
      } catch {
        throw CallError(.invalidTime, about: "recurrence-ids", localized(error.text))
      }
    }
    for (uid, text) in zip(uids, ids) where text.isEmpty { found[EventUID(uid)] = nil }
    return found
  }

  /// The calendar that has an event, the default one before the others.
  private func calendar(
    of uid: EventUID, named name: String, among calendars: [CalendarInfo]
  ) throws(CallError) -> CalendarInfo {
    let asked =
      name.isEmpty
      ? calendars.filter(\.isDefault) + calendars.filter { !$0.isDefault }
      : calendars.filter { $0.id.text == name }
    guard !asked.isEmpty else { throw ExportObject.unknown(name, "calendar") }
    let store = try access.storage.store()
    for calendar in asked {
      let key = try translated { () throws(StoreError) in
        try store.eventKey(uid, in: calendar.id)
      }
      if key != nil { return calendar }
    }
    throw CallError(
      .notFound, about: "uid", localized("no event has the UID \"{uid}\"", ["uid": uid.text]))
  }

  private static func unknown(_ name: String, _ argument: String) -> CallError {
    CallError(
      .notFound, about: argument,
      localized("no calendar has the ID \"{calendar}\"", ["calendar": name]))
  }
}
