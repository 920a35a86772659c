import CivilTime
import Messages
import Phrases

/// A line as a person types it, in English or Chinese.
///
/// What is read accounts for the line: its parts are within it, in order and apart from each other.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPhrases(_ octets: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: octets, count: count), as: UTF8.self)
  // Wednesday, 11 March 2026, 10:00.
  let reader = PhraseReader(
    PhraseContext(now: Timestamp(seconds: 1_773_223_200), zone: .utc), zones: NoZones(),
    customs: TimeCustoms(territory: count % 2 == 0 ? nil : "US"))
  _ = try? reader.moment(text, takesPast: true)
  _ = try? reader.end(text, after: .instant(reader.context.now))
  _ = reader.month(text)
  _ = try? readDuration(text)
  _ = try? readReminder(text)
  _ = try? readWeeklyHours(text)
  do throws(PhraseRefusal) {
    let reading = try reader.event(text)
    precondition(!reading.title.isEmpty)
    var end = 0
    for part in reading.parts {
      precondition(part.start >= end && part.start < part.end)
      end = part.end
    }
    precondition(end <= text.utf8.count)
  } catch {
    precondition(!error.text.english.isEmpty)
    if let fault = error.fault { precondition(fault.upperBound <= text.utf8.count) }
  }
  return 0
}

private final class NoZones: Zones {
  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    throw .unknownZone(name: name)
  }
}
