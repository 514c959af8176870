internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleObservables

/// Two threads bind one variable, and one of them ends its binding.
private let followedVariables: Scenario = Scenario("followed-variables", "V5 H5") {
  let followed = FollowedVariables<Int>()
  let sources = (Variable(0), Variable(0))
  let removals = Counter()
  var kept: (any SimpleEventToken)?
  func token() -> any SimpleEventToken {
    Disposable {
      expectUnlocked()
      removals.value += 1
    }
  }
  parallel(
    {
      kept = followed.add(sources.0, until: token())
      expect(followed.contains(sources.0), "V5: a variable is followed from its binding on")
    },
    {
      followed.add(sources.1, until: token()).remove()
      expect(!followed.contains(sources.1), "V5: a variable is not followed after its binding")
    })
  expect(removals.value == 1, "V5: a binding removes its token once")
  expect(followed.contains(sources.0), "V5: a variable is followed until its binding ends")
  kept = nil
  expect(removals.value == 2, "V5: a binding removes its token once")
  expect(!followed.contains(sources.0), "V5: a variable is not followed after its binding")
}

/// The scenarios of variables that follow other variables.
let bindingScenarios: [Scenario] = [followedVariables]
