/* host.h: what the functions of Lua in this module take from elsewhere, since their state belongs to
 * another one. lua.sed writes the calls into the sources of Lua 5.1. */
#ifndef SAT_WEB_HOST_H
#define SAT_WEB_HOST_H

#include <stddef.h>

struct lua_State;
struct lua_Debug;
typedef void (*satlua_Hook)(struct lua_State *L, struct lua_Debug *where);

extern void *satlua_empty_node; /* that of the other module */
void *satlua_allocate(void *context, void *block, size_t old_size, size_t size);
int satlua_call(struct lua_State *L);
void satlua_call_hook(satlua_Hook hook, struct lua_State *L, struct lua_Debug *where);
void satlua_note_hook(satlua_Hook hook);

#endif
