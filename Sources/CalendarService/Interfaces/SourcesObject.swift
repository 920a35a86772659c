import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform
import Sync

/// The interface org.datebook.Calendar1.Sync.
final class SourcesObject {
  /// Not owned: it publishes through the server, which owns this object.
  unowned let keeper: SourceKeeper

  init(_ keeper: SourceKeeper) { self.keeper = keeper }

  /// The most sources: each is asked by a program of its own.
  private static let mostSources = 100

  var methods: [MemberName: MethodBody] {
    [
      "List": list, "Remove": remove, "Pause": pause, "Resume": resume, "Accept": accept,
    ]
  }

  var slowMethods: [MemberName: SlowMethodBody] {
    [
      "Accounts": accounts, "Check": check, "Add": add, "Edit": edit,
      "CheckKeyring": checkKeyring, "SignIn": signIn, "SyncNow": syncNow,
      "CreateCalendar": createCalendar, "Calendars": calendars,
    ]
  }

  // MARK: Reading

  private func list(_ call: CallArguments) throws(CallError) -> [Value] {
    var rows: [Row] = []
    for source in keeper.sources { rows.append(try row(of: source)) }
    return [Row.array(rows)]
  }

  func source(_ call: CallArguments) throws(CallError) -> SourceKeeper.Source {
    guard let index = keeper.index(of: call.text(0)) else {
      throw unknown(call.text(0))
    }
    return keeper.sources[index]
  }

  private func unknown(_ id: String) -> CallError {
    let ids = keeper.sources.map(\.id)
    return CallError(
      .notFound, about: "id",
      ids.isEmpty
        ? localized(
          "no source has the ID \"{source}\"; there are none yet. To add one: {command}",
          ["source": id, "command": "calctl sources add"])
        : localized(
          "no source has the ID \"{source}\"; there are: {sources}",
          ["source": id, "sources": localizedList(ids)]))
  }

  // MARK: Changes

  private func add(
    _ call: CallArguments, _ answer: @escaping (Result<[Value], CallError>) -> Void
  ) throws(CallError) {
    let options = try call.options(2, "options", SourceSettings.options)
    var settings = try SourceSettings(kind: call.text(0), url: call.text(1), options: options)
    guard keeper.sources.count < SourcesObject.mostSources else {
      throw CallError(
        .limitsExceeded,
        localized(
          keeper.sources.count, one: "there is {count} source already, and no more are allowed",
          other: "there are {count} sources already, and no more are allowed"))
    }
    if let same = keeper.sources.first(where: { $0.settings.isSameSource(as: settings) }) {
      throw CallError(
        .conflict, about: "url",
        localized("this source is here already: {source}", ["source": same.id]))
    }
    let id = try id(of: settings)
    keepSecret(options.text(.secret), of: id, &settings, answer) {
      [keeper] settings throws(CallError) in
      try keeper.add(id, settings)
      return [.string(id)]
    }
  }

  /// An ID for a new source that no calendar has, so that "local" is none either.
  func id(of settings: SourceSettings) throws(CallError) -> String {
    let others = try keeper.access.read { store throws(StoreError) in try store.calendars() }
    return CalendarComposer.id(
      for: settings.name == "local" ? "local-source" : settings.name,
      taken: Set(keeper.sources.map(\.id) + others.map(\.source) + keeper.leaving))
  }

  private func edit(
    _ call: CallArguments, _ answer: @escaping (Result<[Value], CallError>) -> Void
  ) throws(CallError) {
    let options = try call.options(1, "changes", SourceSettings.options)
    let source = try source(call)
    var settings = source.settings
    try settings.change(options)
    keepSecret(options.text(.secret), of: source.id, &settings, answer) {
      [self] settings throws(CallError) in
      // It may have been removed while the keyring was asked.
      guard keeper.index(of: source.id) != nil else { throw unknown(source.id) }
      if options[.chosen] != nil {
        try SourceCalendars(source.id, settings, keeper.access).bringBackChosen()
      }
      try keeper.update(source.id) { source, now in
        source.settings = settings
        source.state.changeAccess(now: now)
      }
      return []
    }
  }

  /// Stores a secret in the keyring, if there is one, and then carries out the rest.
  private func keepSecret(
    _ secret: String, of id: String, _ settings: inout SourceSettings,
    _ answer: @escaping (Result<[Value], CallError>) -> Void,
    then body: @escaping (SourceSettings) throws(CallError) -> [Value]
  ) {
    var settings = settings
    let finish = { [keeper] () in
      do throws(CallError) { answer(.success(try body(settings))) } catch {
        if !secret.isEmpty, keeper.index(of: id) == nil { keeper.keyring.remove(id) }
        answer(.failure(error))
      }
    }
    guard !secret.isEmpty else { return finish() }
    settings.hasSecret = true
    // Of Google it is the client's; a new client is signed in to again.
    let kept =
      settings.signsInWithBrowser ? GoogleCredentials(clientSecret: secret).text : secret
    keeper.google.forget(id)
    keeper.keyring.store(kept, of: id, label: "Datebook: \(settings.name)") { failure in
      guard failure == nil else { return answer(.failure(SourcesObject.noKeyring)) }
      finish()
    }
  }

  private static var noKeyring: CallError {
    CallError(
      .syncFailed,
      localized(
        """
        the keyring is locked or not there, so the password cannot be kept; unlock it, or \
        use a password command
        """))
  }

  private func checkKeyring(
    _ call: CallArguments, _ answer: @escaping (Result<[Value], CallError>) -> Void
  ) throws(CallError) {
    keeper.keyring.check { failure in
      answer(failure == nil ? .success([]) : .failure(SourcesObject.noKeyring))
    }
  }

  private func signIn(
    _ call: CallArguments, _ answer: @escaping (Result<[Value], CallError>) -> Void
  ) throws(CallError) {
    let source = try source(call)
    guard source.settings.signsInWithBrowser else {
      throw CallError(
        .invalidArguments, about: "id",
        localized(
          """
          {source} needs no sign-in with a browser; for a new password: \
          calctl sources edit {source} --password
          """, ["source": source.id]))
    }
    keeper.signIn(source.id) { result in
      answer(result.map { [.string($0)] }.mapError(CallError.init))
    }
  }

  private func remove(_ call: CallArguments) throws(CallError) -> [Value] {
    let source = try source(call)
    let keeps = call.values[1].asBoolean ?? false
    try keeper.remove(source.id) { change throws(CallError) in
      for var calendar in try translated({ () throws(StoreError) in try change.calendars() })
      where calendar.source == source.id {
        if !keeps, try translated({ () throws(StoreError) in try change.calendars() }).count > 1 {
          try translated { () throws(StoreError) in
            try change.remove(calendar: calendar.id, withEvents: true)
          }
        } else {
          calendar.source = "local"
          calendar.isReadOnly = false
          try translated { () throws(StoreError) in try change.put(calendar: calendar) }
        }
      }
    }
    return []
  }

  private func pause(_ call: CallArguments) throws(CallError) -> [Value] {
    try keeper.update(try source(call).id) { source, _ in source.state.pause() }
    return []
  }

  private func resume(_ call: CallArguments) throws(CallError) -> [Value] {
    try keeper.update(try source(call).id) { source, now in source.state.resume(now: now) }
    return []
  }

  private func accept(_ call: CallArguments) throws(CallError) -> [Value] {
    let source = try source(call)
    guard case .needsConfirmation = source.state.phase else {
      throw CallError(
        .conflict,
        localized("{source} has no deletions that wait for a yes", ["source": source.id]))
    }
    try keeper.update(source.id) { source, now in source.state.accept(now: now) }
    return []
  }

  private func syncNow(
    _ call: CallArguments, _ answer: @escaping (Result<[Value], CallError>) -> Void
  ) throws(CallError) {
    guard call.text(0).isEmpty else {
      let id = try source(call).id
      return keeper.synchronise(id, for: call.caller) { [keeper] tally, end in
        switch end {
        case .succeeded: answer(.success([tally.value]))
        case .failed(let failure):
          let remedy = keeper.index(of: id).flatMap { keeper.sources[$0].remedy }
          answer(.failure(CallError(failure, remedy: remedy)))
        case .held:
          answer(
            .failure(
              CallError(
                .syncFailed,
                localized(
                  "many deletions wait for a yes: calctl sources accept {source}",
                  ["source": id]))))
        }
      }
    }
    // One more than there are, until all have begun.
    var (running, all) = (1, SourceTally())
    let end = {
      running -= 1
      if running == 0 { answer(.success([all.value])) }
    }
    for source in keeper.sources where source.state.phase != .paused {
      running += 1
      keeper.synchronise(source.id, for: call.caller) { tally, result in
        all.add(tally)
        if case .succeeded = result {} else { all.failed += 1 }
        end()
      }
    }
    end()
  }
}

extension CallError {
  /// What a source answered.
  init(_ failure: RemoteFailure) { self.init(failure, remedy: nil) }

  /// What a source answered, and what its user can do.
  init(_ failure: RemoteFailure, remedy: String?) {
    self.init(
      .syncFailed, [failure.reason, remedy].compactMap(\.self).joined(separator: " "))
  }
}
