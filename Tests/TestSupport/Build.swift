// The properties of this build that a test's expectations depend on.

#if canImport(ObjectiveC)
  package let hasObjectiveC: Bool = true
#else
  package let hasObjectiveC: Bool = false
#endif

#if DEBUG
  package let isDebug: Bool = true
#else
  package let isDebug: Bool = false
#endif
