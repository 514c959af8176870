#define _GNU_SOURCE
#include "Tracking.h"
#include "Next.h"

#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

// The Observation module is the toolchain's own. It is written for threads: its variables belong to the one
// thread that runs all fibers, and its locks are those of the system. The engine never switches away from a
// fiber that holds such a lock, so no fiber waits for one.

/// The thread's variables of the module, in the segment in which a debugger finds them.
static void *variables;
static size_t size;

/// The addresses of the module's code.
static uintptr_t code, code_end;

static void (*will_operate)(enum tracking_operation, const void *);

static int visit(struct dl_phdr_info *library, size_t length, void *context) {
  (void)length, (void)context;
  if (!strstr(library->dlpi_name, "/libswiftObservation."))
    return 0;
  for (int i = 0; i < library->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &library->dlpi_phdr[i];
    if (segment->p_type == PT_TLS) {
      variables = library->dlpi_tls_data;
      size = segment->p_memsz;
    } else if (segment->p_type == PT_LOAD && segment->p_flags & PF_X) {
      code = library->dlpi_addr + segment->p_vaddr;
      code_end = code + segment->p_memsz;
    }
  }
  return 1;
}

int tracking_follow(void (*function)(enum tracking_operation, const void *)) {
  will_operate = function;
  dl_iterate_phdr(visit, NULL);
  return code && variables && size <= sizeof(struct tracking);
}

void tracking_switch(struct tracking *saved, const struct tracking *next) {
  if (saved)
    memcpy(saved, variables, size);
  memcpy(variables, next, size);
}

static void note(const void *caller, enum tracking_operation operation, const void *lock) {
  if ((uintptr_t)caller - code < code_end - code)
    will_operate(operation, lock);
}

// These functions replace the system's functions of the same names.

int pthread_mutex_init(pthread_mutex_t *lock, const pthread_mutexattr_t *attributes) {
  NEXT(int (*)(pthread_mutex_t *, const pthread_mutexattr_t *), "pthread_mutex_init");
  note(__builtin_return_address(0), tracking_operation_make, lock);
  return next(lock, attributes);
}

int pthread_mutex_lock(pthread_mutex_t *lock) {
  NEXT(int (*)(pthread_mutex_t *), "pthread_mutex_lock");
  note(__builtin_return_address(0), tracking_operation_lock, lock);
  return next(lock);
}

int pthread_mutex_unlock(pthread_mutex_t *lock) {
  NEXT(int (*)(pthread_mutex_t *), "pthread_mutex_unlock");
  note(__builtin_return_address(0), tracking_operation_unlock, lock);
  return next(lock);
}
