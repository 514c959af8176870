#include "CTaskHook.h"

#include <stdatomic.h>

// The Swift runtime declares this hook and this function in `swift/Runtime/Concurrency.h`, a header that
// toolchains do not contain. The hook and the function are part of the runtime's interface for programs with
// their own executors. They are declared in C because Swift reserves the names, and cannot express a function
// pointer with the calling convention of Swift.
#define SWIFTCALL __attribute__((swiftcall))
typedef SWIFTCALL void (*enqueue_original)(void *job);
typedef SWIFTCALL void (*enqueue_hook)(void *job, enqueue_original original);
extern enqueue_hook swift_task_enqueueGlobal_hook;
extern SWIFTCALL void swift_task_enqueueGlobal(void *job);

static task_hook_receiver receiver;
// The hook that the program had set before, or null. The variable is atomic because the thread sanitizer does
// not see the runtime's load of `swift_task_enqueueGlobal_hook`. A thread that does not see the value of
// `next` yet passes its job to the original function, as if the program had set no hook.
static _Atomic(enqueue_hook) next;
static _Thread_local void *driver;

static SWIFTCALL void enqueue(void *job, enqueue_original original) {
  if (driver) return receiver(driver, job);
  enqueue_hook other = atomic_load_explicit(&next, memory_order_relaxed);
  if (other) return other(job, original);
  original(job);
}

void task_hook_install(task_hook_receiver new_receiver) {
  receiver = new_receiver;
  enqueue_hook other = __atomic_load_n(&swift_task_enqueueGlobal_hook, __ATOMIC_ACQUIRE);
  atomic_store_explicit(&next, other, memory_order_relaxed);
  // Release: the store of `next` is ordered before this store.
  __atomic_store_n(&swift_task_enqueueGlobal_hook, enqueue, __ATOMIC_RELEASE);
}

void *task_hook_set_driver(void *new_driver) {
  void *old_driver = driver;
  driver = new_driver;
  return old_driver;
}

bool task_hook_catch(void *job) {
  if (!driver) return false;
  receiver(driver, job);
  return true;
}

void task_hook_enqueue_global(void *job) {
  swift_task_enqueueGlobal(job);
}
