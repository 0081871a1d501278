/* Not a whole <dlfcn.h>: what keeps a library loaded on macOS, with the values of macOS. */
#ifndef SAT_SYSROOT_DLFCN_H
#define SAT_SYSROOT_DLFCN_H

#define RTLD_NOW 0x2
#define RTLD_NOLOAD 0x10
#define RTLD_NODELETE 0x80
void *dlopen(const char *, int);

#endif
