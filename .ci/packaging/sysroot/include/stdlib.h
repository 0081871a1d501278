/* Not a whole <stdlib.h>: what clang's <mm_malloc.h> takes of it. */
#ifndef SAT_SYSROOT_STDLIB_H
#define SAT_SYSROOT_STDLIB_H

#include <stddef.h>

void *malloc(size_t);
void free(void *);
int posix_memalign(void **, size_t, size_t);

#endif
