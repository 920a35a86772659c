import CalendarModel
import CivilTime
import Testing

@testable import CalendarStore

private func read(_ text: String) -> EventTime? {
  Array(text.utf8).withUnsafeBufferPointer { try? EventTimeText.read($0) }
}

@Suite struct `Times as text` {
  @Test func `each form has its text`() throws {
    let reading = try CivilDateTime(text: "2026-11-21T09:05:07")
    let cases: [(EventTime, String)] = [
      (.date(reading.date), "20261121"),
      (.floating(reading), "20261121T090507"),
      (.utc(Timestamp(reading, offset: .utc)), "20261121T090507Z"),
      (.zoned(reading, zone: "Europe/Berlin"), "20261121T090507 Europe/Berlin"),
      (.zoned(reading, zone: "Z"), "20261121T090507 Z"),
      (.zoned(reading, zone: ""), "20261121T090507 "),
      (.date(.earliest), "00010101"), (.date(.latest), "99991231"),
    ]
    for (time, text) in cases {
      #expect(String(decoding: EventTimeText.write(time), as: UTF8.self) == text)
      #expect(read(text) == time)
    }
  }

  @Test(arguments: [
    "", "2026112", "20261131", "2026112a", "20261121T", "20261121T0905", "20261121T250000",
    "20261121T090507z", "20261121T090507ZZ", "20261121 090507", "-0261121",
  ])
  func `another form is refused`(text: String) {
    #expect(read(text) == nil)
  }
}

@Suite struct `A length of time as text` {
  private func read(_ text: String) -> CalendarDuration? {
    Array(text.utf8).withUnsafeBufferPointer { try? EventEndText.readDuration($0) }
  }

  @Test func `is read as by its own reader`() {
    for sign in ["", "-", "+"] {
      for count in ["0", "1", "07", "90", "999999", "1000000", "9999999999999", "", "x", "1x"] {
        for unit in ["W", "D", "H", "M", "S", "DT1H", "DT", "H5M", "", "m", ":"] {
          for start in ["P", "PT", "p", "T", "", "PTT", "PP"] {
            let text = sign + start + count + unit
            #expect(read(text) == (try? CalendarDuration(text: text)), "\(text)")
          }
        }
      }
    }
  }
}

@Suite struct `Packed text` {
  private func read(_ text: String) -> [String]? {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      var reader = PackedReader(bytes)
      var items: [String] = []
      while !reader.isAtEnd {
        guard let item = try? reader.nextText() else { return nil }
        items.append(item)
      }
      return items
    }
  }

  @Test func `items come back whatever they contain`() {
    let items = ["", "work", "3:abc", "é", "a\nb", "\0"]
    var packed = PackedText()
    for item in items { packed.append(item) }
    let text = String(decoding: packed.bytes, as: UTF8.self)
    #expect(text.hasPrefix("0:4:work5:3:abc2:é"))
    #expect(read(text) == items)
  }

  @Test(arguments: [":", "a", "4:abc", "1", "-1:a", "99999999999999999999:a", "1:ab"])
  func `a length that does not fit is refused`(text: String) {
    #expect(read(text) == nil)
  }
}
