#ifndef SIMPLE_EVENTS_C_SIMPLE_EVENTS_H
#define SIMPLE_EVENTS_C_SIMPLE_EVENTS_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#ifdef __APPLE__
#include <pthread.h>
#else
/// The number of the calling thread; zero until the thread asks for it.
///
/// The variable is read for each value that is sent. With this storage model, a read needs no call of the
/// dynamic linker.
extern _Thread_local uint32_t simple_events_thread_number __attribute__((tls_model("initial-exec")));

/// Asks the kernel for the number of the calling thread, and keeps it.
uint32_t simple_events_number_thread(void);
#endif

/// A number that no other running thread has, and that is not zero.
///
/// The kernel gives the number: on Apple's platforms the name of the thread's port in this process, and
/// elsewhere the thread's identity in the system.
static inline uint32_t simple_events_current_thread(void) {
#ifdef __APPLE__
  return pthread_mach_thread_np(pthread_self());
#else
  const uint32_t number = simple_events_thread_number;
  return number != 0 ? number : simple_events_number_thread();
#endif
}

/// Lets another thread that is ready use the processor of the calling thread.
static inline void simple_events_yield_processor(void) { sched_yield(); }

/// Suspends the calling thread for a millisecond, or until it handles a signal.
static inline void simple_events_sleep_for_millisecond(void) {
  const struct timespec duration = {.tv_sec = 0, .tv_nsec = 1000000};
  nanosleep(&duration, 0);
}

/// Whether the program is built for the thread sanitizer.
///
/// The constant is defined in the C source, because only C sources are compiled with the client's sanitizer
/// flags.
extern const bool simple_events_is_thread_sanitized;

/// Tells the thread sanitizer that the caller has taken the lock at an address. Without the sanitizer this
/// function does nothing.
void simple_events_did_lock(const void *_Nonnull lock);

/// Tells the thread sanitizer that the caller is about to release the lock at an address.
void simple_events_will_unlock(const void *_Nonnull lock);

/// Tells the thread sanitizer that the current task was resumed from a continuation.
///
/// The Swift runtime does the same, unless the continuation was resumed before the task was suspended.
void simple_events_did_resume_task(void);

/// Whether the calling thread runs a job of an executor.
///
/// Swift offers this check only as assertions, which stop the program. This function never stops it. It calls
/// an executor's own code only to compare the executor with the current one.
///
/// @param identity The first word of an `UnownedSerialExecutor`: the executor.
/// @param implementation The second word: the executor's witness table, with flags in the lowest bits.
bool simple_events_is_current_executor(uintptr_t identity, uintptr_t implementation);

/// The log of pending objects that is set on the calling thread; null if there is none. Debug builds use it.
void *_Nullable simple_events_pending_log(void);

/// Sets the log of pending objects of the calling thread.
///
/// @return The log before the call.
void *_Nullable simple_events_set_pending_log(void *_Nullable log);

/// The flags of `CoalescingSystem` that are set. A flag is set once and never cleared.
///
/// The flags are in C because each access of a global variable of Swift checks whether the variable is
/// initialised, and every object that coalesces reads the flags.
uint8_t simple_events_monitoring_flags(void);

/// Sets further flags.
///
/// @return The flags before the call.
uint8_t simple_events_set_monitoring_flags(uint8_t flags);

/// Whether the calling thread is inside a call of a monitor.
bool simple_events_is_monitoring(void);

/// Sets whether the calling thread is inside a call of a monitor.
///
/// @return The value before the call.
bool simple_events_set_is_monitoring(bool is_monitoring);

#ifndef __APPLE__

/// Takes a strong reference to an object, unless its deinit has begun.
///
/// Swift offers this only as the load of a weak reference, and a weak reference gives the object a side
/// table.
///
/// @param object A native Swift object whose memory is still allocated, for example because an unowned
/// reference to it exists.
/// @return The retained object, which the caller must release; null if the deinit has begun.
void *_Nullable simple_events_try_retain(void *_Nonnull object);

#endif

#endif
