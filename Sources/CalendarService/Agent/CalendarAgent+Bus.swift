import CalendarBus
import CalendarStore
import CivilTime
import DBus
import Reminders
import Widgets

/// Binds the methods and properties of the agent to its interfaces on the bus.
extension CalendarAgent {
  func bindInterfaces() {
    let binder = CallBinder(changes: changes)
    let main = BoundInterface(Contract.calendarTable)
    let questions = CalendarObject(
      context, agenda: agenda, storage: storage, changes: changes, snapshot: snapshot,
      memory: memory)
    binder.bind(questions.methods, to: main)
    binder.bind(questions.rowMethods, to: main)
    binder.bind(AvailabilityObject(context, agenda: agenda).methods, to: main)
    binder.bind(MonthObject(context, agenda: agenda).methods, to: main)
    binder.bind(SearchObject(context, agenda: agenda).rowMethods, to: main)
    binder.bind(
      RenderObject(context, agenda: agenda, snapshot: snapshot).methods, to: main, settling: true)
    binder.bind(
      ["SetQuiet": { [unowned self] call throws(CallError) in try agentClock.setQuiet(call) }],
      to: main,
      settling: true)
    bindProperties(of: main)
    let eventsInterface = BoundInterface(Contract.eventsTable)
    binder.bind(
      EventsObject(context, agenda: agenda, storage: storage, changes: changes).methods,
      to: eventsInterface)
    let history = HistoryObject(
      context, agenda: agenda, storage: storage, changes: changes, longWork: longWork)
    binder.bind(history.methods, to: eventsInterface)
    binder.bind(history.slowMethods, to: eventsInterface)
    eventsInterface.get("CanUndo") { [unowned self] in .boolean(storage.current?.canUndo ?? false) }
    eventsInterface.get("CanRedo") { [unowned self] in .boolean(storage.current?.canRedo ?? false) }
    let calendars = BoundInterface(Contract.calendarsTable)
    binder.bind(
      CalendarsObject(context, storage: storage, changes: changes).methods, to: calendars,
      settling: true)
    let remindersInterface = BoundInterface(Contract.remindersTable)
    let answers = RemindersObject(
      context, storage: storage, longWork: longWork, reminders: reminders)
    binder.bind(answers.methods, to: remindersInterface, settling: true)
    binder.bind(answers.slowMethods, to: remindersInterface)
    binder.bind(
      ForecastObject(
        context, storage: storage, longWork: longWork, reminders: reminders, quiet: quiet
      ).slowMethods, to: remindersInterface)
    binder.bind(
      WhyObject(context, agenda: agenda, storage: storage, reminders: reminders, quiet: quiet)
        .methods, to: remindersInterface, settling: true)
    let transfer = BoundInterface(Contract.transferTable)
    binder.bindLater("ImportText", to: transfer, importer.importText)
    binder.bindLater("Import", to: transfer, importer.importDescriptor)
    let exporter = ExportObject(access: transferAccess)
    binder.bindLater("ExportText", to: transfer, exporter.exportText)
    binder.bindLater("Export", to: transfer, exporter.exportToDescriptor)
    binder.bind("Cancel", to: transfer) { [unowned self] call in
      .reply([.uint32(UInt32(clamping: transfers.cancel(of: call.caller)))])
    }
    let database = BoundInterface(Contract.databaseTable)
    binder.bind(
      DatabaseObject(maintenance, files: storage.files).methods, to: database, settling: true)
    let sync = BoundInterface(Contract.syncTable)
    let sourcesObject = SourcesObject(sources)
    binder.bind(sourcesObject.methods, to: sync, settling: true)
    binder.bind(sourcesObject.slowMethods, to: sync)
    server.register(
      Contract.path,
      [main, eventsInterface, calendars, remindersInterface, transfer, database, sync])
  }

  private func bindProperties(of main: BoundInterface) {
    main.get("Version") { .string(Contract.version) }
    main.get("Features") { [context] in .strings(features(context.configuration)) }
    main.get("Formats") { .strings(BarFormat.all.map(\.name)) }
    main.get("SnapshotPath") { [unowned self] in .string(snapshot.path) }
    main.get("Revision") { [unowned self] in .uint64(agenda.revision) }
    main.get("NextEvent") { [unowned self] () throws(DBusError) in
      try asDBusError(changes.settle)
      return snapshot.nextEvent.value
    }
    main.get("PendingReminders") { [unowned self] () throws(DBusError) in
      try asDBusError(changes.settle)
      return .uint32(UInt32(clamping: reminders.scheduler?.pendingCount ?? 0))
    }
    main.get("Problems") { [unowned self] in .strings(problems) }
    main.get("NextWake") { [unowned self] () throws(DBusError) in
      try asDBusError(changes.settle)
      snapshot.refreshIfAsked()
      return .int64(agentClock.nextWake?.seconds ?? 0)
    }
    main.get("TimeZone") { [unowned self] in .string(context.localZone.name) }
    main.get("QuietUntil") { [unowned self] in .int64(quiet.until) }
    main.get("State") { [unowned self] in .string(storage.state.rawValue) }
    main.get("StateReason") { [unowned self] in .string(storage.failure?.message ?? "") }
  }
}
