import CivilTime

/// The octets of a zone file.
///
/// What is read must answer every question about any instant, and an instant's
/// reading must lead back to it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzZones(_ octets: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: octets, count: count)
  guard let zone = try? ZoneRules(name: "Fuzz", tzif: Array(input)) else { return 0 }
  var instant = Timestamp.earliest
  for _ in 0..<64 {
    guard let change = zone.nextChange(after: instant) else { break }
    precondition(change > instant)
    check(zone, change)
    check(zone, change.adding(seconds: -1))
    instant = change
  }
  for seconds: Int64 in [0, 1_795_251_600, 4_102_444_800, 32_503_680_000] {
    check(zone, Timestamp(seconds: seconds))
  }
  _ = zone.resolve(CivilDateTime(.earliest, .midnight))
  _ = zone.resolve(CivilDateTime(.latest, .midnight))
  _ = zone.startOfDay(.earliest)
  _ = zone.startOfDay(.latest)
  return 0
}

private func check(_ zone: ZoneRules, _ instant: Timestamp) {
  let span = zone.span(at: instant)
  precondition(span.start <= instant.seconds && instant.seconds < span.end)
  precondition(span.offset == zone.offset(at: instant))
  let reading = zone.reading(at: instant)
  guard instant > Timestamp.earliest.adding(seconds: 200_000),
    instant < Timestamp.latest.adding(seconds: -200_000)
  else { return }
  _ = zone.startOfDay(reading.date)
  switch zone.resolve(reading) {
  case .unique(let found): precondition(found == instant)
  // Of more than two instants the first two are given.
  case .fold(let first, let second): precondition(first < second && first <= instant)
  case .gap: preconditionFailure("a reading that is shown lies in no gap")
  }
}
