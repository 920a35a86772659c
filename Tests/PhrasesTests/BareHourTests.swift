import CivilTime
import Testing

@testable import Phrases

@Suite struct `Hours without their half of the day` {
  private func reading(_ text: String, _ title: String = "") throws -> BareHour.Reading {
    BareHour.reading(try TimeOfDay(text: text), BareHour.Hint(title: title))
  }

  @Test(arguments: ["13:00", "14:30", "23:45", "00:00"])
  func `the clock of 24 hours has but one reading of what lies after noon`(time: String) throws {
    #expect(try reading(time) == .certain(try TimeOfDay(text: time)))
    #expect(try reading(time, "dinner") == .certain(try TimeOfDay(text: time)))
  }

  @Test(arguments: ["08:00", "09:30", "12:00", "12:45"])
  func `8 to 12 are those of the working day`(time: String) throws {
    #expect(try reading(time) == .likely(try TimeOfDay(text: time)))
  }

  @Test(arguments: ["00:45", "01:00", "05:00", "07:45"])
  func `1 to 7, and a quarter to one, can be either`(time: String) throws {
    #expect(try reading(time) == .ambiguous)
  }

  @Test(arguments: [
    ("Dinner with Ana", "08:00", "20:00"), ("birthday party!", "04:30", "16:30"),
    ("film: Dune", "11:00", "23:00"), ("breakfast", "07:00", "07:00"),
    ("brunch", "11:00", "11:00"), ("team lunch", "01:30", "13:30"), ("lunch", "12:00", "12:00"),
  ])
  func `a word of the title says which`(title: String, time: String, meant: String) throws {
    #expect(try reading(time, title) == .likely(try TimeOfDay(text: meant)))
  }

  @Test func `a word does not say it where its hours are others, or two do not agree`() throws {
    #expect(try reading("02:00", "dinner") == .ambiguous)
    #expect(try reading("12:00", "party") == .ambiguous)
    #expect(try reading("05:00", "lunch") == .ambiguous)
    #expect(try reading("07:00", "breakfast or dinner") == .ambiguous)
    #expect(try reading("10:00", "lunch and dinner") == .likely(try TimeOfDay(text: "10:00")))
    // Not a word of it.
    #expect(try reading("08:00", "filming") == .likely(try TimeOfDay(text: "08:00")))
  }
}
