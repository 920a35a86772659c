import CalendarBus

extension CommandSpec {
  static let snapshot = CommandSpec(
    name: "snapshot", arguments: [], options: [],
    summary: "the snapshot that status bars read, as one line of JSON",
    details: [
      """
      The same text is in the file that calctl status names, replaced on each change: a widget \
      watches the file instead of asking.
      """
    ],
    examples: ["calctl snapshot | jq .next"]
  ) { _, context throws(CommandError) in
    try context.output.line(try context.client().snapshot())
  }
}
