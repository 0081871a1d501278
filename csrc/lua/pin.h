/* pin.h: keeps the native part in memory once it is loaded. */
#ifndef SAT_LUA_PIN_H
#define SAT_LUA_PIN_H

/* A closing state unloads its libraries before it runs some finalizers: 5.1 those of objects older
 * than the libraries, and a script's finalizer may call a function of this library; 5.2 and 5.3
 * those of objects that finalizers have made, finalizers of this library among them. So the library
 * stays loaded. `path` is the file it was loaded from, or NULL if unknown. SAT_PINNED tells that
 * the library stays anyway: it is part of a program, or was linked with -z nodelete. */
void satlua_pin_library(const char *path);

#endif
