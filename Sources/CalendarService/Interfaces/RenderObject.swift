import CalendarBus
import CivilTime
import DBus
import Platform
import Phrases
import Widgets

/// Methods of the interface org.datebook.Calendar1 for status bars.
final class RenderObject {
  private let context: AgentContext
  private unowned let agenda: AgendaSource
  private unowned let snapshot: SnapshotUpdater

  init(_ context: AgentContext, agenda: AgendaSource, snapshot: SnapshotUpdater) {
    self.context = context
    self.agenda = agenda
    self.snapshot = snapshot
  }

  /// The methods, by the names of the contract.
  var methods: [MemberName: MethodBody] { ["Render": render] }

  private func render(_ call: CallArguments) throws(CallError) -> [Value] {
    let format = try RenderObject.format(call.text(0))
    let options = try call.options(
      1, "options",
      [(.maximumWidth, ["u"]), (.count, ["u"]), (.template, ["s"])] + SnapshotRequest.keys)
    var question = try agenda.question(options, try agenda.reader())
    let text = options.text(.template)
    let template = text.isEmpty ? nil : try RenderObject.template(text)
    let settings = BarSettings(
      maximumColumns: try RenderObject.number(
        options, .maximumWidth, or: BarSettings.defaultColumns, in: BarSettings.columns),
      count: try RenderObject.number(options, .count, or: 1, in: BarSettings.counts),
      template: template ?? (format.name == BarFormat.template.name ? .standard : nil),
      counted: question.counted, privacy: question.excerpt.privacy)
    question.nextCount = settings.nextRows
    let bar = BarText(
      snapshot: try snapshot.document(of: question).snapshot, now: context.clock.now,
      zone: context.localZone, times: TimeText.current, settings: settings)
    return [.string(format.record(bar))]
  }

  private static func format(_ name: String) throws(CallError) -> BarFormat {
    if let format = BarFormat.named(name) { return format }
    let names = BarFormat.all.map(\.name)
    throw CallError(.invalidArguments, about: "format", notOneOf(names, name))
  }

  /// Returns the number of an option; 0 means `fallback`.
  ///
  /// - Throws: ``CallError`` for a number outside the range.
  private static func number(
    _ options: Row, _ key: RowKey, or fallback: Int, in range: ClosedRange<UInt32>
  ) throws(CallError) -> Int {
    let number = UInt32(clamping: options.number(key))
    if number == 0 { return fallback }
    guard range.contains(number) else {
      throw CallError(.invalidArguments, about: key.rawValue, notWithin(range, number))
    }
    return Int(number)
  }

  private static func template(_ text: String) throws(CallError) -> BarTemplate {
    do throws(BarTemplateError) {
      return try BarTemplate(text)
    } catch {
      var problem = localized(error.text)
      if case .unknownField(let name) = error,
        let near = nearest(name, among: BarTemplate.Field.allCases.map(\.rawValue))
      {
        problem = localized(
          "{problem}; did you mean {{{near}}}?", ["problem": problem, "near": near])
      }
      throw CallError(.invalidArguments, about: "template", problem)
    }
  }
}
