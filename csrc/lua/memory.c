/* memory.c: see lua/memory.h. */
#include "lua/memory.h"

#include <string.h>

/* So many bytes are worth a word to the collector. */
#define WORTH_TELLING 1024
/* So many, and half of all that there is, are more than loops have that go on. */
#define MUCH_LENT 1000000
/* And so many, as a part of what Lua itself has, are worth its work: where it has little it is soon
 * done, and where it has much it does not begin to look through all of it for a little more. */
#define WORTH_A_STEP 4
#define MOST_KILOBYTES 1000000

/* A finalizer that runs after the keeper's may still ask something that needs memory: it is told
 * that there is none. */
static void *refuse(void *context, void *block, size_t old_size, size_t size) {
  (void)context, (void)block, (void)old_size, (void)size;
  return NULL;
}

/* Its only upvalue is the keeper, whose metamethod this is: there is one for each state. */
static int close_keeper(lua_State *L) {
  sat_Keeper *keeper = lua_touserdata(L, 1);
  if (!keeper || keeper != lua_touserdata(L, lua_upvalueindex(1))) return 0;
  keeper->is_closed = true;
  while (keeper->first) sat_holder_free(keeper->first);
  sat_scratch_free(&keeper->scratch);
  keeper->scratch.allocator.allocate = refuse;
  return 0;
}

void sat_push_keeper(lua_State *L) {
  sat_Allocator allocator;
  allocator.allocate = lua_getallocf(L, &allocator.context);
  sat_Keeper *keeper = lua_newuserdata(L, sizeof *keeper);
  keeper->scratch = sat_scratch_make(allocator); /* which has taken nothing yet */
  keeper->first = NULL;
  keeper->answer = NULL;
  keeper->untold = 0;
  keeper->is_telling = keeper->is_closed = false;
  lua_createtable(L, 0, 2);
  lua_pushvalue(L, -2);
  lua_pushcclosure(L, close_keeper, 1);
  lua_setfield(L, -2, "__gc");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}

static void *allocate(void *context, void *block, size_t old_size, size_t size) {
  sat_Holder *holder = context;
  void *result = holder->lua.allocate(holder->lua.context, block, old_size, size);
  if (result || size == 0) holder->bytes += size - old_size;
  return result;
}

sat_Allocator sat_holder_allocator(sat_Holder *holder) {
  sat_Allocator allocator = {allocate, holder};
  return allocator;
}

void *sat_holder_make(sat_Keeper *keeper, size_t size, void (*release)(sat_Holder *)) {
  sat_Allocator lua = keeper->scratch.allocator;
  sat_Holder *holder = lua.allocate(lua.context, NULL, 0, size);
  if (!holder) return NULL;
  memset(holder, 0, size);
  holder->release = release;
  holder->keeper = keeper;
  holder->lua = lua;
  holder->size = size;
  holder->next = keeper->first;
  holder->link = &keeper->first;
  if (holder->next) holder->next->link = &holder->next;
  keeper->first = holder;
  return holder;
}

void sat_holder_free(sat_Holder *holder) {
  holder->release(holder);
  *holder->link = holder->next;
  if (holder->next) holder->next->link = holder->link;
  sat_Allocator lua = holder->lua;
  lua.allocate(lua.context, holder, holder->size, 0);
}

static int work(lua_State *L) {
  const size_t *kilobytes = lua_touserdata(L, 1);
  work_collector(L, *kilobytes);
  return 0;
}

static bool has_lent_much(const sat_Holder *holder) {
  return holder->lent > MUCH_LENT + holder->bytes / 2;
}

bool sat_holder_has_news(const sat_Holder *holder) {
  return holder->bytes >= holder->told + WORTH_TELLING || has_lent_much(holder);
}

/* How many bytes that is; they are told with this. */
static size_t take_news(sat_Holder *holder) {
  size_t news = holder->bytes > holder->told ? holder->bytes - holder->told : 0;
  holder->told += news;
  if (!has_lent_much(holder)) return news;
  news += holder->lent;
  holder->lent = 0;
  return news;
}

/* What a finalizer raises, which some Luas pass on, is not the fault of a call that has done its
 * work. Nor does the collector work for finalizers that it has set off itself: 5.1 would go deeper
 * and deeper. */
void sat_holder_tell(lua_State *L, sat_Holder *holder) {
  if (!sat_holder_has_news(holder)) return;
  sat_Keeper *keeper = holder->keeper;
  keeper->untold += take_news(holder);
  size_t of_lua = (size_t)lua_gc(L, LUA_GCCOUNT, 0) * 1024;
  if (keeper->is_telling || keeper->untold < of_lua / WORTH_A_STEP) return;
  size_t kilobytes = keeper->untold / 1024;
  keeper->untold = 0;
  if (kilobytes > MOST_KILOBYTES) kilobytes = MOST_KILOBYTES;
  keeper->is_telling = true;
  call_protected(L, work, &kilobytes);
  keeper->is_telling = false;
}
