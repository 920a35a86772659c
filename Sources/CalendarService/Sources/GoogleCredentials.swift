import CivilTime
import JSON
import Sync

/// What the keyring has of a source of Google: of the client, and of the user.
struct GoogleCredentials: Equatable {
  var clientSecret: String
  /// Empty before the user has signed in.
  var refresh = ""
  /// When the user signed in.
  var signedIn = Timestamp(seconds: 0)

  var text: String {
    let json: JSONValue = [
      "client-secret": .string(clientSecret), "refresh": .string(refresh),
      "signed-in": .integer(signedIn.seconds),
    ]
    return JSONWriter.text(of: json)
  }

  init(clientSecret: String) { self.clientSecret = clientSecret }

  /// Reads what ``text`` wrote; nil for anything else.
  init?(_ text: String) {
    guard let json = try? JSONReader.value(of: text, maximumOctets: 1 << 16),
      let secret = json["client-secret"]?.stringValue
    else { return nil }
    clientSecret = secret
    refresh = json["refresh"]?.stringValue ?? ""
    signedIn = Timestamp(seconds: json["signed-in"]?.integerValue ?? 0)
  }

  /// How many days ago the user signed in.
  func days(now: Timestamp) -> Int64 { max(now.seconds - signedIn.seconds, 0) / 86_400 }
}

/// An access token of Google, in memory only.
struct GoogleToken: Equatable {
  let text: String
  private let end: Timestamp

  /// It is renewed so much earlier, so that it does not end on its way.
  private static let earlySeconds: Int64 = 60

  init(_ tokens: OAuthTokens, now: Timestamp) {
    text = tokens.access
    end = now.adding(seconds: min(max(tokens.seconds, 0), 86_400) - GoogleToken.earlySeconds)
  }

  func isGood(now: Timestamp) -> Bool { now < end }
}
