import CalendarBus
import CalendarModel
import CalendarStore
import DBus
import Platform
import Sync

/// Looking at what sources and accounts of the desktop have, and creating calendars there.
extension SourcesObject {
  func check(
    _ call: CallArguments, _ answer: @escaping (Result<[Value], CallError>) -> Void
  ) throws(CallError) {
    let options = try call.options(2, "options", SourceSettings.options)
    let settings = try SourceSettings(kind: call.text(0), url: call.text(1), options: options)
    let id = try id(of: settings)
    keeper.check(settings, id: id, secret: options.text(.secret)) { result in
      answer(
        result.map { [SourcesObject.rows(of: $0)] }.mapError(CallError.init))
    }
  }

  func accounts(
    _ call: CallArguments, _ answer: @escaping (Result<[Value], CallError>) -> Void
  ) throws(CallError) {
    keeper.gnome.list { result in
      answer(
        result.map { accounts in
          [
            Row.array(
              accounts.map { account in
                var row = Row()
                row.set(.id, account.id)
                row.set(.name, account.provider)
                row.set(.user, account.user)
                row.set(.url, account.url)
                return row
              })
          ]
        }.mapError { CallError($0.remote) })
    }
  }

  func calendars(
    _ call: CallArguments, _ answer: @escaping (Result<[Value], CallError>) -> Void
  ) throws(CallError) {
    let source = try source(call)
    keeper.check(source.settings, id: source.id) { result in
      answer(result.map { [SourcesObject.rows(of: $0)] }.mapError(CallError.init))
    }
  }

  func createCalendar(
    _ call: CallArguments, _ answer: @escaping (Result<[Value], CallError>) -> Void
  ) throws(CallError) {
    let name = try CalendarComposer.name(call.text(1))
    let others = try keeper.access.read { store throws(StoreError) in try store.calendars() }
    let color = try CalendarComposer.color(call.text(2), others: others)
    let source = try source(call)
    guard source.settings.takesChanges else {
      throw CallError(
        .readOnly, localized("nothing is sent to {source}", ["source": source.id]))
    }
    guard source.settings.kind != .google else {
      throw CallError(
        .readOnly,
        localized("Google creates calendars on its own pages alone: calendar.google.com"))
    }
    keeper.createCalendar(name, color: color.text, at: source.id) { result in
      answer(result.map { [.string($0.text)] })
    }
  }

  private static func rows(of found: [RemoteCollection]) -> Value {
    Row.array(
      found.map { collection in
        var row = Row()
        row.set(.href, collection.href)
        row.set(.name, collection.name)
        row.set(.color, collection.color)
        row.set(.readOnly, !collection.isWritable)
        return row
      })
  }
}
