import CalendarBus
import CalendarStore
import CivilTime
import DBus
import Reminders
import Widgets

/// What the agent serves on the bus, and how it tells others there.
extension CalendarAgent {
  func bindInterfaces() {
    let main = BoundInterface(Contract.calendarTable)
    let questions = CalendarObject(agent: self)
    bind(questions.methods, to: main)
    bind(questions.rowMethods, to: main)
    bind(AvailabilityObject(agent: self).methods, to: main)
    bind(MonthObject(agent: self).methods, to: main)
    bind(SearchObject(agent: self).rowMethods, to: main)
    bind(RenderObject(agent: self).methods, to: main, settling: true)
    bind(
      ["SetQuiet": { [unowned self] call throws(CallError) in try setQuiet(call) }], to: main,
      settling: true)
    bindProperties(of: main)
    let events = BoundInterface(Contract.eventsTable)
    bind(EventsObject(agent: self).methods, to: events)
    let history = HistoryObject(agent: self)
    bind(history.methods, to: events)
    bind(history.slowMethods, to: events)
    events.get("CanUndo") { [unowned self] in .boolean(storage.current?.canUndo ?? false) }
    events.get("CanRedo") { [unowned self] in .boolean(storage.current?.canRedo ?? false) }
    let calendars = BoundInterface(Contract.calendarsTable)
    bind(CalendarsObject(agent: self).methods, to: calendars, settling: true)
    let reminders = BoundInterface(Contract.remindersTable)
    let answers = RemindersObject(agent: self)
    bind(answers.methods, to: reminders, settling: true)
    bind(answers.slowMethods, to: reminders)
    bind(ForecastObject(agent: self).slowMethods, to: reminders)
    bind(WhyObject(agent: self).methods, to: reminders, settling: true)
    let transfer = BoundInterface(Contract.transferTable)
    bindLater("ImportText", to: transfer, importer.importText)
    bindLater("Import", to: transfer, importer.importDescriptor)
    let exporter = ExportObject(agent: self)
    bindLater("ExportText", to: transfer, exporter.exportText)
    bindLater("Export", to: transfer, exporter.exportToDescriptor)
    bindLater("ExportDetailed", to: transfer, exporter.exportDetailed)
    bind("Cancel", to: transfer) { [unowned self] call in
      .reply([.uint32(UInt32(clamping: transfers.cancel(of: call.caller)))])
    }
    let database = BoundInterface(Contract.databaseTable)
    bind(DatabaseObject(maintenance, files: storage.files).methods, to: database, settling: true)
    server.register(Contract.path, [main, events, calendars, reminders, transfer, database])
  }

  /// - Parameter settles: whether they ask for more than the store, or change it in other ways
  ///   than ``changeTogether(_:)``: they come after the changes that are not durable yet.
  private func bind(
    _ methods: [MemberName: MethodBody], to interface: BoundInterface,
    settling settles: Bool = false
  ) {
    for (name, body) in methods {
      bind(name, to: interface) { [unowned self] arguments throws(CallError) in
        if settles { try settle() }
        return .reply(try body(arguments))
      }
    }
  }

  private func bind(_ methods: [MemberName: RowsBody], to interface: BoundInterface) {
    for (name, body) in methods {
      bind(name, to: interface) { arguments throws(CallError) in
        let answer = try body(arguments)
        return .rows(answer.rows, answer.rest)
      }
    }
  }

  private func bind(
    _ name: MemberName, to interface: BoundInterface,
    _ body: @escaping (CallArguments) throws(CallError) -> DBus.MethodAnswer
  ) {
    interface.on(name) { [unowned self] call throws(DBusError) in
      try asDBusError { () throws(CallError) in
        do throws(CallError) {
          return try body(CallArguments(values: call.arguments, caller: call.sender))
        } catch {
          noteFailure(error)
          throw error
        }
      }
    }
  }

  private func bind(_ methods: [MemberName: SlowMethodBody], to interface: BoundInterface) {
    for (name, body) in methods { bindLater(name, to: interface, body) }
  }

  private func bindProperties(of main: BoundInterface) {
    main.get("Version") { .string(Contract.version) }
    main.get("Features") { [configuration] in .strings(features(configuration)) }
    main.get("Formats") { .strings(BarFormat.all.map(\.name)) }
    main.get("SnapshotPath") { [unowned self] in .string(snapshot.path) }
    main.get("Revision") { [unowned self] in .uint64(revision) }
    main.get("NextEvent") { [unowned self] () throws(DBusError) in
      try asDBusError(settle)
      return snapshot.nextEvent.value
    }
    main.get("PendingReminders") { [unowned self] () throws(DBusError) in
      try asDBusError(settle)
      return .uint32(UInt32(clamping: reminders.scheduler?.pendingCount ?? 0))
    }
    main.get("Problems") { [unowned self] in .strings(problems) }
    main.get("NextWake") { [unowned self] () throws(DBusError) in
      try asDBusError(settle)
      snapshot.refreshIfAsked()
      return .int64(nextWake?.seconds ?? 0)
    }
    main.get("TimeZone") { [unowned self] in .string(localZone.name) }
    main.get("QuietUntil") { [unowned self] in .int64(quiet.until) }
    main.get("State") { [unowned self] in .string(storage.state.rawValue) }
    main.get("StateReason") { [unowned self] in .string(storage.failure?.message ?? "") }
  }
}
