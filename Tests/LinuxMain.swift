import Testing

/// Starts the tests. Without this file SwiftPM looks for XCTest's tests, which are none, in an index
/// that costs a sixth of the build.
@main enum TestProgram {
  static func main() async {
    await Testing.__swiftPMEntryPoint() as Never
  }
}
