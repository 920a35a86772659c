import CivilTime
import Widgets

/// How much of a snapshot is shown, and in which colours.
struct SnapshotView {
  private let privacy: PrivacyLevel
  /// nil is what the snapshot says.
  private let scheme: ColorScheme?

  init(_ arguments: ParsedArguments) {
    privacy = arguments.privacy
    scheme = arguments.value(OptionSpec.theme.name).flatMap(ColorScheme.init)
  }

  /// Whether it leaves a snapshot as it is.
  var isWhole: Bool { privacy == .titles && scheme == nil }

  func of(_ snapshot: SnapshotV1, now: Timestamp, zone: ZoneRules) -> SnapshotV1 {
    var shown = snapshot.redacted(to: privacy, now: now, zone: zone)
    shown.scheme = scheme ?? shown.scheme
    return shown
  }
}

extension OptionSpec {
  /// Of the commands that print what widgets read.
  static let theme = choice(
    "--theme", "WORD", of: ["auto"] + ColorScheme.allCases.map(\.rawValue),
    "light, dark, or auto for what the agent says (auto)")
}

extension ParsedArguments {
  /// What ``OptionSpec/privacy`` says.
  var privacy: PrivacyLevel {
    value(OptionSpec.privacy.name).flatMap(PrivacyLevel.init) ?? .titles
  }
}
