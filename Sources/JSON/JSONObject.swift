/// The members of a JSON object, in the order of their text, with unique names.
///
/// The order counts for equality, so that written text is always the same.
package struct JSONObject: Hashable, Sendable {
  /// A name with its value.
  package struct Member: Hashable, Sendable {
    package let name: String
    package var value: JSONValue

    package init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The members in order.
  package private(set) var members: [Member] = []

  /// An object without members.
  package init() {}

  /// Creates an object with these members, in this order.
  ///
  /// - Precondition: No name occurs twice.
  package init(_ members: [(String, JSONValue)]) {
    self.members.reserveCapacity(members.count)
    for (name, value) in members {
      precondition(self[name] == nil, "an object has each name once")
      self.members.append(Member(name: name, value: value))
    }
  }

  /// For the reader, which has checked for repeated names.
  init(unchecked members: [Member]) {
    self.members = members
  }

  /// The value of a name, or nil if there is none.
  ///
  /// Setting a value keeps the position of an existing name and adds a new one at the end. Setting
  /// nil removes the member.
  ///
  /// - Complexity: Linear in the number of members; our formats have a dozen.
  package subscript(name: String) -> JSONValue? {
    get { members.first { $0.name == name }?.value }
    set {
      let place = members.firstIndex { $0.name == name }
      switch (place, newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil): members.remove(at: place)
      case (nil, let value?): members.append(Member(name: name, value: value))
      case (nil, nil): break
      }
    }
  }

  /// The names in order.
  package var names: [String] { members.map(\.name) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// - Precondition: No name occurs twice.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements)
  }
}
