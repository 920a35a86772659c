import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import ICalendar
import Platform

/// The interface org.datebook.Calendar1.Transfer: import.
final class TransferObject {
  private unowned let agent: CalendarAgent

  init(agent: CalendarAgent) {
    self.agent = agent
  }

  var methods: [MemberName: MethodBody] { ["ImportText": importText] }

  /// Most rows in the answer's problems.
  private static let maximumProblems = 1000
  /// Each holds what it has read so far.
  private static let maximumReadings = 4

  /// How many descriptors are being read now.
  private var readings = 0

  // MARK: Methods

  private func importText(_ call: CallArguments) throws(CallError) -> [Value] {
    let request = try Request(
      format: nil, calendar: try agent.writableCalendar(call.text(1)), mode: call.text(2),
      isDryRun: false)
    return try run(Array(call.text(0).utf8), request)
  }

  /// Import answers when the descriptor has been read to its end: a pipe may
  /// take its time, and nobody else waits for it.
  func importDescriptor(
    _ call: CallArguments, answer: @escaping (Result<[Value], CallError>) -> Void
  ) throws(CallError) {
    guard case .fileDescriptor(let descriptor) = call.values[0] else {
      throw CallError(.invalidArguments, "fd: no descriptor came with the call")
    }
    let options = try call.options(4, "options", [(.dryRun, ["b"])])
    let request = try Request(
      format: try ImportFormat.named(call.text(1)),
      calendar: try agent.writableCalendar(call.text(2)), mode: call.text(3),
      isDryRun: options.flag(.dryRun))
    guard readings < TransferObject.maximumReadings else {
      throw CallError(
        .busy, "\(readings) imports are being read already: call again when one has ended")
    }
    readings += 1
    agent.read(descriptor) { [unowned self] result in
      readings -= 1
      answer(
        result.flatMap { bytes in
          do throws(CallError) {
            return .success(try run(bytes, request))
          } catch {
            return .failure(error)
          }
        })
    }
  }

  // MARK: The work

  private struct Request {
    /// nil is what the text seems to be.
    let format: ImportFormat?
    let calendar: CalendarID
    let mode: ImportMode
    let isDryRun: Bool

    init(
      format: ImportFormat?, calendar: CalendarID, mode: String, isDryRun: Bool
    ) throws(CallError) {
      self.format = format
      self.calendar = calendar
      self.isDryRun = isDryRun
      guard let known = ImportMode(rawValue: mode.isEmpty ? "merge" : mode) else {
        let words = ImportMode.allCases.map(\.rawValue).joined(separator: ", ")
        throw CallError(.invalidArguments, "mode: \"\(mode)\" is none of \(words)")
      }
      self.mode = known
    }
  }

  private struct Counts {
    var added: UInt32 = 0
    var updated: UInt32 = 0
    var skipped: UInt32 = 0
    var failed: UInt32 = 0

    var value: Value {
      .dictionary(
        key: "s", value: "u",
        [
          (RowKey.added, added), (.updated, updated), (.skipped, skipped), (.failed, failed),
        ].map { Value.DictionaryEntry(key: .string($0.0.rawValue), value: .uint32($0.1)) })
    }
  }

  private func run(_ bytes: [UInt8], _ request: Request) throws(CallError) -> [Value] {
    let store = try agent.store()
    var reading: CalendarReading
    let columns: Set<String>?
    let format = request.format ?? ImportFormat(sniffing: bytes)
    do throws(CalendarTextError) {
      (reading, columns) = try format.read(
        bytes, calendar: request.calendar, installed: agent.zones.installed, known: agent.zones)
    } catch {
      throw CallError(.parseFailed, "\(error)")
    }
    let zones = ZoneAdoption(
      reading.customZones,
      present: try translated { () throws(StoreError) in try store.customZones() })
    if request.mode == .copy {
      reading.series = reading.series.copied(newUID: IdentifierSource.uid)
    }
    let table = columns.map { ImportTable(columns: $0, context: agent.zoneContext) }
    var counts = Counts()
    counts.failed = UInt32(clamping: reading.skipped)
    if request.isDryRun {
      for series in reading.series {
        let present = try translated { () throws(StoreError) in
          try store.series(series.uid, in: request.calendar)
        }
        let series = zones.apply(to: series, zones: agent.zones)
        count(request.mode.step(incoming: series, present: present, table), &counts)
      }
    } else {
      // The events are placed with their zones before they are kept.
      for (id, zone) in zones.adopted { agent.zones.add(zone.rules, named: id) }
      do throws(CallError) {
        _ = try agent.change(origin: .import) { (change) throws(CallError) in
          try translated { () throws(StoreError) in
            for (id, zone) in zones.adopted { try change.put(zone: id, component: zone.component) }
            for series in reading.series {
              count(
                try put(
                  zones.apply(to: series, zones: agent.zones), change, request, table),
                &counts)
            }
          }
        }
      } catch {
        for (id, _) in zones.adoptedAnew { agent.zones.remove(named: id) }
        throw error
      }
    }
    // A large file has used many times its size; the agent is to stay small.
    agent.whenIdle { SystemCalls.releaseFreeMemory() }
    let problems = reading.problems.prefix(TransferObject.maximumProblems).map(Row.init(problem:))
    return [counts.value, Row.array(Array(problems))]
  }

  private func put(
    _ series: EventSeries, _ change: StoreChange, _ request: Request, _ table: ImportTable?
  ) throws(StoreError) -> ImportStep {
    let present = try change.series(series.uid, in: request.calendar)
    let step = request.mode.step(incoming: series, present: present, table)
    switch step {
    case .add(let new), .update(let new): try change.put(new)
    case .skip: break
    }
    return step
  }

  private func count(_ step: ImportStep, _ counts: inout Counts) {
    switch step {
    case .add: counts.added += 1
    case .update: counts.updated += 1
    case .skip: counts.skipped += 1
    }
  }
}

extension Row {
  fileprivate init(problem: ParseDiagnostic) {
    self.init()
    set(.line, .uint32(UInt32(clamping: problem.line)))
    set(.column, .uint32(UInt32(clamping: problem.column)))
    setUnlessEmpty(.uid, problem.uid)
    set(.problem, problem.word)
    set(.problemText, problem.text)
    set(.refused, problem.severity == .refused)
  }
}
