/// An error with a message for people.
package protocol UserError: Error {
  /// What is wrong, with which value, and what to do.
  var text: UserText { get }
}

extension UserText {
  /// The message of an error: its ``UserError/text``, or its description, untranslated.
  package init(_ error: any Error) {
    if let error = error as? any UserError {
      self = error.text
    } else {
      self.init(verbatim: "\(error)")
    }
  }
}
