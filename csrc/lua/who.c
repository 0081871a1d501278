/* who.c: reads the argument `who` of a world's queries, and asks its function about shapes. */
#include "lua/world/world_state.h"

#include "base/heap.h"
#include "base/memory.h"
#include "lua/quadtree/quadtree_state.h"

#include <string.h>

static const char *const CONDITIONS[] = {"except", "mask", "as", "sensors", "accept"};
enum { EXCEPT, MASK, AS, SENSORS, ACCEPT, CONDITION_COUNT };

static bool is_later_index(const sat_Decision *p, const sat_Decision *q) {
  return p->index > q->index;
}
SAT_DEFINE_SORT(sat_Decision, decisions, is_later_index)

/* ---------------------------------------------------------------- reading */

/* Raises the error for a key that is none of the fields. The Lua side finds the nearest one. */
static int raise_field(lua_State *L, int arg, const char *name) {
  if (!name)
    return satlua_raise_argument(L, arg,
                                 "who has no list of shapes, but the fields except, mask, "
                                 "as, sensors and accept");
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_WORLD), SATLUA_FIELDS);
  lua_getfield(L, -1, name);
  return satlua_raise_argument(L, arg, "who has no field '%s'; the nearest is '%s'", name,
                               lua_tostring(L, -1));
}

/* Reads the shape on top of the stack: false, if that is none. One that is not in the world is in
 * no answer. A block that the world has at the place which the block names is that shape: its
 * metatable, which takes longer to compare than all else here, is read only for other blocks. */
static bool except_shape(lua_State *L, int arg, satlua_Who *who) {
  satlua_World *world = who->world;
  const sat_Shape *shape = lua_touserdata(L, -1);
  if (!shape) return false;
  bool is_large = lua_rawlen(L, -1) >= sat_shape_bytes(0);
  uint32_t index = is_large ? sat_world_index(world->core, shape) : SAT_NO_SHAPE;
  if (sat_world_shape(world->core, index) != shape) return satlua_to_shape(L, -1);
  if (SAT_LIST_RESERVE(&world->asked, 1)) satlua_raise_status(L, arg, SAT_ENOMEM);
  world->asked.at[world->asked.count++] = (sat_Decision){index, false};
  who->decided++;
  return true;
}

/* Reads the shape or the list of shapes on top of the stack. The wrong value of an error takes the
 * place of the argument. */
static void read_except(lua_State *L, int arg, satlua_Who *who) {
  enum { ON_STACK = 8 }; /* shapes at a time, since each call of Lua takes time */
  int list = lua_gettop(L), count = 0;
  if (except_shape(L, arg, who)) return;
  bool is_list = lua_istable(L, list);
  while (is_list && (lua_rawgeti(L, list, count + 1), except_shape(L, arg, who)))
    if (++count % ON_STACK == 0) lua_settop(L, list);
  if (is_list && lua_isnil(L, -1) && !satlua_has_behind(L, list, count)) {
    lua_settop(L, list);
    return;
  }
  lua_replace(L, arg);
  satlua_raise_type(L, arg, is_list ? "each of who.except" : "who.except",
                    is_list ? "shape" : "shape or a list");
}

static sat_Sensors check_sensors(lua_State *L, int arg) {
  if (lua_isboolean(L, arg)) return lua_toboolean(L, arg) ? SAT_SENSORS_TOO : SAT_SENSORS_NONE;
  if (lua_type(L, arg) != LUA_TSTRING || strcmp(lua_tostring(L, arg), "only") != 0)
    satlua_raise_argument(L, arg, "who.sensors must be true, false or \"only\"");
  return SAT_SENSORS_ONLY;
}

static uint32_t check_mask(lua_State *L, int arg, const char *name) {
  return (uint32_t)satlua_check_whole(L, arg, name, 0, 4294967295.0);
}

/* Reads the field whose key and value are on top of the stack. The value also takes the place of
 * the argument, so that errors name that. */
static void read_field(lua_State *L, int arg, int kept, satlua_Who *who) {
  const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
  int field = 0;
  while (name && field < CONDITION_COUNT && strcmp(name, CONDITIONS[field]) != 0) field++;
  if (!name || field == CONDITION_COUNT) raise_field(L, arg, name);
  if (field == EXCEPT) {
    read_except(L, arg, who);
    return;
  }
  lua_pushvalue(L, -1);
  lua_replace(L, arg);
  switch (field) {
  case MASK:
    who->filter.by_mask = true;
    who->filter.mask = check_mask(L, arg, "who.mask");
    break;
  case AS: who->filter.subject = satlua_check_shape(L, arg, "who.as"); break;
  case SENSORS: who->filter.sensors = check_sensors(L, arg); break;
  default:
    if (!lua_isfunction(L, arg)) satlua_raise_type(L, arg, "who.accept", "function");
    who->accept = kept + 1;
  }
  if (field != AS && field != ACCEPT) return;
  lua_pushvalue(L, -1);
  lua_replace(L, field == AS ? kept : kept + 1);
}

satlua_World *satlua_who_read(lua_State *L, int arg, satlua_Who *who) {
  satlua_World *world = satlua_world_check(L);
  world->asked.count = world->owner.asked_from;
  static const satlua_Who unasked; /* which is copied in less time than it is cleared */
  *who = unasked;
  who->world = world;
  who->is_given = !lua_isnoneornil(L, arg);
  who->filter.subject = satlua_to_shape(L, arg);
  if (!who->is_given || who->filter.subject) return world;
  if (lua_type(L, arg) == LUA_TNUMBER) {
    who->filter.by_mask = true;
    who->filter.mask = check_mask(L, arg, "who");
    return world;
  }
  if (!lua_istable(L, arg)) satlua_raise_type(L, arg, "who", "shape, a mask or a table");
  lua_pushvalue(L, arg);
  lua_pushnil(L);
  lua_pushnil(L);
  int kept = lua_gettop(L) - 1;
  lua_pushnil(L);
  while (lua_next(L, kept - 1)) {
    read_field(L, arg, kept, who);
    lua_pop(L, 1);
  }
  if (who->decided > 0) decisions_sort(world->asked.at + world->owner.asked_from, who->decided);
  return world;
}

/* ---------------------------------------------------------------- asking */

const sat_QueryFilter *satlua_who_filter(satlua_Who *who) {
  satlua_World *world = who->world;
  who->filter.decisions = who->decided > 0 ? world->asked.at + world->owner.asked_from : NULL;
  who->filter.decision_count = who->decided;
  who->filter.open = who->accept ? &world->open : NULL;
  return who->is_given ? &who->filter : NULL;
}

/* A shape that is not in the world is in no answer. */
const sat_QueryFilter *satlua_who_of_call(satlua_CallWho *who, const sat_World *world, SATLUA_WHO) {
  if (!as && mask < 0 && sensors == SAT_SENSORS_BY_QUERY && !except1) return NULL;
  const sat_Shape *const excepted[] = {except1, except2, except3, except4, except5,
                                       except6, except7, except8, NULL};
  size_t count = 0;
  for (size_t i = 0; excepted[i]; i++) {
    uint32_t index = sat_world_index(world, excepted[i]);
    size_t at = index == SAT_NO_SHAPE ? count : count++;
    for (; at < count && at > 0 && who->left_out[at - 1].index > index; at--)
      who->left_out[at] = who->left_out[at - 1];
    if (at < count) who->left_out[at] = (sat_Decision){index, false};
  }
  who->filter = (sat_QueryFilter){.subject = as,
                                  .by_mask = mask >= 0,
                                  .mask = mask >= 0 ? (uint32_t)mask : 0,
                                  .sensors = (sat_Sensors)sensors,
                                  .decisions = who->left_out,
                                  .decision_count = count};
  return &who->filter;
}

/* Locks a world or tree, or unlocks it, and returns whether it has been locked. */
static bool lock(satlua_LoopOwner *owner, bool is_world, bool locked) {
  if (!is_world) {
    SAT_SWAP(bool, &((satlua_Quadtree *)owner)->is_locked, &locked);
    return locked;
  }
  sat_World *world = ((satlua_World *)owner)->core;
  bool was_locked = sat_world_is_locked(world);
  sat_world_set_locked(world, locked);
  return was_locked;
}

bool satlua_accepts(lua_State *L, int type, int accept, uint32_t number, size_t *asked) {
  satlua_LoopOwner *owner = satlua_check_owner(L, type, "owner");
  satlua_StateContext *context = owner->memory.context;
  size_t from = owner->asked_from;
  satlua_check_waiting(L, context);
  lua_pushvalue(L, accept);
  satlua_push_member(L, number);
  bool was_locked = lock(owner, type == SATLUA_UP_WORLD, true);
  owner->asked_from = *asked;
  context->waiting++;
  int failed = lua_pcall(L, 1, 1, 0);
  context->waiting--;
  satlua_check_owner(L, type, "owner");
  *asked = owner->asked_from;
  owner->asked_from = from;
  lock(owner, type == SATLUA_UP_WORLD, was_locked);
  if (failed) lua_error(L);
  bool accepted = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return accepted;
}

bool satlua_who_ask(lua_State *L, satlua_Who *who, sat_Status status) {
  satlua_check_status(L, 2, status);
  satlua_World *world = who->world;
  const sat_Neighbors *open = &world->open.shapes;
  size_t wanted = world->open.wanted, end = world->owner.asked_from + who->decided + open->count;
  if (!who->accept || wanted == 0 || open->count == 0) return false;
  if (SAT_LIST_RESERVE(&world->asked, open->count)) satlua_raise_status(L, 2, SAT_ENOMEM);
  for (size_t i = 0; i < open->count; i++)
    world->asked.at[end - open->count + i].index = open->at[i].item;
  world->asked.count = end;
  for (size_t at; wanted > 0 && (at = world->owner.asked_from + who->decided) < end;
       who->decided++) {
    bool counts = satlua_accepts(L, SATLUA_UP_WORLD, who->accept, world->asked.at[at].index,
                                 &world->asked.count);
    world->asked.at[at].counts = counts;
    wanted -= counts;
  }
  world->asked.count = world->owner.asked_from + who->decided;
  decisions_sort(world->asked.at + world->owner.asked_from, who->decided);
  return true;
}
