#define _GNU_SOURCE
#include "CSimpleEvents.h"

#include <stdatomic.h>

#ifndef __APPLE__

#include <sys/syscall.h>
#include <unistd.h>

_Thread_local uint32_t simple_events_thread_number;

uint32_t simple_events_number_thread(void) {
  simple_events_thread_number = (uint32_t)syscall(SYS_gettid);
  return simple_events_thread_number;
}

#endif

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SIMPLE_EVENTS_THREAD_SANITIZED 1
#endif
#endif

#ifdef SIMPLE_EVENTS_THREAD_SANITIZED

// These functions belong to the sanitizer's runtime. No module of the toolchain has a header for them.
extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

const bool simple_events_is_thread_sanitized = true;

void simple_events_did_lock(const void *lock) {
  __tsan_acquire((void *)lock);
}

void simple_events_will_unlock(const void *lock) {
  __tsan_release((void *)lock);
}

// A function of the Swift runtime. It is declared in C because the Swift compiler reserves the runtime's
// names.
extern __attribute__((swiftcall)) void *swift_task_getCurrent(void);

void simple_events_did_resume_task(void) {
  // The runtime calls `__tsan_release` with this address when a continuation is resumed.
  __tsan_acquire(swift_task_getCurrent());
}

#else

const bool simple_events_is_thread_sanitized = false;

void simple_events_did_lock(const void *lock) {}

void simple_events_will_unlock(const void *lock) {}

void simple_events_did_resume_task(void) {}

#endif

// The function of the Swift runtime that `assertIsolated` calls. It is declared in C because the Swift
// compiler reserves the runtime's names. Without flags, the function returns whether the executor is the
// current one. With the flag of an assertion, the function would stop the program if the executor is not the
// current one. The function is linked weakly on Apple's platforms, because older systems do not have it. The
// caller checks the version of the system.
#ifdef __APPLE__
__attribute__((weak_import))
#endif
extern __attribute__((swiftcall)) bool swift_task_isCurrentExecutorWithFlags(
    uintptr_t identity, uintptr_t implementation, uint64_t flags);

bool simple_events_is_current_executor(uintptr_t identity, uintptr_t implementation) {
  return swift_task_isCurrentExecutorWithFlags(identity, implementation, 0);
}

// This variable is in C because Swift has no thread-local variables.
static _Thread_local void *pending_log;

void *simple_events_pending_log(void) {
  return pending_log;
}

void *simple_events_set_pending_log(void *log) {
  void *old_log = pending_log;
  pending_log = log;
  return old_log;
}

// All accesses are relaxed, because the flags publish no other memory. A thread that does not see a new flag
// yet behaves as it did before the flag was set.
static _Atomic(uint8_t) monitoring_flags;

uint8_t simple_events_monitoring_flags(void) {
  return atomic_load_explicit(&monitoring_flags, memory_order_relaxed);
}

uint8_t simple_events_set_monitoring_flags(uint8_t flags) {
  return atomic_fetch_or_explicit(&monitoring_flags, flags, memory_order_relaxed);
}

static _Thread_local bool is_monitoring;

bool simple_events_is_monitoring(void) {
  return is_monitoring;
}

bool simple_events_set_is_monitoring(bool value) {
  bool old_value = is_monitoring;
  is_monitoring = value;
  return old_value;
}

#ifndef __APPLE__

// The function of the Swift runtime that a weak load calls. It is declared in C because the Swift compiler
// reserves the runtime's names, and called from C so that the Swift compiler does not optimise the retain
// away.
extern void *swift_tryRetain(void *object);

void *simple_events_try_retain(void *object) {
  return swift_tryRetain(object);
}

#endif
