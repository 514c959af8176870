#ifndef CTASKHOOK_H
#define CTASKHOOK_H

/// Takes a job that the Swift runtime is about to enqueue on its global pool.
typedef void (*task_hook_receiver)(void *_Nonnull driver, void *_Nonnull job);

/// Sets the hook of the Swift runtime. To be called once.
///
/// On a thread without a driver the hook passes every job on, so other threads and other tests do not notice
/// it.
void task_hook_install(task_hook_receiver _Nonnull receiver);

/// Sets the driver of the calling thread, which the receiver is given with each job that this thread
/// enqueues.
///
/// @param driver Null if the thread drives no longer.
/// @return The driver before the call.
void *_Nullable task_hook_set_driver(void *_Nullable driver);

/// Enqueues a job on the global pool of the Swift runtime.
void task_hook_enqueue_global(void *_Nonnull job);

#endif
