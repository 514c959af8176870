// The properties of this build on which a test's expectations depend.

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
