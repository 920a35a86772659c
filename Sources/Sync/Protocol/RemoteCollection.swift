import JSON

/// A calendar of a remote.
package struct RemoteCollection: Hashable, Sendable {
  /// Its path, as the server writes it; identifies it.
  package let href: String
  package var name = ""
  /// `#rrggbb`; empty if it has none.
  package var color = ""
  /// Such as `VEVENT` and `VTODO`; empty if the remote does not say.
  package var components: [String] = []
  package var isWritable = true
  /// Changes with each change of the collection (ctag); empty if there is no such thing.
  package var tag = ""

  package init(href: String) { self.href = href }

  var json: JSONValue {
    [
      "is": "collection", "href": .string(href), "name": .string(name), "color": .string(color),
      "components": .array(components.map(JSONValue.string)), "is-writable": .bool(isWritable),
      "tag": .string(tag),
    ]
  }

  init(href: String, _ json: JSONValue) {
    func text(_ name: String) -> String { json[name]?.stringValue ?? "" }
    self.init(href: href)
    name = text("name")
    color = text("color")
    components = json["components"]?.arrayValue?.compactMap(\.stringValue) ?? []
    isWritable = json["is-writable"]?.boolValue ?? true
    tag = text("tag")
  }
}
