# lua.sed: the functions of Lua 5.1 for a state of another module. Each function of ours is a closure with the number 0, which
# the other module calls as web.c's sat_enter, and has what it really is as its last upvalue.
s/^#define dummynode.*/#define dummynode ((Node *)satlua_empty_node)/
s/(\*g->frealloc)(g->ud,/satlua_allocate(g->ud,/
s/f = G(L)->frealloc;/f = satlua_allocate;/
s/n = (\*curr_func(L)->c\.f)(L);/n = satlua_call(L);/
s/(\*hook)(L, &ar);/satlua_call_hook((satlua_Hook)hook, L, \&ar);/
s/L->hook = func;/L->hook = func; satlua_note_hook((satlua_Hook)func);/
s/cl = luaF_newCclosure(L, n, getcurrenv(L));/cl = luaF_newCclosure(L, n + 1, getcurrenv(L)); setpvalue(\&cl->c.upvalue[n], (void *)fn);/
s/cl->c\.f = fn;/cl->c.f = NULL;/
s/cl = luaF_newCclosure(L, 0, getcurrenv(L));/cl = luaF_newCclosure(L, 1, getcurrenv(L)); setpvalue(\&cl->c.upvalue[0], (void *)c->func);/
s/cl->c\.f = c->func;/cl->c.f = NULL;/
