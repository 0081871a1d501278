/* Not a whole <string.h>: what sat takes of it, as the same on every system with 64 bits. */
#ifndef SAT_SYSROOT_STRING_H
#define SAT_SYSROOT_STRING_H

#include <stddef.h>

int memcmp(const void *, const void *, size_t), strcmp(const char *, const char *);
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
char *strchr(const char *, int), *strstr(const char *, const char *);
size_t strlen(const char *);

#endif
