import CalendarBus
import CivilTime
import Phrases

/// Times in calls, as people and scripts write them.
extension CalendarAgent {
  /// Reads the two ends of a range.
  ///
  /// - Throws: ``CallError`` of the kind `invalidTime`.
  func span(from: String, to: String) throws(CallError) -> TimeSpan {
    do throws(PhraseError) {
      return try readSpan(from: from, to: to, phraseContext)
    } catch {
      throw CallError(.invalidTime, "from and to: \(error)")
    }
  }

  /// Reads a moment.
  ///
  /// - Parameter name: The argument it is the value of.
  /// - Throws: ``CallError`` of the kind `invalidTime`.
  func moment(_ text: String, _ name: String) throws(CallError) -> Phrases.Moment {
    do throws(PhraseError) {
      return try readMoment(text, phraseContext)
    } catch {
      throw CallError(.invalidTime, "\(name): \(error)")
    }
  }
}
