#ifndef EXPLORER_NEXT_H
#define EXPLORER_NEXT_H

#include <dlfcn.h>

// The program's own functions come before those of the same name in libraries, which they call as `next`.

#define NEXT(type, name) \
  static __typeof__(type) next; \
  if (!next) \
    next = (type)dlsym(RTLD_NEXT, name)

#endif
