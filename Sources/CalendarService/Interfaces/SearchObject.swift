import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Phrases
import Platform

/// Methods of the interface org.datebook.Calendar1 that search the text of events.
final class SearchObject {
  private let context: AgentContext
  private unowned let agenda: AgendaSource

  init(_ context: AgentContext, agenda: AgendaSource) {
    self.context = context
    self.agenda = agenda
  }

  /// The methods, by the names of the contract.
  var rowMethods: [MemberName: RowsBody] { ["Search": search, "Find": find] }

  /// The rows of Find if the caller gives no limit.
  private static let foundRows = 20

  // MARK: Methods

  private func find(_ call: CallArguments) throws(CallError) -> RowsAnswer {
    let query = try query(call.text(0))
    let limit = try rowLimit(Int64(call.number(1)), or: SearchObject.foundRows)
    let reader = try agenda.reader()
    let question = AgendaReader.Search(query: query, limit: limit, now: context.clock.now)
    let found = try reader.search(question).rows
    return RowsAnswer(rows: try OccurrenceRows.of(found, from: reader))
  }

  private func search(_ call: CallArguments) throws(CallError) -> RowsAnswer {
    let options = try call.options(1, "options", SearchObject.options)
    let reader = try agenda.reader()
    var question = AgendaReader.Search(
      query: try query(call.text(0)),
      limit: try rowLimit(options.number(.limit), or: Contract.defaultFound),
      now: context.clock.now)
    question.filter = try agenda.filter(options, reader)
    question.span = try context.openSpan(from: options.text(.from), to: options.text(.to))
    question.order = try SearchObject.order(options.text(.order))
    question.cursor = try SearchCursor.read(options.text(.cursor), order: question.order)
    let fields = try fields(options.texts(.fields))
    let textZone = try context.zone(options.text(.timeZone))
    let page = try reader.search(question)
    let rows = try OccurrenceRows.of(
      page.rows, from: reader, textZone: textZone, fields: fields)
    return RowsAnswer(rows: rows, rest: [.string(page.next?.text ?? "")])
  }

  private static let options =
    AgendaSource.filterOptions + [
      (.limit, ["u"]), (.cursor, ["s"]), (.fields, ["as"]), (.timeZone, ["s"]), (.from, ["s"]),
      (.to, ["s"]), (.order, ["s"]),
    ]

  // MARK: Parts

  private func query(_ text: String) throws(CallError) -> SearchQuery {
    do throws(SearchQueryError) {
      return try SearchQuery(text)
    } catch {
      switch error {
      case .noWords: throw CallError(.invalidArguments, about: "query", localized(error.text))
      case .tooLong, .tooManyTerms:
        throw CallError(.limitsExceeded, about: "query", localized(error.text))
      }
    }
  }

  private static func order(_ word: String) throws(CallError) -> AgendaReader.Search.Order {
    if word.isEmpty { return .relevance }
    if let order = AgendaReader.Search.Order(rawValue: word) { return order }
    let words = AgendaReader.Search.Order.allCases.map(\.rawValue)
    throw CallError(.invalidArguments, about: "order", notOneOf(words, word))
  }
}

/// A cursor: the position after a row, in the order of the answer.
enum SearchCursor {
  /// After the component with this key, or after the rank if the component was removed.
  case relevance(component: Int64, rank: Double)
  case start(PageCursor)

  /// "r COMPONENT RANK", with the bits of the rank as an integer, or a cursor of GetOccurrences.
  var text: String {
    switch self {
    case .relevance(let component, let rank): "r \(component) \(rank.bitPattern)"
    case .start(let cursor): cursor.text
    }
  }
}

extension SearchCursor {
  /// Reads a cursor; nil for "".
  ///
  /// - Throws: ``CallError`` for text that is not a cursor of this method and order.
  static func read(
    _ text: String, order: AgendaReader.Search.Order
  ) throws(CallError) -> SearchCursor? {
    if text.isEmpty { return nil }
    switch order {
    case .start: return .start(try PageCursor(text: text))
    case .relevance:
      let fields = text.split(separator: " ", omittingEmptySubsequences: false)
      guard fields.count == 3, fields[0] == "r", let component = Int64(fields[1]),
        let bits = UInt64(fields[2])
      else {
        throw CallError(
          .invalidArguments, about: "cursor",
          localized(
            "\"{cursor}\" is not a cursor of this method in this order; start again without one",
            ["cursor": text]))
      }
      return .relevance(component: component, rank: Double(bitPattern: bits))
    }
  }
}
