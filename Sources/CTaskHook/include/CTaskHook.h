#ifndef CTASKHOOK_H
#define CTASKHOOK_H

#include <stdbool.h>

/// A function that receives a job that the Swift runtime is about to enqueue on its global pool.
typedef void (*task_hook_receiver)(void *_Nonnull driver, void *_Nonnull job);

/// Sets the hook of the Swift runtime. Call this function once.
///
/// On a thread with a driver, the hook passes every job to the receiver. On a thread without a driver, the
/// hook forwards every job unchanged, so it does not affect other threads and other tests.
void task_hook_install(task_hook_receiver _Nonnull receiver);

/// Sets the driver of the calling thread. The receiver gets the driver with each job that the thread
/// enqueues.
///
/// @param driver The new driver; null if the thread no longer has one.
/// @return The driver before the call.
void *_Nullable task_hook_set_driver(void *_Nullable driver);

/// Passes a job to the receiver if the calling thread has a driver; returns whether it has one.
bool task_hook_catch(void *_Nonnull job);

/// Enqueues a job on the global pool of the Swift runtime.
void task_hook_enqueue_global(void *_Nonnull job);

#endif
