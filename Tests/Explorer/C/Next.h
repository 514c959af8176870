#ifndef EXPLORER_NEXT_H
#define EXPLORER_NEXT_H

#include <dlfcn.h>

// A function of the program replaces the function of the same name in a library, and calls the library's
// function as `next`.

#define NEXT(type, name) \
  static __typeof__(type) next; \
  if (!next) \
    next = (type)dlsym(RTLD_NEXT, name)

#endif
