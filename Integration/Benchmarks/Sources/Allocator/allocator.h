// What the C library's allocator says of itself. The module of the C library that comes with Swift leaves it out.

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif
