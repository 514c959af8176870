internal import ExplorerEngine

/// All scenarios, the smaller ones first. If a scenario needs fewer executions than it may use, the later
/// scenarios may use the remaining executions.
let allScenarios: [Scenario] = {
  var all: [Scenario] = subscriptionScenarios + operatorScenarios + bindingScenarios + demandBufferScenarios
  all += [
    firstUse, firstUseAndEnd, twoRemovals, removalDuringDelivery, additionDuringCycle, removalInsideBlock,
    tokenOutlivesEvent, waitingCallback,
  ]
  all += [hubChanges, hubReentrancy, hubSameObserver, hubEnd] + hubDeaths
  all += removalScenarios
  all += [
    mailboxPlaces, mailboxReplaces, mailboxEquals, mailboxEqualPut, proxySignals,
  ]
  all += notificationScenarios + mailboxWaitScenarios + limiterScenarios
  for policy in NamedPolicy.all {
    all += [cancelsOnQueue(policy), deallocation(policy)]
  }
  for queue in QueueKind.allCases {
    all += [sharedQueue(queue), deallocationInLane(queue), groupSignals(queue)]
    all += [collectsNewest(queue), collectsOldest(queue)]
    all += [collectsDistinct(queue), collectorEnds(queue)]
    all += [collectsLeading(queue), collectsCombined(queue)]
    all += [collectorDrops(queue, .newest(2), "newest"), collectorDrops(queue, .distinct(2), "distinct")]
    all += [collectorDropsAtEnd(queue)]
    all += [timerPeers(queue), timerCancel(queue), timerFirstUse(queue), timerTolerance(queue)]
    all += [timerSources(queue), lateWindows(queue), joinedWindows(queue), zeroIntervals(queue)]
    all += [sleepCancelledEarly(queue), sleepCancelledAtDeadline(queue), sleepInThePast(queue)]
    for policy in NamedPolicy.all {
      all += [visibility(policy, queue), signals(policy, queue), signalsDuringDelivery(policy, queue)]
      all += [cancels(policy, queue), timersOf(policy, queue), flushes(policy, queue)]
    }
  }
  all += observationScenarios + leftChangeScenarios
  all += [actorLine] + actorScenarios + deadlineScenarios + lossScenarios
  all += loopScenarios + hostScenarios + answerScenarios + taskScenarios + batchScenarios + batchDropScenarios
  all += fullBatchScenarios + keyedScenarios + keyedLoopScenarios + latestCallScenarios
  all += stepQueueScenarios + subjectScenarios + sharedSourceScenarios + forwardingScenarios
  all += scheduledValueScenarios + chainScenarios + monitorScenarios + ownSignalScenarios
  return all
}()
