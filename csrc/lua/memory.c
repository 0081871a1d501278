/* memory.c: memory that the core takes for userdata, its release, and its reports to the
 * collector. */
#include "lua/memory.h"

#include <string.h>

/* The least number of new bytes for which a report to the collector pays. */
#define WORTH_REPORTING 1024
/* Bytes of unfinished loops are reported once they exceed this number plus half of all bytes: so
 * many can only belong to loops that were left. */
#define MUCH_LOOP_MEMORY 1000000
/* Reported bytes cause a step of the collector once they are one part in this many of Lua's own
 * memory: a small heap is collected at once, and a large one is not traversed for a few more
 * bytes. */
#define WORTH_A_STEP 4
#define MOST_KILOBYTES 1000000

/* Allocator of a closed context, which refuses: a finalizer that runs later may still call a
 * function that needs memory. */
static void *refuse(void *context, void *block, size_t old_size, size_t size) {
  (void)context, (void)block, (void)old_size, (void)size;
  return NULL;
}

/* The finalizer of the context, which is its only upvalue: each state has its own. */
static int close_context(lua_State *L) {
  satlua_StateContext *context = lua_touserdata(L, 1);
  if (!context || context != lua_touserdata(L, lua_upvalueindex(1))) return 0;
  context->is_closed = true;
  while (context->first) satlua_memory_free(context->first);
  sat_scratch_free(&context->scratch);
  context->scratch.allocator.allocate = refuse;
  return 0;
}

void satlua_push_context(lua_State *L) {
  sat_Allocator allocator;
  allocator.allocate = lua_getallocf(L, &allocator.context);
  satlua_StateContext *context = lua_newuserdata(L, sizeof *context);
  /* The numbers are 0, since LuaJIT would take bits of old memory for a value of any type. */
  *context = (satlua_StateContext){.scratch = sat_scratch_make(allocator)};
  lua_createtable(L, 0, 2);
  lua_pushvalue(L, -2);
  lua_pushcclosure(L, close_context, 1);
  lua_setfield(L, -2, "__gc");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}

static void *allocate(void *context, void *block, size_t old_size, size_t size) {
  satlua_TrackedMemory *memory = context;
  void *result = memory->lua.allocate(memory->lua.context, block, old_size, size);
  if (result || size == 0) memory->bytes += size - old_size;
  return result;
}

sat_Allocator satlua_memory_allocator(satlua_TrackedMemory *memory) {
  return (sat_Allocator){allocate, memory};
}

void *satlua_memory_make(satlua_StateContext *context, size_t size,
                         void (*release)(satlua_TrackedMemory *)) {
  sat_Allocator lua = context->scratch.allocator;
  satlua_TrackedMemory *memory = lua.allocate(lua.context, NULL, 0, size);
  if (!memory) return NULL;
  memset(memory, 0, size);
  memory->release = release;
  memory->context = context;
  memory->lua = lua;
  memory->size = size;
  memory->next = context->first;
  memory->link = &context->first;
  if (memory->next) memory->next->link = &memory->next;
  context->first = memory;
  return memory;
}

void satlua_memory_free(satlua_TrackedMemory *memory) {
  memory->release(memory);
  *memory->link = memory->next;
  if (memory->next) memory->next->link = memory->link;
  sat_Allocator lua = memory->lua;
  lua.allocate(lua.context, memory, memory->size, 0);
}

static int work(lua_State *L) {
  const size_t *kilobytes = lua_touserdata(L, 1);
  work_collector(L, *kilobytes);
  return 0;
}

static bool has_large_loops(const satlua_TrackedMemory *memory) {
  return memory->loop_bytes > MUCH_LOOP_MEMORY + memory->bytes / 2;
}

bool satlua_memory_has_unreported(const satlua_TrackedMemory *memory) {
  return memory->bytes >= memory->reported + WORTH_REPORTING || has_large_loops(memory);
}

/* Returns the number of bytes to report, and counts them as reported. */
static size_t take_unreported(satlua_TrackedMemory *memory) {
  size_t unreported = memory->bytes > memory->reported ? memory->bytes - memory->reported : 0;
  memory->reported += unreported;
  if (!has_large_loops(memory)) return unreported;
  unreported += memory->loop_bytes;
  memory->loop_bytes = 0;
  return unreported;
}

/* An error in a finalizer, which some Luas pass on, must not fail a call that has done its work.
 * Memory that finalizers take causes no further step while the collector runs them: 5.1 would
 * recurse deeper and deeper. */
void satlua_memory_report(lua_State *L, satlua_TrackedMemory *memory) {
  if (!satlua_memory_has_unreported(memory)) return;
  satlua_StateContext *context = memory->context;
  context->unreported += take_unreported(memory);
  size_t of_lua = (size_t)lua_gc(L, LUA_GCCOUNT, 0) * 1024;
  if (context->is_reporting || context->unreported < of_lua / WORTH_A_STEP) return;
  size_t kilobytes = context->unreported / 1024;
  context->unreported = 0;
  if (kilobytes > MOST_KILOBYTES) kilobytes = MOST_KILOBYTES;
  context->is_reporting = true;
  call_protected(L, work, &kilobytes);
  context->is_reporting = false;
}
