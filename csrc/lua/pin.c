/* pin.c: keeps this library loaded, in a file of its own, since <windows.h> defines names such as
 * `near`.
 *
 * A closing state unloads its libraries before it runs some finalizers: 5.1 those of objects older
 * than the libraries, and a script's finalizer may call a function of this library; 5.2 and 5.3
 * those of objects that finalizers have made, finalizers of this library among them. SAT_PINNED
 * tells that the library stays anyway: it is part of a program, or was linked with -z nodelete. */
#include "lua/compat.h"

#if defined(SAT_PINNED)

void satlua_pin_library(const char *path) { (void)path; }

#elif defined(_WIN32)

#include <windows.h>

void satlua_pin_library(const char *path) {
  (void)path; /* any address in the library */
  static const char here = 0;
  HMODULE module;
  GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, &here,
                     &module);
}

#else

#include <dlfcn.h>

void satlua_pin_library(const char *path) {
  if (path) dlopen(path, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

#endif
