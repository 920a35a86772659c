import CalendarModel
import CivilTime
import JSON
import Platform
import Sync

/// The calendar of a media server: Radarr, Sonarr or Lidarr. It cannot be changed.
///
/// It is asked for some days around today, so an item that is missing from the next listing may
/// only have left those days.
final class ReleaseRemote: Remote {
  /// The href of its only collection.
  static let href = "releases"
  private static let maximumOctets = 32 << 20
  /// How many days back and ahead are asked for if nobody says.
  private static let usualDays = 14

  private let service: ReleaseService
  private let client: HTTPClient
  private let access: RemoteAccess
  /// The present, and the day that it is for the user.
  private let now: () -> (instant: Timestamp, day: CivilDate)

  /// - Throws: ``RemoteFailure/Kind/malformed`` if the address is not a web address.
  init(
    access: RemoteAccess, service: ReleaseService,
    now: @escaping () -> (instant: Timestamp, day: CivilDate) = ReleaseRemote.present
  ) throws(RemoteFailure) {
    self.service = service
    self.access = access
    self.now = now
    // The key is no password: a proxy in front may want one of its own, which is in the address.
    var plain = access
    plain.secret = ""
    client = try HTTPClient(access: plain)
  }

  static func present() -> (instant: Timestamp, day: CivilDate) {
    let instant = Timestamp(seconds: SystemCalls.realtimeSeconds())
    return (
      instant, ZoneinfoDirectory(environment: .current).localZone().rules.reading(at: instant).date
    )
  }

  /// Asks the server who it is.
  func discover(_ answer: Answer) throws(RemoteFailure) {
    let status = ReleaseEntry(json: try get("system/status", first: UInt8(ascii: "{")))
    let name = status.text("appName")
    guard name.isEmpty || name == service.name else {
      throw RemoteFailure(
        .malformed,
        localized(
          "{host} is {name}, not {expected}.",
          ["host": client.home.host, "name": name, "expected": service.name]))
    }
    var collection = RemoteCollection(href: ReleaseRemote.href)
    let own = status.text("instanceName")
    collection.name = own.isEmpty ? service.name : own
    collection.components = ["VEVENT"]
    collection.isWritable = false
    answer(.collection(collection))
  }

  /// Lists all releases of the days that are asked for, with their texts.
  func changes(of collection: String, since token: String, _ answer: Answer)
    throws(RemoteFailure) -> RemoteListing
  {
    let list = try load()
    for release in list.releases { answer(item(release)) }
    for number in list.unreadable {
      let reason = localized("Entry {number} has no id.", ["number": number])
      answer(.unreadable(href: "entry \(number)", reason: reason))
    }
    return RemoteListing(isFull: list.unreadable.isEmpty, token: "")
  }

  /// Hands out releases, if they are still in the days that are asked for.
  func fetch(_ hrefs: [String], of collection: String, _ answer: Answer) throws(RemoteFailure) {
    let releases = Dictionary(try load().releases.map { ($0.uid, $0) }) { first, _ in first }
    for href in hrefs { answer(releases[href].map(item) ?? .gone(href: href)) }
  }

  private func item(_ release: Release) -> RemoteAnswer {
    let text = release.text
    var hash = FNVHash()
    hash.mix(text)
    return .item(href: release.uid, etag: hash.text, text: text)
  }

  private func load() throws(RemoteFailure) -> ReleaseList {
    let (instant, today) = now()
    func day(_ text: String, _ days: Int, _ margin: Int) -> CivilDate {
      let day = (try? CivilDate(text: text)) ?? today.adding(days: days) ?? today
      // The server's days begin at its own midnight.
      return day.adding(days: margin) ?? day
    }
    let first = day(access.firstDay, -ReleaseRemote.usualDays, -1)
    let last = day(access.lastDay, ReleaseRemote.usualDays, 1)
    let json = try get("calendar", first: UInt8(ascii: "["), query(first, last))
    return ReleaseList(
      json.arrayValue ?? [],
      ReleaseList.Reading(
        service: service, base: client.home, first: first, last: last, now: instant, today: today))
  }

  /// The query, with what the address itself has in it, such as "unmonitored=true".
  private func query(_ first: CivilDate, _ last: CivilDate) -> String {
    let own = client.home.query.map { $0.split(separator: "&").map(String.init) } ?? []
    let names = Set(own.compactMap { $0.split(separator: "=").first.map(String.init) })
    let usual = [
      (name: "start", value: "\(first)"), ("end", "\(last)"), ("unmonitored", "false"),
    ]
    let asked = (usual + service.query).filter { !names.contains($0.name) }
    return (asked.map { "\($0.name)=\($0.value)" } + own).joined(separator: "&")
  }

  /// Asks for JSON that begins with an octet.
  private func get(
    _ path: String, first: UInt8, _ query: String = ""
  ) throws(RemoteFailure) -> JSONValue {
    let base = (client.home.origin + client.home.path).withoutFinalSlash
    var request = HTTPRequest(
      "GET", "\(base)\(service.path)/\(path)\(query.isEmpty ? "" : "?\(query)")")
    request.maximumOctets = ReleaseRemote.maximumOctets
    request.headers = [("Accept", "application/json")]
    if !access.secret.isEmpty { request.secretHeaders = [("X-Api-Key", access.secret)] }
    let response = try client.send(request)
    guard response.isSuccess else { throw refusal(response) }
    let isJSON = response.header("content-type")?.lowercased().contains("json") == true
    guard isJSON, response.body.first == first else {
      let isPage = response.isWebPage || response.body.first == UInt8(ascii: "<")
      throw RemoteFailure(
        .malformed,
        isPage
          ? localized(
            "{host} answered with a web page, such as one for signing in, instead of a list.",
            ["host": client.home.host])
          : localized(
            "{host} does not answer as {service} does.",
            ["host": client.home.host, "service": service.name]))
    }
    do throws(JSONError) {
      return try JSONReader.value(of: response.body, maximumOctets: ReleaseRemote.maximumOctets)
    } catch {
      throw RemoteFailure(
        .malformed,
        localized(
          "{host} answered with a broken list: {reason}",
          ["host": client.home.host, "reason": error.text]))
    }
  }

  /// What a refusal means. Of its words only the message is for people, and not the description.
  private func refusal(_ response: HTTPResponse) -> RemoteFailure {
    let failure = response.failure()
    if failure.kind == .signIn {
      return RemoteFailure(
        .signIn, localized("{host} refuses the API key.", ["host": client.home.host]))
    }
    let json = try? JSONReader.value(of: response.body, maximumOctets: 65_536)
    let said = ["message", "errorMessage"].compactMap { json?[$0]?.stringValue }.first
    return RemoteFailure(
      failure.kind,
      localized(
        "{host} answered {status}: {message}",
        [
          "host": client.home.host, "status": response.status,
          "message": String((said ?? "").prefix(160)),
        ]), retryAfter: failure.retryAfter)
  }
}
