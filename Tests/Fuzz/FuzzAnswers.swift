import CivilTime
import ICalendar
import JSON
import Sync

/// What a calendar server, a web calendar or a media server answers; the first octet says which.
///
/// A multistatus in pieces must come to the same as at once. An item of a web calendar must be one item
/// with the same content when it is read again, and a release an event.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAnswers(_ octets: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: octets, count: count))
  switch input.first {
  case UInt8(ascii: "<"): readMultistatus(input)
  case UInt8(ascii: "B"): readFeed(input)
  case UInt8(ascii: "r"): readReleases(input.dropFirst(), .radarr)
  case UInt8(ascii: "s"): readReleases(input.dropFirst(), .sonarr)
  case UInt8(ascii: "l"): readReleases(input.dropFirst(), .lidarr)
  default: break
  }
  return 0
}

// MARK: Calendar servers

private func readMultistatus(_ text: [UInt8]) {
  let whole = responses(text) { text.count }
  var place = 0
  let inPieces = responses(text) {
    place += 7
    return 1 + Int(text[place % text.count] % 16)
  }
  if whole != inPieces { fatalError("at once: \(whole)\nin pieces: \(inPieces)") }
  guard let url = WebURL("https://example.org/cal/work/") else { fatalError("no URL") }
  let names = ItemNames.hrefs(collection: url.path)
  for response in whole.responses {
    _ = names.key(response.href)
    guard let path = Href.path(of: response.href, answered: url) else { continue }
    let canonical = Href.canonical(path)
    if Href.canonical(canonical) != canonical {
      fatalError("\(path): \(canonical) is not canonical")
    }
  }
}

private struct Answer: Equatable {
  var responses: [DAVResponse] = []
  var token: String?
  var failure: RemoteFailure.Kind?
}

/// What comes of a text that arrives in pieces of so many octets.
private func responses(_ text: [UInt8], _ count: () -> Int) -> Answer {
  var answer = Answer()
  let reader = MultistatusReader { answer.responses.append($0) }
  var rest = text[...]
  while !rest.isEmpty {
    let piece = rest.prefix(count())
    rest = rest.dropFirst(piece.count)
    if !piece.withUnsafeBytes({ reader.feed($0) }) { break }
  }
  guard let url = WebURL("https://example.org/") else { return answer }
  do throws(RemoteFailure) {
    answer.token = try reader.finish(url: url).syncToken
  } catch {
    // What came before must not be used.
    answer = Answer(failure: error.kind)
  }
  return answer
}

// MARK: Web calendars

private func readFeed(_ text: [UInt8]) {
  for ignoresUIDs in [false, true] {
    guard let feed = try? FeedItems(text, ignoringUIDs: ignoresUIDs) else { return }
    for item in feed.items {
      guard let again = try? FeedItems(Array(item.text.utf8)).items, again.count == 1,
        let same = again.first
      else { fatalError("\(item.text)is not one item") }
      // A UID that was made here is not part of the content.
      let isMade = item.uid.hasPrefix(FeedItems.prefixOfMadeUIDs)
      if same.uid != item.uid || !isMade && same.fingerprint != item.fingerprint {
        fatalError("\(item)\nagain: \(same)")
      }
    }
  }
}

// MARK: Media servers

private func readReleases(_ text: ArraySlice<UInt8>, _ service: ReleaseService) {
  let decoded = String(decoding: text, as: UTF8.self)
  guard let json = try? JSONReader.value(of: decoded, maximumOctets: 1 << 16),
    let base = WebURL("http://nas.local:8989/media"), let day = try? CivilDate(text: "2026-11-27"),
    let first = try? CivilDate(text: "0001-01-01"), let last = try? CivilDate(text: "9999-12-31")
  else { return }
  let reading = ReleaseList.Reading(
    service: service, base: base, first: first, last: last, now: Timestamp(seconds: 1_795_737_600),
    today: day)
  for release in ReleaseList(json.arrayValue ?? [json], reading).releases {
    guard let items = try? FeedItems(Array(release.text.utf8)).items, items.count == 1,
      items.first?.uid == release.uid
    else { fatalError("\(release.text)is not one item") }
  }
}
