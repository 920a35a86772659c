import Platform

/// Where Google has what is needed of it.
struct GoogleAddresses: Hashable, Sendable {
  let signIn: String
  let token: String
  let revoke: String
  let calendarList: String
  let calDAV: String

  static let scope = "https://www.googleapis.com/auth/calendar"

  /// - Parameter base: the address of a server that stands for all of Google's, in tests; nil for
  ///   Google itself.
  init(base: String? = nil) {
    signIn = (base ?? "https://accounts.google.com") + "/o/oauth2/v2/auth"
    token = (base ?? "https://oauth2.googleapis.com") + "/token"
    revoke = (base ?? "https://oauth2.googleapis.com") + "/revoke"
    calendarList =
      (base ?? "https://www.googleapis.com") + "/calendar/v3/users/me/calendarList"
    calDAV = (base ?? "https://apidata.googleusercontent.com") + "/caldav/v2/"
  }

  /// Those of this process.
  static var current: GoogleAddresses {
    GoogleAddresses(base: ProcessEnvironment.current.nonempty("DATEBOOK_GOOGLE"))
  }
}
