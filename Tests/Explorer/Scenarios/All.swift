internal import ExplorerEngine

/// All scenarios, the smaller ones first: executions that they do not need go to those that follow.
let allScenarios: [Scenario] = {
  var all: [Scenario] = [
    firstUse, firstUseAndEnd, twoRemovals, removalDuringDelivery, additionDuringCycle, removalInsideBlock,
    tokenOutlivesEvent, waitingCallback,
  ]
  all += [hubChanges, hubReentrancy, hubSameObserver, hubEnd] + hubDeaths
  all += [groupRemovalElsewhere, proxyRemovalElsewhere]
  all += [
    mailboxPlaces, mailboxReplaces, mailboxEquals, mailboxEqualPut, collectorLeading, groupRemoval,
    proxySignals, proxyRemoval,
  ]
  for policy in NamedPolicy.all {
    all += [cancelsOnQueue(policy), deallocation(policy)]
  }
  for queue in QueueKind.allCases {
    all += [sharedQueue(queue), deallocationInLane(queue), groupSignals(queue)]
    all += [collectsNewest(queue), collectsOldest(queue)]
    all += [collectsDistinct(queue), collectorEnds(queue)]
    all += [timerPeers(queue), timerCancel(queue), timerFirstUse(queue)]
    for policy in NamedPolicy.all {
      all += [visibility(policy, queue), signals(policy, queue), signalsDuringDelivery(policy, queue)]
      all += [cancels(policy, queue), timersOf(policy, queue), flushes(policy, queue)]
    }
  }
  return all + valueScenarios + combiningScenarios + endScenarios
}()
