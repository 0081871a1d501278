/* Not a whole <stdio.h>: what sat takes of it, and what Lua's headers name. */
#ifndef SAT_SYSROOT_STDIO_H
#define SAT_SYSROOT_STDIO_H

#include <stddef.h>

#define BUFSIZ 1024
typedef struct FILE FILE;
int snprintf(char *, size_t, const char *, ...);
int vsnprintf(char *, size_t, const char *, __builtin_va_list);

#endif
