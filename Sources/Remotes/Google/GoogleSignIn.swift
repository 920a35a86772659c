import Platform
import Sync

/// Lets the user sign in with Google in a browser, and asks for tokens.
///
/// Source: RFC 8252, RFC 7636; developers.google.com/identity/protocols/oauth2/native-app.
struct GoogleSignIn {
  let addresses: GoogleAddresses
  var milliseconds: Int64 = 300_000

  /// Returns the tokens once the user has said yes.
  ///
  /// - Parameter show: gets the address of the page to show in a browser.
  /// - Throws: ``RemoteFailure``, of the kind `signIn` if the user says no or nothing.
  func run(
    _ client: OAuthClient, user: String, show: (String) -> Void
  ) throws(RemoteFailure) -> OAuthTokens {
    let listener: LoopbackListener
    let reply: SignInReply
    let secrets = SignInSecrets.random()
    do throws(SystemError) {
      listener = try LoopbackListener()
      show(page(client, user: user, secrets, port: listener.port))
      let found: SignInReply? = try listener.wait(milliseconds: milliseconds) { target in
        let reply = SignInReply(target: target, state: secrets.state)
        return (reply.page, reply == .stranger ? nil : reply)
      }
      reply = found ?? .stranger
    } catch {
      throw RemoteFailure(.local, localized(error.text))
    }
    guard case .code(let code) = reply else {
      throw reply.failure ?? RemoteFailure(.signIn, "")
    }
    let tokens = try TokenEndpoint(addresses).ask(
      client,
      [
        ("grant_type", "authorization_code"), ("code", code),
        ("code_verifier", secrets.verifier), ("redirect_uri", Self.redirect(listener.port)),
      ])
    guard !tokens.refresh.isEmpty else {
      throw RemoteFailure(
        .signIn,
        localized(
          """
          Google let Datebook in only for an hour. Remove its access at \
          myaccount.google.com/permissions, and sign in again.
          """))
    }
    return tokens
  }

  /// The address of Google's page.
  ///
  /// Without `prompt=consent` there is no refresh token for who has signed in before.
  func page(
    _ client: OAuthClient, user: String, _ secrets: SignInSecrets, port: UInt16
  ) -> String {
    var fields = [
      ("client_id", client.id), ("redirect_uri", Self.redirect(port)), ("response_type", "code"),
      ("scope", GoogleAddresses.scope), ("state", secrets.state),
      ("code_challenge", secrets.challenge), ("code_challenge_method", "S256"),
      ("access_type", "offline"), ("prompt", "consent"),
    ]
    if !user.isEmpty { fields.append(("login_hint", user)) }
    return addresses.signIn + "?" + WebForm.text(fields)
  }

  private static func redirect(_ port: UInt16) -> String { "http://127.0.0.1:\(port)/" }
}
