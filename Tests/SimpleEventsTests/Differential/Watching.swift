/// An observer in a program. Its serial number is unique, unlike its address.
protocol Watching: AnyObject {
  var serial: Int { get }
}
