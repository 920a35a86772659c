import CivilTime
import Sync
import Testing

@testable import AgentSupport
@testable import CalendarService

/// What the user of a source is to do, by its settings.
@Suite struct `What is to be done for a source` {
  private let now = Timestamp(seconds: 1_795_219_200)

  private func source(
    _ kind: RemoteRequest.Kind = .caldav, after failure: RemoteFailure.Kind,
    _ set: (inout SourceSettings) -> Void = { _ in }
  ) -> SourceKeeper.Source {
    var settings = SourceSettings(kind: kind, url: "example.org")
    set(&settings)
    var state = SourceState(intervalSeconds: 300, now: now)
    state.begin()
    state.fail(RemoteFailure(failure, "example.org says no."), now: now, jitter: 0)
    return SourceKeeper.Source(
      id: "cloud", settings: settings, state: state, reason: "example.org says no.")
  }

  @Test func `a refused password is set again with a command, and nobody signs in`() {
    #expect(
      source(after: .signIn).text == """
        The server refuses the user, password or token. (example.org says no.) \
        To set a new password: calctl sources edit cloud --password
        """)
    #expect(
      source(.sonarr, after: .signIn).remedy
        == "To set a new API key: calctl sources edit cloud --password")
  }

  @Test func `what a program or an account provides is corrected there`() {
    #expect(
      source(after: .signIn) { $0.passwordCommand = ["/bin/pass", "cloud"] }.remedy
        == "Correct what /bin/pass prints, then: calctl sources sync cloud")
    #expect(
      source(.google, after: .signIn) { $0.tokenCommand = ["/bin/oama"] }.remedy
        == "Correct what /bin/oama prints, then: calctl sources sync cloud")
    #expect(
      source(after: .signIn) { $0.gnomeAccount = "account_1" }.remedy
        == "Sign in again under Online Accounts in the settings of GNOME.")
  }

  @Test func `a browser signs in again`() {
    #expect(
      source(.google, after: .signIn).remedy == "To sign in again: calctl sources sign-in cloud")
  }

  @Test func `a source that is tried again needs nothing`() {
    #expect(
      source(.vdir, after: .gone).text
        == "The folder is not there any more; trying again later. (example.org says no.)")
  }
}
