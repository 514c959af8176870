import SimpleEvents
import Testing

struct ShortDurationTests {
  @Test(
    "Duration.short: is one number in the largest unit that fits",
    arguments: [
      (Duration.zero, "0 s"), (.nanoseconds(1), "1 ns"), (.nanoseconds(999), "999 ns"),
      (.microseconds(1), "1 us"), (.microseconds(350), "350 us"), (.milliseconds(80), "80 ms"),
      (.milliseconds(1_200), "1.2 s"), (.seconds(59), "59 s"), (.seconds(60), "1 min"),
      (.seconds(90), "1.5 min"), (.seconds(3600), "1 h"), (.seconds(86_400), "1 d"),
      (.seconds(86_400_000), "1000 d"),
    ])
  func units(_ duration: Duration, _ text: String) {
    #expect(duration.short == text)
  }

  @Test(
    "Duration.short: is rounded, to one decimal below ten, also up to the next unit",
    arguments: [
      (Duration.nanoseconds(1_049), "1 us"), (.nanoseconds(1_050), "1.1 us"), (.nanoseconds(9_949), "9.9 us"),
      (.nanoseconds(9_950), "10 us"), (.microseconds(12_400), "12 ms"), (.nanoseconds(999_499), "999 us"),
      (.nanoseconds(999_500), "1 ms"), (.milliseconds(59_499), "59 s"), (.milliseconds(59_500), "1 min"),
      (.nanoseconds(1) / 2, "0.5 ns"),
    ])
  func rounding(_ duration: Duration, _ text: String) {
    #expect(duration.short == text)
  }

  @Test("Duration.short: a negative duration has a sign, and the extreme durations have a text")
  func extremes() {
    #expect(Duration.milliseconds(-80).short == "-80 ms")
    #expect(Duration.nanoseconds(Int64.max).short == "106752 d")
    #expect(Duration.nanoseconds(Int64.min).short == "-106752 d")
    #expect(Duration.seconds(Int64.max).short.hasSuffix(" d"))
    #expect(Duration.seconds(Int64.min).short.hasPrefix("-"))
  }
}
