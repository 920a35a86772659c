import CalendarBus
import CalendarModel
import CalendarStore
import Platform
import Sync

/// The calendars of a source that is kept.
extension SourceKeeper {
  /// Asks a source for its calendars, or to create one.
  ///
  /// - Parameters:
  ///   - id: its ID, or the one that it would have.
  ///   - secret: of the user; empty for what is found.
  ///   - completion: gets its collections, or why it has none.
  func check(
    _ settings: SourceSettings, id: String, secret: String = "",
    asking request: RemoteRequest = .discover,
    _ completion: @escaping (Result<[RemoteCollection], RemoteFailure>) -> Void
  ) {
    let conversation: RemoteConversation
    do throws(SystemError) {
      conversation = try RemoteConversation(
        program: program, environment: environment, loop: access.context.loop)
    } catch {
      return completion(.failure(RemoteFailure(.offline, localized(error.text))))
    }
    var found: [RemoteCollection] = []
    var isAnswered = false
    let answer = { [access] (result: Result<[RemoteCollection], RemoteFailure>) in
      access.context.whenIdle { conversation.stop() }
      // A program that ends fails both questions.
      guard !isAnswered else { return }
      isAnswered = true
      completion(result)
    }
    let ask = { [access] (secret: SourceSecret) in
      conversation.ask(
        .open(settings.access(secret: secret, today: access.context.today)),
        onEnd: { if case .failure(let failure) = $0 { answer(.failure(failure)) } })
      conversation.ask(
        request,
        onAnswer: { if case .collection(let collection) = $0 { found.append(collection) } },
        onEnd: { answer($0.map { _ in found }) })
    }
    findSecret(settings, id: id) { [google, now] result in
      switch result {
      case .failure(let failure): answer(.failure(failure.remote))
      case .success where !secret.isEmpty && !settings.signsInWithBrowser:
        ask(SourceSecret(text: secret))
      case .success(let known) where settings.signsInWithBrowser:
        google.token(
          of: id, client: settings.clientID, secret: known.text, now: now, conversation
        ) { token in
          switch token {
          case .success(let text): ask(SourceSecret(text: text, isToken: true))
          case .failure(let failure): answer(.failure(failure))
          }
        }
      case .success(let known): ask(known)
      }
    }
  }

  /// Creates a calendar at a source and here, and begins to synchronise it.
  ///
  /// - Parameter completion: gets our calendar.
  func createCalendar(
    _ name: String, color: String, at id: String,
    _ completion: @escaping (Result<CalendarID, CallError>) -> Void
  ) {
    guard let index = index(of: id) else { return }
    let request = RemoteRequest.createCollection(name: name, color: color)
    check(sources[index].settings, id: id, asking: request) { [weak self] result in
      guard let self else { return }
      do throws(CallError) {
        guard let index = self.index(of: id) else {
          throw CallError(.syncFailed, localized("the source was removed"))
        }
        var collection: RemoteCollection
        switch result {
        case .failure(let failure): throw CallError(.syncFailed, failure.reason)
        case .success(let found):
          guard let made = found.first else {
            throw CallError(.syncFailed, localized("a change has no answer"))
          }
          collection = made
        }
        // Xandikos forgets the color.
        if collection.color.isEmpty { collection.color = color }
        completion(.success(try take(collection, of: sources[index])))
      } catch {
        completion(.failure(error))
      }
    }
  }

  /// Takes a calendar that was created at a source.
  private func take(
    _ collection: RemoteCollection, of source: Source
  ) throws(CallError) -> CalendarID {
    var settings = source.settings
    if settings.chosen?.contains(collection.href) == false {
      settings.chosen?.append(collection.href)
    }
    var calendars = SourceCalendars(source.id, settings, access, seen: source.seen)
    let calendar = try calendars.update([collection]).first?.calendar
    try update(source.id) { source, now in
      source.settings = settings
      source.seen = calendars.seen
      _ = source.state.request(now: now)
    }
    guard let calendar else {
      throw CallError(.syncFailed, localized("the source has made a calendar without events"))
    }
    return calendar
  }
}
