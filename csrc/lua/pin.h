/* pin.h: keeps the native part in memory, once it is there. */
#ifndef SAT_LUA_PIN_H
#define SAT_LUA_PIN_H

/* A state that closes unloads its libraries before it runs some finalizers: 5.1 those of what is
 * older than they are, and a script's finalizer may call a function of ours; 5.2 and 5.3 those of
 * what finalizers have made, our own finalizers among them. So this library stays. `path` is where
 * it was loaded from, or NULL when nobody knows.
 *
 * SAT_PINNED says that it does so anyway: it is part of a program, or was linked with -z
 * nodelete. */
void satlua_pin_library(const char *path);

#endif
