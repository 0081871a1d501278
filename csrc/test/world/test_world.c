/* test_world.c: the world gives the answers of a plain list of shapes, for which every shape is
 * tested every time. */
#include "world/world.h"
#include "narrowphase/collide.h"
#include "narrowphase/composite/composite_pair.h"
#include "narrowphase/convex/convex_cast.h"
#include "test/saves.h"
#include "shape/composite.h"
#include "shape/piece_view.h"
#include "test/memory.h"
#include "test/polygons.h"
#include "test/random.h"
#include "test/suite.h"

/* ---------------------------------------------------------------- a world and a list */

enum { MOST = 64, MOST_VERTICES = 10, MOST_PAIRS = MOST * MOST };

/* A pair of shapes with their ids, by which lists of pairs are compared. */
typedef struct Met {
  uint32_t a, b;
  uint64_t id_a, id_b;
} Met;

typedef struct Twin {
  Memory memory;
  sat_ChangeList changes;
  sat_World world;
  sat_Items items;
  sat_CastHits casts;
  sat_Collisions hits;
  sat_Events events;
  sat_Nodes nodes;
  sat_Scratch scratch;
  /* the plain list, by index */
  sat_Shape *shapes[MOST];
  uint64_t ids[MOST], next_id;
  uint32_t count;
  /* the pairs that touched at the last update, and its events */
  Met touching[MOST_PAIRS], began[MOST_PAIRS], ended[MOST_PAIRS];
  size_t touching_count, began_count, ended_count;
  bool ignored;
  sat_Shape *outsider; /* a subject of queries that is in no world */
} Twin;

static Twin twin;

/* How often a check was made that some scenes leave out. */
static struct Checked { uint64_t out_of_walls, unpushed, casts_along, casts_at_corners; } checked;

static Random random_state;
static uint64_t seed;

#define CHECK(condition) CHECK_SEED(seed, condition)

/* Lets every allocation of a call fail in turn until the call succeeds, and checks each time that
 * nothing has changed. `status` is the outcome of the last try. */
#define TRY(status, call)                                                                          \
  do {                                                                                             \
    for (int k = 0;; k++) {                                                                        \
      twin.memory.until_fails = k;                                                                 \
      (status) = (call);                                                                           \
      twin.memory.until_fails = -1;                                                                \
      if ((status) != SAT_ENOMEM) break;                                                           \
      check_members();                                                                             \
    }                                                                                              \
  } while (0)

static sat_Allocator watched(void) { return (sat_Allocator){watched_allocate, &twin.memory}; }
static double real(double low, double high) { return random_real(&random_state, low, high); }
static int64_t whole(int64_t low, int64_t high) { return random_integer(&random_state, low, high); }
static bool one_in(int64_t n) { return whole(1, n) == 1; }

/* ---------------------------------------------------------------- shapes */

/* Half of all scenes are on a small grid, so that ties and touches are common. */
static bool on_grid;
static double far_away;

static bool is_huge; /* some shapes reach to the limits of the plane and beyond */

static double coordinate(void) {
  if (is_huge && one_in(6)) return (double)whole(-2, 2) * 0.5e15;
  return on_grid ? (double)whole(-8, 8) : real(-40, 40) + far_away;
}

static double random_extent(void) {
  if (is_huge && one_in(6)) return 0.5e15;
  return on_grid ? (double)whole(0, 3) : real(0, 6);
}

static sat_Vec2 clamped(sat_Vec2 point) {
  return vec2(clamp(point.x, -SAT_LIMIT, SAT_LIMIT), clamp(point.y, -SAT_LIMIT, SAT_LIMIT));
}

/* A radius that would lead beyond the limits is left out. */
static void init_within(sat_Shape *shape, const sat_Vec2 *points, size_t count, double radius) {
  if (sat_shape_init(shape, points, count, radius) == SAT_ERANGE)
    CHECK(sat_shape_init(shape, points, count, 0) == SAT_OK);
}

static sat_Shape *make_round(size_t count) {
  sat_Vec2 at = vec2(coordinate(), coordinate());
  sat_Vec2 points[2] = {at, clamped(add(at, vec2(random_extent(), random_extent())))};
  sat_Shape *shape = malloc(sat_shape_bytes(count));
  init_within(shape, points, count, one_in(3) ? 0 : random_extent());
  return shape;
}

static sat_Shape *make_polygon(void) {
  sat_Vec2 at = vec2(coordinate(), coordinate()), points[MOST_VERTICES];
  size_t count = (size_t)whole(3, MOST_VERTICES);
  for (size_t i = 0; i < count; i++)
    points[i] = clamped(add(at, vec2(random_extent(), random_extent())));
  if (sat_hull(points, &count, &twin.scratch, NULL) != SAT_OK) return NULL;
  sat_Shape *shape = malloc(sat_shape_bytes(count));
  init_within(shape, points, count, one_in(4) ? random_extent() : 0);
  return shape;
}

static void set_properties(sat_Shape *shape) {
  sat_shape_set_sensor(shape, one_in(5));
  sat_shape_set_static(shape, one_in(4));
  sat_shape_set_enabled(shape, !one_in(8));
  if (one_in(4))
    sat_shape_set_filter(shape, (uint32_t)whole(0, 7), (uint32_t)whole(0, 7),
                         (int32_t)whole(-2, 2));
}

static sat_Shape *make_ring(void) {
  sat_Vec2 points[MOST_VERTICES], at = vec2(coordinate(), coordinate());
  sat_Decomposition pieces;
  size_t count = random_simple_polygon(&random_state, 6, MOST_VERTICES, points);
  for (size_t i = 0; i < count; i++) points[i] = add(points[i], at);
  if (count == 0 || sat_ring_decompose(points, count, &twin.scratch, &pieces) != SAT_OK)
    return NULL;
  sat_Shape *shape = malloc(sat_polygon_bytes(count, &pieces));
  if (sat_polygon_init(shape, points, count, &pieces) == SAT_OK) return shape;
  free(shape);
  return NULL;
}

static sat_Shape *make_chain(void) {
  sat_Vec2 points[MOST_VERTICES];
  size_t count = (size_t)whole(1, MOST_VERTICES);
  for (size_t i = 0; i < count; i++) points[i] = vec2(coordinate(), coordinate());
  sat_Shape *shape = malloc(sat_chain_bytes(count));
  CHECK(sat_chain_init(shape, points, count, one_in(2)) == SAT_OK);
  return shape;
}

static sat_Shape *make_compound(void) {
  sat_Shape *members[5] = {make_round(1), make_round(2), make_polygon(), make_ring(),
                           one_in(2) ? make_chain() : NULL};
  const sat_Shape *chosen[5];
  size_t count = 0;
  for (int i = 0; i < 5; i++)
    if (members[i]) chosen[count++] = members[i];
  sat_Shape *shape = malloc(sat_compound_bytes(chosen, count));
  CHECK(sat_compound_init(shape, chosen, count) == SAT_OK);
  for (int i = 0; i < 5; i++) free(members[i]);
  return shape;
}

static sat_Shape *make_composite(void) {
  switch (whole(0, 2)) {
  case 0: return make_chain();
  case 1: return make_compound();
  default: return make_ring();
  }
}

static sat_Shape *make_shape(void) {
  sat_Shape *shape = NULL;
  if (one_in(5)) shape = make_composite();
  else if (one_in(3)) shape = make_round((size_t)whole(1, 2));
  while (!shape) shape = make_polygon();
  set_properties(shape);
  return shape;
}

static void change(sat_Shape *shape) {
  switch (whole(0, 9)) {
  case 0: sat_shape_rotate(shape, on_grid ? 1.5707963267948966 : real(-4, 4)); break;
  case 1: sat_shape_scale(shape, one_in(2) ? 2 : 0.5); break;
  case 2: sat_shape_set_radius(shape, random_extent()); break;
  case 3: sat_shape_flip(shape, one_in(2)); break;
  case 4: set_properties(shape); break;
  case 5: sat_shape_transform(shape, coordinate(), coordinate(), real(-4, 4)); break;
  case 6: sat_shape_move_to(shape, coordinate(), coordinate()); break;
  case 7: sat_shape_scale_axes(shape, one_in(2) ? 2 : 0.5, one_in(2) ? 2 : 0.5); break;
  default:
    if (on_grid) sat_shape_move(shape, (double)whole(-1, 1), (double)whole(-1, 1));
    else sat_shape_move(shape, real(-2, 2), real(-2, 2));
  }
}

/* ---------------------------------------------------------------- beginning and ending */

static void make_twin(uint64_t new_seed) {
  seed = new_seed;
  random_state.state = seed;
  memset(&twin, 0, sizeof twin);
  twin.memory.until_fails = -1;
  twin.casts.allocator = twin.items.allocator = twin.hits.allocator = twin.events.allocator =
      watched();
  twin.nodes.allocator = watched();
  twin.scratch = sat_scratch_make(watched());
  twin.next_id = 1;
  sat_world_init(&twin.world, watched(), &twin.changes);
  on_grid = seed % 2;
  far_away = seed % 6 == 0 ? 1e7 : 0;
  is_huge = seed % 10 == 4;
  twin.outsider = make_shape();
}

static void free_lists(void) {
  SAT_LIST_FREE(&twin.items);
  SAT_LIST_FREE(&twin.casts);
  SAT_LIST_FREE(&twin.hits);
  SAT_LIST_FREE(&twin.events);
  SAT_LIST_FREE(&twin.nodes);
}

static void free_twin(void) {
  sat_world_free(&twin.world);
  sat_scratch_free(&twin.scratch);
  free_lists();
  CHECK(twin.memory.bytes == 0);
  for (uint32_t slot = 0; slot < MOST; slot++) {
    if (twin.shapes[slot]) CHECK(twin.shapes[slot]->changes == NULL);
    free(twin.shapes[slot]);
  }
  free(twin.outsider);
}

/* ---------------------------------------------------------------- members */

static void check_members(void) {
  CHECK(sat_world_count(&twin.world) == twin.count);
  CHECK(sat_world_next_id(&twin.world) == twin.next_id);
  for (uint32_t slot = 0; slot < MOST; slot++) {
    CHECK(sat_world_shape(&twin.world, slot) == twin.shapes[slot]);
    CHECK(sat_world_id(&twin.world, slot) == twin.ids[slot]);
    if (twin.shapes[slot]) CHECK(sat_world_has(&twin.world, twin.shapes[slot]));
  }
  CHECK(sat_world_event_count(&twin.world, SAT_BEGIN) == twin.began_count);
  CHECK(sat_world_event_count(&twin.world, SAT_END) == twin.ended_count);
  CHECK(sat_world_event_count(&twin.world, SAT_PERSIST) ==
        (twin.ignored ? 0 : twin.touching_count - twin.began_count));
}

/* Any shape of the world, or NULL. */
static sat_Shape *pick(void) {
  if (twin.count == 0) return NULL;
  uint32_t slot = (uint32_t)whole(0, MOST - 1);
  while (!twin.shapes[slot]) slot = (slot + 1) % MOST;
  return twin.shapes[slot];
}

static sat_Shape *pick_subject(void) { return twin.count && !one_in(4) ? pick() : twin.outsider; }

static void add_one(void) {
  uint32_t slot = 0;
  sat_Status status;
  while (slot < MOST && twin.shapes[slot]) slot++;
  if (slot == MOST) return;
  sat_Shape *shape = make_shape();
  TRY(status, sat_world_add(&twin.world, shape));
  CHECK(status == SAT_OK);
  CHECK(sat_world_add(&twin.world, shape) == SAT_ETAKEN);
  twin.shapes[slot] = shape;
  twin.ids[slot] = twin.next_id++;
  twin.count++;
}

static void forget(uint32_t slot) {
  CHECK(!sat_world_has(&twin.world, twin.shapes[slot]));
  free(twin.shapes[slot]);
  twin.shapes[slot] = NULL;
  twin.ids[slot] = 0;
  twin.count--;
}

static bool has_touched(uint64_t id) {
  for (size_t i = 0; i < twin.touching_count; i++)
    if (twin.touching[i].id_a == id || twin.touching[i].id_b == id) return true;
  return false;
}

static void remove_one(void) {
  sat_Shape *shape = pick();
  if (!shape) return;
  uint32_t slot = (uint32_t)shape->index;
  CHECK(sat_world_has_contact_events(&twin.world, shape) == has_touched(twin.ids[slot]));
  sat_world_remove(&twin.world, shape);
  forget(slot);
}

static void clear_all(void) {
  sat_world_clear(&twin.world);
  for (uint32_t slot = 0; slot < MOST; slot++)
    if (twin.shapes[slot]) forget(slot);
}

static void change_some(void) {
  for (int64_t i = one_in(4) ? whole(1, 100) : whole(1, 3); i > 0 && twin.count > 0; i--)
    change(pick());
}

static void ask_for_shapes(void) {
  sat_Status status;
  size_t count = 0;
  TRY(status, sat_world_shapes(&twin.world, &twin.items));
  CHECK(status == SAT_OK);
  for (uint32_t slot = 0; slot < MOST; slot++)
    if (twin.shapes[slot]) CHECK(twin.items.at[count++] == slot);
  CHECK(twin.items.count == count);
}

/* Checks that the nodes count every enabled shape once, and that a node is at the lower corner of
 * its box or beside it. */
static void ask_for_nodes(void) {
  sat_Status status;
  TRY(status, sat_world_nodes(&twin.world, &twin.nodes));
  CHECK(status == SAT_OK);
  uint32_t held = 0, expected = 0;
  for (size_t i = 0; i < twin.nodes.count; i++) held += twin.nodes.at[i].count;
  for (uint32_t slot = 0; slot < MOST; slot++) {
    const sat_Shape *shape = twin.shapes[slot];
    if (!shape || (shape->flags & SAT_DISABLED)) continue;
    sat_Vec2 corner = sat_shape_bounds(shape).min;
    bool found = false;
    for (size_t i = 0; i < twin.nodes.count && !found; i++) {
      sat_Rectangle box = twin.nodes.at[i].box;
      found = corner.x >= box.x - box.w && corner.x <= box.x + 2 * box.w &&
              corner.y >= box.y - box.h && corner.y <= box.y + 2 * box.h;
    }
    CHECK(found);
    expected++;
  }
  CHECK(held == expected);
}

/* ---------------------------------------------------------------- pairs */

static bool is_enabled(uint32_t slot) {
  return twin.shapes[slot] && !(twin.shapes[slot]->flags & SAT_DISABLED);
}

static bool may_meet(const sat_Shape *a, const sat_Shape *b) {
  if ((a->flags & SAT_SENSOR) && (b->flags & SAT_SENSOR)) return false;
  if ((a->flags & SAT_STATIC) && (b->flags & SAT_STATIC)) return false;
  return sat_shapes_filter(a, b);
}

static bool collides(uint32_t a, uint32_t b, sat_Result *result) {
  const sat_Shape *p = twin.shapes[a], *q = twin.shapes[b];
  return is_enabled(a) && is_enabled(b) && may_meet(p, q) &&
         sat_collide(p, q, &twin.scratch, result) == SAT_OK;
}

static bool same_vector(const sat_Collision *hit, const sat_Result *result) {
  return hit->dx == result->vector.x && hit->dy == result->vector.y && hit->depth == result->depth;
}

static void ask_for_collisions(void) {
  sat_Status status;
  sat_Result result;
  size_t count = 0;
  TRY(status, sat_world_collisions(&twin.world, &twin.hits));
  CHECK(status == SAT_OK);
  for (uint32_t a = 0; a < MOST; a++)
    for (uint32_t b = a + 1; b < MOST; b++) {
      if (!collides(a, b, &result)) continue;
      CHECK(count < twin.hits.count);
      const sat_Collision *hit = &twin.hits.at[count++];
      CHECK(hit->a == a && hit->b == b && same_vector(hit, &result));
    }
  CHECK(twin.hits.count == count);
}

static void ask_for_collisions_of_one(void) {
  sat_Shape *subject = pick_subject();
  sat_Status status;
  sat_Result result;
  size_t count = 0;
  TRY(status, sat_world_collisions_of(&twin.world, subject, &twin.hits));
  CHECK(status == SAT_OK);
  for (uint32_t slot = 0; slot < MOST; slot++) {
    if (!is_enabled(slot) || twin.shapes[slot] == subject) continue;
    if (!may_meet(subject, twin.shapes[slot])) continue;
    if (sat_collide(subject, twin.shapes[slot], &twin.scratch, &result)) continue;
    CHECK(count < twin.hits.count);
    const sat_Collision *hit = &twin.hits.at[count++];
    CHECK(hit->a == (subject == twin.outsider ? SAT_NO_SHAPE : (uint32_t)subject->index));
    CHECK(hit->b == slot && same_vector(hit, &result));
  }
  CHECK(twin.hits.count == count);
}

static bool same_met(const Met *p, const Met *q) {
  return p->a == q->a && p->b == q->b && p->id_a == q->id_a && p->id_b == q->id_b;
}

static bool is_among(const Met *met, const Met *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (same_met(&list[i], met)) return true;
  return false;
}

/* Whether two shapes collide, or are separate by no more than rounding. Needles that reach to the
 * limits of the plane have short edges without a direction that a distance could rely on. */
static bool do_touch(uint32_t a, uint32_t b) {
  const sat_Shape *p = twin.shapes[a], *q = twin.shapes[b];
  sat_Distance separation;
  sat_Result result;
  bool near;
  if (!is_enabled(a) || !is_enabled(b) || !may_meet(p, q)) return false;
  if (is_huge) return sat_touch(p, q, &twin.scratch, &result, &near) == SAT_OK || near;
  CHECK(sat_distance(p, q, &twin.scratch, &separation) == SAT_OK);
  return separation.distance <= sat_touch_rounding(p, q);
}

static size_t list_touching(Met *list) {
  size_t count = 0;
  for (uint32_t a = 0; a < MOST; a++)
    for (uint32_t b = a + 1; b < MOST; b++)
      if (do_touch(a, b)) list[count++] = (Met){a, b, twin.ids[a], twin.ids[b]};
  return count;
}

static void check_events(sat_EventKind what, const Met *expected, size_t count) {
  sat_Status status;
  TRY(status, sat_world_events(&twin.world, what, &twin.events));
  CHECK(status == SAT_OK);
  CHECK(twin.events.count == count);
  for (size_t i = 0; i < count; i++) {
    const sat_Event *event = &twin.events.at[i];
    Met met = {event->a, event->b, event->id_a, event->id_b};
    CHECK(same_met(&met, &expected[i]));
  }
}

static void check_all_events(void) {
  static Met went_on[MOST_PAIRS];
  size_t count = 0;
  for (size_t i = 0; i < twin.touching_count && !twin.ignored; i++)
    if (!is_among(&twin.touching[i], twin.began, twin.began_count))
      went_on[count++] = twin.touching[i];
  check_events(SAT_BEGIN, twin.began, twin.began_count);
  check_events(SAT_PERSIST, went_on, count);
  check_events(SAT_END, twin.ended, twin.ended_count);
}

static void update(void) {
  static Met now[MOST_PAIRS];
  sat_Status status;
  TRY(status, sat_world_update(&twin.world));
  CHECK(status == SAT_OK);
  size_t count = list_touching(now);
  twin.began_count = twin.ended_count = 0;
  for (size_t i = 0; i < count; i++)
    if (!is_among(&now[i], twin.touching, twin.touching_count))
      twin.began[twin.began_count++] = now[i];
  for (size_t i = 0; i < twin.touching_count; i++)
    if (!is_among(&twin.touching[i], now, count)) twin.ended[twin.ended_count++] = twin.touching[i];
  memcpy(twin.touching, now, count * sizeof *now);
  twin.touching_count = count;
  twin.ignored = false;
  check_all_events();
}

/* ---------------------------------------------------------------- separating */

static bool solid_pair(uint32_t a, uint32_t b) {
  const sat_Shape *p = twin.shapes[a], *q = twin.shapes[b];
  return is_enabled(a) && is_enabled(b) && may_meet(p, q) && !((p->flags | q->flags) & SAT_SENSOR);
}

/* Whether a compound may cover the shape's back. */
static bool has_chain(const sat_Shape *shape) {
  sat_Piece single;
  return sat_pieces_of(shape, &single).flags & SAT_ONE_SIDED;
}

/* How deep a shape is in the walls that it meets, less the rounding of each of these. */
typedef struct DepthInWalls {
  double deepest, all; /* in the deepest wall; in a compound of all walls */
  size_t walls;
  bool chains; /* a chain takes part, whose back the compound may cover */
} DepthInWalls;

static DepthInWalls depth_in_walls(sat_Shape **copies, uint32_t mover) {
  const sat_Shape *walls[MOST];
  sat_Touch touches[MOST];
  sat_Result way;
  uint32_t first = 0;
  DepthInWalls depth = {0, 0, 0, copies[mover] && has_chain(copies[mover])};
  if (!copies[mover] || copies[mover]->flags & SAT_STATIC) return depth;
  for (uint32_t slot = 0; slot < MOST; slot++)
    if (copies[slot] && slot != mover && copies[slot]->flags & SAT_STATIC &&
        solid_pair(slot, mover)) {
      const sat_Shape *wall = walls[depth.walls] = copies[slot];
      double own = sat_touch_rounding(copies[mover], wall);
      touches[depth.walls++] = (sat_Touch){first, own};
      first += is_composite(wall) ? sat_composite_header(wall)->vertices : wall->vertex_count;
      depth.chains = depth.chains || has_chain(wall);
      if (sat_collide_beyond(copies[mover], wall, own, &twin.scratch, &way) == SAT_OK)
        depth.deepest = fmax(depth.deepest, way.depth);
    }
  if (depth.walls == 0) return depth;
  sat_Shape *compound = malloc(sat_compound_bytes(walls, depth.walls));
  CHECK(sat_compound_init(compound, walls, depth.walls) == SAT_OK);
  if (sat_composite_leave(copies[mover], compound, touches, (uint32_t)depth.walls, NULL,
                          &twin.scratch, &way) == SAT_OK)
    depth.all = way.depth;
  free(compound);
  return depth;
}

/* Whether a copy overlaps any solid shape that it is a pair with, or any that moves, by more than
 * rounding: that is a touch. The way out of a pair, which has the lower index in front, and the one
 * back differ by rounding, too. */
static bool overlaps_any(sat_Shape **copies, uint32_t slot, bool moving) {
  sat_Result way;
  for (uint32_t other = 0; other < MOST; other++) {
    if (!copies[other] || other == slot || !solid_pair(other, slot)) continue;
    const sat_Shape *p = copies[slot < other ? slot : other],
                    *q = copies[slot < other ? other : slot];
    if (moving && (p->flags | q->flags) & SAT_STATIC) continue;
    if (sat_collide_beyond(p, q, sat_touch_rounding(p, q), &twin.scratch, &way) == SAT_OK &&
        way.depth > 0)
      return true;
  }
  return false;
}

static bool stands_still(const sat_Shape *one, const sat_Shape *other) {
  return memcmp(&one->centroid, &other->centroid, sizeof one->centroid) == 0 &&
         memcmp(&one->origin, &other->origin, sizeof one->origin) == 0;
}

/* Checks that a shape has left its walls, but for two cases: a shape whose bounds cannot move
 * beyond the limits may stay in a wall, and at a chain's back each wall may lead another way than
 * all walls together. */
static void check_out_of_walls(sat_Shape **now, uint32_t slot) {
  DepthInWalls depth = depth_in_walls(now, slot);
  sat_Vec2 center = sat_shape_center(now[slot]);
  sat_Box box = sat_shape_bounds(now[slot]);
  double farthest = fmax(fmax(-box.min.x, box.max.x), fmax(-box.min.y, box.max.y));
  double most = fmax(depth.deepest, depth.all);
  if (is_huge && fabs(center.x) + fabs(center.y) + most > SAT_LIMIT / 16) return;
  if (farthest + most > SAT_LIMIT) return;
  if (depth.chains) return;
  CHECK(most == 0);
  checked.out_of_walls += depth.walls > 0;
}

static void separate(void) {
  sat_Shape *copies[MOST] = {NULL};
  size_t pushed;
  bool moved = false;
  sat_Status status;
  for (uint32_t slot = 0; slot < MOST; slot++) {
    if (!twin.shapes[slot]) continue;
    copies[slot] = malloc(twin.shapes[slot]->bytes);
    sat_shape_copy(copies[slot], twin.shapes[slot]);
  }
  TRY(status, sat_world_separate(&twin.world, 1, &pushed));
  CHECK(status == SAT_OK);
  for (uint32_t slot = 0; slot < MOST; slot++) {
    if (!copies[slot]) continue;
    bool still = stands_still(copies[slot], twin.shapes[slot]);
    moved = moved || !still;
    CHECK(still || (is_enabled(slot) && !(copies[slot]->flags & SAT_STATIC)));
    if (pushed == 0) CHECK(still);
    check_out_of_walls(twin.shapes, slot);
  }
  bool overlapped = false;
  for (uint32_t slot = 0; slot < MOST; slot++) {
    if (!copies[slot]) continue;
    overlapped = overlapped || overlaps_any(copies, slot, false);
    if (pushed == 0) CHECK(!overlaps_any(copies, slot, true));
  }
  CHECK(overlapped || !moved);
  checked.unpushed += pushed == 0;
  for (uint32_t slot = 0; slot < MOST; slot++) free(copies[slot]);
}

/* ---------------------------------------------------------------- queries of a place */

static void check_items(const bool *expected) {
  size_t count = 0;
  for (uint32_t slot = 0; slot < MOST; slot++) {
    if (!expected[slot]) continue;
    CHECK(count < twin.items.count);
    CHECK(twin.items.at[count++] == slot);
  }
  CHECK(twin.items.count == count);
}

static void pick_except(sat_QueryFilter *filter) {
  static sat_Decision list[MOST];
  filter->decisions = list;
  filter->decision_count = 0;
  for (uint32_t slot = 0; slot < MOST; slot++)
    if (one_in(5)) list[filter->decision_count++] = (sat_Decision){slot, false};
}

/* No filter, or one of any of the things that a filter may say. */
static const sat_QueryFilter *pick_filter(void) {
  static sat_QueryFilter filter;
  filter = (sat_QueryFilter){.by_mask = one_in(2), .mask = (uint32_t)whole(0, 7)};
  if (one_in(2)) filter.subject = pick_subject();
  if (one_in(2)) filter.sensors = (sat_Sensors)whole(0, 3);
  if (one_in(3)) pick_except(&filter);
  return one_in(3) ? NULL : &filter;
}

static bool is_admitted(const sat_QueryFilter *filter, uint32_t slot) {
  const sat_Shape *shape = twin.shapes[slot];
  if (!filter) return true;
  if (filter->by_mask && !(shape->category & filter->mask)) return false;
  for (size_t i = 0; i < filter->decision_count; i++)
    if (filter->decisions[i].index == slot) return filter->decisions[i].counts;
  const sat_Shape *subject = filter->subject;
  if (subject && (shape == subject || !sat_shapes_filter(shape, subject))) return false;
  return is_admitted(filter->also, slot);
}

static sat_Sensors sensors_asked(const sat_QueryFilter *filter, sat_Sensors otherwise) {
  return filter && filter->sensors != SAT_SENSORS_BY_QUERY ? filter->sensors : otherwise;
}

/* Whether a query with a filter asks about a shape, and of itself about sensors as well or not. */
static bool is_asked(const sat_QueryFilter *filter, uint32_t slot, sat_Sensors otherwise) {
  if (!is_enabled(slot) || !is_admitted(filter, slot)) return false;
  bool is_sensor = sat_shape_is_sensor(twin.shapes[slot]);
  switch (sensors_asked(filter, otherwise)) {
  case SAT_SENSORS_NONE: return !is_sensor;
  case SAT_SENSORS_ONLY: return is_sensor;
  default: return true;
  }
}

static void ask_at(void) {
  sat_Vec2 point = vec2(coordinate(), coordinate());
  const sat_QueryFilter *filter = pick_filter();
  bool expected[MOST] = {false};
  sat_Status status;
  TRY(status, sat_world_at(&twin.world, point, filter, &twin.items));
  CHECK(status == SAT_OK);
  for (uint32_t slot = 0; slot < MOST; slot++)
    expected[slot] = is_asked(filter, slot, SAT_SENSORS_TOO) &&
                     sat_contains_point(twin.shapes[slot], point, &twin.scratch) == SAT_OK;
  check_items(expected);
}

static void ask_box(void) {
  sat_Rectangle box = {coordinate(), coordinate(), one_in(4) ? 0 : random_extent() * 3,
                       one_in(4) ? 0 : random_extent() * 3};
  sat_Vec2 corners[4] = {{box.x, box.y},
                         {box.x + box.w, box.y},
                         {box.x + box.w, box.y + box.h},
                         {box.x, box.y + box.h}};
  size_t count = 4;
  bool expected[MOST] = {false};
  sat_Status status;
  const sat_QueryFilter *filter = pick_filter();
  if (box.w == 0 || box.h == 0) corners[1] = corners[2], count = 2;
  sat_Shape *probe = malloc(sat_shape_bytes(count));
  bool is_box = fmax(box.w, box.h) <= SAT_LIMIT && !sat_shape_init(probe, corners, count, 0);
  TRY(status, sat_world_query(&twin.world, box, filter, &twin.items));
  CHECK(status == (is_box ? SAT_OK : SAT_ERANGE));
  for (uint32_t slot = 0; slot < MOST; slot++)
    expected[slot] = is_box && is_asked(filter, slot, SAT_SENSORS_TOO) &&
                     sat_overlaps(twin.shapes[slot], probe, &twin.scratch) == SAT_OK;
  check_items(expected);
  free(probe);
}

static void ask_shape(void) {
  sat_Shape *subject = pick_subject();
  bool expected[MOST] = {false};
  sat_Status status;
  TRY(status, sat_world_query_shape(&twin.world, subject, &twin.items));
  CHECK(status == SAT_OK);
  for (uint32_t slot = 0; slot < MOST; slot++)
    expected[slot] = is_enabled(slot) && twin.shapes[slot] != subject &&
                     sat_shapes_filter(subject, twin.shapes[slot]) &&
                     sat_overlaps(subject, twin.shapes[slot], &twin.scratch) == SAT_OK;
  check_items(expected);
}

/* ---------------------------------------------------------------- first hits and nearest shapes */

/* The indices of the shapes that have a distance, by ascending distance. */
typedef struct Order {
  double distances[MOST];
  uint32_t indices[MOST], count;
} Order;

static void enter_order(Order *order, uint32_t slot, double distance) {
  uint32_t at = order->count++;
  for (; at > 0 && order->distances[at - 1] > distance; at--) {
    order->distances[at] = order->distances[at - 1];
    order->indices[at] = order->indices[at - 1];
  }
  order->distances[at] = distance;
  order->indices[at] = slot;
}

static void check_order(const Order *order, size_t most) {
  CHECK(twin.items.count == (order->count < most ? order->count : most));
  for (size_t i = 0; i < twin.items.count; i++) CHECK(twin.items.at[i] == order->indices[i]);
}

static void check_cast_hit(sat_Status status, const sat_CastHit *first, const Order *order,
                           const sat_Hit *impacts) {
  CHECK(status == (order->count ? SAT_OK : SAT_MISS));
  if (status) return;
  uint32_t slot = order->indices[0];
  CHECK(first->other == slot);
  CHECK(memcmp(&first->hit, &impacts[slot], sizeof *impacts) == 0);
}

/* A compound of all shapes that a ray with a filter asks about, which closes gaps without width, or
 * NULL. */
static sat_Shape *compound_of_all(const sat_QueryFilter *filter) {
  const sat_Shape *members[MOST];
  size_t count = 0;
  for (uint32_t slot = 0; slot < MOST; slot++)
    if (is_asked(filter, slot, SAT_SENSORS_NONE)) members[count++] = twin.shapes[slot];
  if (count == 0) return NULL;
  sat_Shape *compound = malloc(sat_compound_bytes(members, count));
  CHECK(sat_compound_init(compound, members, count) == SAT_OK);
  return compound;
}

/* The first hit of a ray on that compound; at HUGE_VAL for a miss. */
static sat_Hit first_of_compound(const sat_QueryFilter *filter, sat_Vec2 from, sat_Vec2 to) {
  sat_Shape *compound = compound_of_all(filter);
  sat_Hit hit = {.t = HUGE_VAL};
  if (compound) CHECK(sat_raycast(compound, from, to, &twin.scratch, &hit) <= SAT_MISS);
  free(compound);
  return hit;
}

/* Whether shapes on the way may abut, within a rounding error that is 1000 at coordinates of
 * 1e15. */
static bool may_abut(sat_Vec2 from, sat_Vec2 to) {
  return on_grid || fabs(from.x) + fabs(from.y) + fabs(to.x) + fabs(to.y) > 1e9;
}

/* Checks a cast: where several shapes meet the subject at once, the hit may be another's, whose
 * surface the union of the shapes shows there. */
static void check_cast_of_shape(sat_Status status, const sat_CastHit *first, const Order *order,
                                const sat_Hit *impacts, const sat_Shape *subject, sat_Vec2 motion) {
  CHECK(status == (order->count ? SAT_OK : SAT_MISS));
  if (status) return;
  const sat_Hit *expected = &impacts[order->indices[0]];
  CHECK(first->hit.t == expected->t);
  if (memcmp(&first->hit.normal, &expected->normal, sizeof expected->normal) == 0) {
    CHECK(first->other == order->indices[0]);
    CHECK(memcmp(&first->hit.point, &expected->point, sizeof expected->point) == 0);
    return;
  }
  sat_Shape *there = malloc(subject->bytes);
  CHECK(there != NULL);
  sat_shape_copy(there, subject);
  sat_Distance distance;
  sat_Vec2 way = mul(motion, expected->t);
  CHECK(dot(first->hit.normal, motion) < 0);
  CHECK(sat_shape_move(there, way.x, way.y) == SAT_OK);
  CHECK(sat_distance(there, twin.shapes[first->other], &twin.scratch, &distance) <= SAT_MISS);
  CHECK(distance.distance <= 1e3 * sat_touch_rounding(there, twin.shapes[first->other]));
  checked.casts_at_corners++;
  free(there);
}

/* Checks the hits of a ray. Where shapes may abut, their shared edges may be hit, too, and the
 * first hit is at the time `sealed` at which the ray hits the compound. */
static void check_ray_hits(const Order *order, const sat_Hit *impacts, bool abut, double sealed) {
  double rounding = 1e-6;
  for (size_t i = 0; i < twin.casts.count; i++) {
    const sat_CastHit *cast = &twin.casts.at[i];
    CHECK(i == 0 || twin.casts.at[i - 1].hit.t <= cast->hit.t);
    CHECK(twin.items.at[i] == cast->other);
    if (!abut) CHECK(memcmp(&cast->hit, &impacts[cast->other], sizeof *impacts) == 0);
  }
  CHECK(twin.casts.count == twin.items.count);
  /* A ray as long as the plane hits what its end is beside by its rounding, not by the boxes. */
  CHECK(twin.casts.count >= order->count || is_huge);
  if (!abut || twin.casts.count == 0 || sealed > 1) return;
  CHECK(fabs(twin.casts.at[0].hit.t - sealed) <= rounding);
}

/* Whether a ray starts inside of what it hits, where it has no normal. */
static bool is_inside(const sat_Hit *hit) { return hit->normal.x == 0 && hit->normal.y == 0; }

static void ask_ray(void) {
  sat_Vec2 from = vec2(coordinate(), coordinate()), to = vec2(coordinate(), coordinate());
  const sat_QueryFilter *filter = pick_filter();
  sat_Hit impacts[MOST];
  sat_CastHit first;
  sat_Status status, all;
  Order order = {.count = 0};
  for (uint32_t slot = 0; slot < MOST; slot++)
    if (is_asked(filter, slot, SAT_SENSORS_NONE) &&
        sat_raycast(twin.shapes[slot], from, to, &twin.scratch, &impacts[slot]) == SAT_OK)
      enter_order(&order, slot, is_inside(&impacts[slot]) ? -1 : impacts[slot].t);
  bool abut = may_abut(from, to);
  sat_Hit sealed = {.t = HUGE_VAL};
  if (on_grid) sealed = first_of_compound(filter, from, to);
  TRY(status, sat_world_raycast(&twin.world, from, to, filter, &first));
  if (!abut) check_cast_hit(status, &first, &order, impacts);
  TRY(all, sat_world_raycast_all(&twin.world, from, to, filter, &twin.items));
  CHECK(all == SAT_OK);
  if (!abut) check_order(&order, MOST);
  TRY(all, sat_world_raycast_hits(&twin.world, from, to, filter, &twin.casts));
  CHECK(all == SAT_OK && (status == SAT_OK) == (twin.casts.count > 0));
  check_ray_hits(&order, impacts, abut, sealed.t);
  if (sealed.t <= 1) CHECK(status == SAT_OK && is_inside(&first.hit) == is_inside(&sealed));
  if (status == SAT_OK) CHECK(first.other == twin.casts.at[0].other);
}

/* Checks a cast of a shape that may run along a shared edge, and be hit there before it is hit by a
 * shape alone. Without chains it is hit when the compound of all shapes hits it, unless it meets
 * them at the start. */
static void check_cast_along(sat_Status status, const sat_CastHit *first, const Order *order,
                             sat_Shape *subject, const sat_QueryFilter *filter, sat_Vec2 motion) {
  const sat_QueryFilter both = {
      .subject = subject, .sensors = sensors_asked(filter, SAT_SENSORS_NONE), .also = filter};
  sat_Shape *compound = compound_of_all(&both);
  sat_Hit hit;
  if (order->count) CHECK(status == SAT_OK && first->hit.t <= order->distances[0]);
  if (!compound) return;
  bool chains = has_chain(compound) || has_chain(subject);
  if (!chains && !is_huge && sat_overlaps(subject, compound, &twin.scratch) == SAT_MISS) {
    sat_Status sealed = sat_cast(subject, motion, compound, &twin.scratch, &hit);
    CHECK(status == sealed);
    if (status == SAT_OK) CHECK(fabs(first->hit.t - hit.t) <= 1e-6);
    checked.casts_along++;
  }
  free(compound);
}

static void ask_cast(void) {
  sat_Shape *subject = pick_subject();
  const sat_QueryFilter *filter = one_in(4) ? pick_filter() : NULL;
  double threshold = one_in(3) ? 1 : 20;
  sat_Vec2 motion = mul(vec2(coordinate() - far_away, coordinate() - far_away), threshold);
  motion = clamped(motion);
  sat_Hit impacts[MOST];
  sat_CastHit first;
  sat_Status status;
  Order order = {.count = 0};
  for (uint32_t slot = 0; slot < MOST; slot++)
    if (is_asked(filter, slot, SAT_SENSORS_NONE) && twin.shapes[slot] != subject &&
        sat_shapes_filter(subject, twin.shapes[slot]) &&
        sat_cast(subject, motion, twin.shapes[slot], &twin.scratch, &impacts[slot]) == SAT_OK)
      enter_order(&order, slot, impacts[slot].t);
  TRY(status, sat_world_cast(&twin.world, subject, motion, filter, &first));
  sat_Vec2 center = sat_shape_center(subject);
  bool runs_along = may_abut(center, add(center, motion)) &&
                    sat_may_run_along(subject); /* a shared edge may be hit before */
  if (!runs_along) check_cast_of_shape(status, &first, &order, impacts, subject, motion);
  else check_cast_along(status, &first, &order, subject, filter, motion);
}

static void ask_nearest(void) {
  sat_Vec2 point = vec2(coordinate(), coordinate());
  double limit = one_in(2) ? HUGE_VAL : random_extent() * 2;
  size_t most = (size_t)whole(0, MOST);
  sat_Shape *probe = malloc(sat_shape_bytes(1));
  sat_Distance distances[MOST];
  const sat_QueryFilter *filter = pick_filter();
  sat_NearestHit nearest;
  sat_Status status;
  Order order = {.count = 0};
  CHECK(sat_shape_init(probe, &point, 1, 0) == SAT_OK);
  for (uint32_t slot = 0; slot < MOST; slot++) {
    if (!is_asked(filter, slot, SAT_SENSORS_NONE)) continue;
    sat_distance(probe, twin.shapes[slot], &twin.scratch, &distances[slot]);
    enter_order(&order, slot, distances[slot].distance);
  }
  TRY(status, sat_world_nearest(&twin.world, point, limit, filter, &nearest));
  bool found = order.count && order.distances[0] <= limit;
  CHECK(status == (found ? SAT_OK : SAT_MISS));
  if (found) {
    CHECK(nearest.other == order.indices[0] && nearest.distance == order.distances[0]);
    CHECK(memcmp(&nearest.point, &distances[order.indices[0]].on_b, sizeof(sat_Vec2)) == 0);
  }
  TRY(status, sat_world_nearest_all(&twin.world, point, most, limit, filter, &twin.items));
  CHECK(status == SAT_OK);
  while (order.count && order.distances[order.count - 1] > limit) order.count--;
  check_order(&order, most);
  free(probe);
}

/* ---------------------------------------------------------------- decisions shape by shape */

/* A question, and its answer. */
typedef struct Question {
  int kind;
  sat_Vec2 from, to;
  sat_Shape *subject;
  double limit;
  size_t most;
  sat_CastHit first;
  sat_NearestHit nearest;
  sat_CastHit listed[2 * MOST];
  size_t count;
} Question;

enum { AT, IN_BOX, CAST, RAY, ALL_ON_RAY, HITS_OF_RAY, NEAREST, ALL_NEAREST, QUESTIONS };

static sat_Status put_question(Question *q, const sat_QueryFilter *filter) {
  sat_Rectangle box = {q->from.x, q->from.y, 3, 3};
  sat_Vec2 motion = sub(q->to, q->from);
  twin.items.count = twin.casts.count = 0;
  switch (q->kind) {
  case AT: return sat_world_at(&twin.world, q->from, filter, &twin.items);
  case IN_BOX: return sat_world_query(&twin.world, box, filter, &twin.items);
  case CAST: return sat_world_cast(&twin.world, q->subject, clamped(motion), filter, &q->first);
  case RAY: return sat_world_raycast(&twin.world, q->from, q->to, filter, &q->first);
  case ALL_ON_RAY: return sat_world_raycast_all(&twin.world, q->from, q->to, filter, &twin.items);
  case HITS_OF_RAY: return sat_world_raycast_hits(&twin.world, q->from, q->to, filter, &twin.casts);
  case NEAREST: return sat_world_nearest(&twin.world, q->from, q->limit, filter, &q->nearest);
  default:
    return sat_world_nearest_all(&twin.world, q->from, q->most, q->limit, filter, &twin.items);
  }
}

static sat_Status ask_question(Question *q, const sat_QueryFilter *filter) {
  sat_Status status;
  memset(&q->first, 0, sizeof q->first);
  memset(&q->nearest, 0, sizeof q->nearest);
  TRY(status, put_question(q, filter));
  q->count = 0;
  memset(q->listed, 0, sizeof q->listed);
  for (size_t i = 0; i < twin.casts.count; i++) {
    q->listed[q->count].other = twin.casts.at[i].other;
    q->listed[q->count++].hit = twin.casts.at[i].hit;
  }
  for (size_t i = 0; i < twin.items.count; i++) q->listed[q->count++].other = twin.items.at[i];
  return status;
}

static bool is_same_answer(const Question *q, const Question *r) {
  bool same = q->first.other == r->first.other && q->nearest.other == r->nearest.other &&
              q->nearest.distance == r->nearest.distance && q->count == r->count;
  return same && memcmp(&q->first.hit, &r->first.hit, sizeof q->first.hit) == 0 &&
         memcmp(&q->nearest.point, &r->nearest.point, sizeof q->nearest.point) == 0 &&
         memcmp(q->listed, r->listed, sizeof q->listed) == 0;
}

/* Decides about shapes that are listed, each once, the nearest first. False: none is. */
static bool decide(sat_QueryFilter *filter, const bool accepted[MOST], sat_Decision list[MOST]) {
  const sat_Neighbors *open = &filter->open->shapes;
  for (size_t i = 0; i < open->count && filter->open->wanted > 0; i++) {
    uint32_t slot = open->at[i].item;
    CHECK(i == 0 || open->at[i].distance >= open->at[i - 1].distance);
    size_t at = filter->decision_count++;
    for (; at > 0 && list[at - 1].index > slot; at--) list[at] = list[at - 1];
    CHECK(at == 0 || list[at - 1].index < slot);
    list[at] = (sat_Decision){slot, accepted[slot]};
    if (accepted[slot]) filter->open->wanted--;
  }
  return open->count > 0;
}

/* A question about shapes that are decided about as the question comes upon them has the answer of
 * a world that has the accepted ones alone. */
static void ask_openly(void) {
  static const sat_QueryFilter all;
  const sat_QueryFilter *picked = pick_filter();
  sat_OpenShapes open = {.shapes = {.allocator = watched()}};
  sat_Decision list[MOST], refused[MOST];
  bool accepted[MOST];
  sat_QueryFilter openly = picked ? *picked : all, plainly = openly;
  Question q = {.kind = (int)whole(0, QUESTIONS - 1),
                .from = vec2(coordinate(), coordinate()),
                .to = vec2(coordinate(), coordinate()),
                .subject = pick_subject(),
                .limit = one_in(2) ? HUGE_VAL : random_extent() * 2,
                .most = (size_t)whole(0, MOST)};
  if (is_huge) return; /* whom a ray as long as the plane runs along depends on its other end */
  if (one_in(3)) q.to = one_in(2) ? vec2(q.from.x, q.to.y) : vec2(q.to.x, q.from.y);
  for (uint32_t slot = 0; slot < MOST; slot++) accepted[slot] = one_in(2);
  openly.decisions = list;
  openly.open = &open;
  for (size_t i = 0; i < openly.decision_count; i++) {
    list[i] = picked->decisions[i];
    accepted[list[i].index] = false;
  }
  plainly.decisions = refused;
  plainly.decision_count = 0;
  for (uint32_t slot = 0; slot < MOST; slot++)
    if (!accepted[slot]) refused[plainly.decision_count++] = (sat_Decision){slot, false};
  Question expected = q;
  sat_Status status, plain = ask_question(&expected, &plainly);
  do status = ask_question(&q, &openly);
  while (status <= SAT_MISS && decide(&openly, accepted, list));
  CHECK(status == plain);
  CHECK(is_same_answer(&q, &expected));
  SAT_LIST_FREE(&open.shapes);
}

/* ---------------------------------------------------------------- saving and loading */

/* A saved world, and the list as it was then. */
typedef struct Kept {
  unsigned char *bytes;
  size_t size;
  sat_Shape *copies[MOST];
  uint64_t ids[MOST];
  uint32_t count;
  Met touching[MOST_PAIRS];
  size_t touching_count;
} Kept;

static Kept kept;

static void drop_kept(void) {
  free(kept.bytes);
  for (uint32_t slot = 0; slot < MOST; slot++) free(kept.copies[slot]);
  memset(&kept, 0, sizeof kept);
}

static bool is_there(uint32_t slot, uint64_t id) { return twin.ids[slot] == id; }

static void keep(void) {
  drop_kept();
  kept.size = sat_world_saved_size(&twin.world);
  kept.bytes = malloc(kept.size);
  sat_world_save(&twin.world, kept.bytes);
  memcpy(kept.ids, twin.ids, sizeof kept.ids);
  kept.count = twin.count;
  for (uint32_t slot = 0; slot < MOST; slot++) {
    if (!twin.shapes[slot]) continue;
    kept.copies[slot] = malloc(twin.shapes[slot]->bytes);
    sat_shape_copy(kept.copies[slot], twin.shapes[slot]);
  }
  for (size_t i = 0; i < twin.touching_count; i++) {
    const Met *met = &twin.touching[i];
    if (is_there(met->a, met->id_a) && is_there(met->b, met->id_b))
      kept.touching[kept.touching_count++] = *met;
  }
}

/* Checks that two blocks are the same but for the owner, the world and the index. */
static void check_same_shape(const sat_Shape *shape, const sat_Shape *copy) {
  CHECK(shape->bytes == copy->bytes);
  sat_Shape *other = malloc(shape->bytes);
  sat_shape_copy(other, shape);
  other->index = copy->index;
  CHECK(memcmp(other, copy, copy->bytes) == 0);
  free(other);
}

static sat_Shape *prepared_block(size_t bytes) {
  sat_Shape *block = malloc(bytes);
  assert_non_null(block);
  sat_shape_prepare(block, bytes, NULL);
  return block;
}

/* What a load changes: shapes, the blocks they get, and their number. */
typedef struct Loads {
  sat_SavedShape shapes[2 * MOST + 1];
  sat_Shape *blocks[2 * MOST + 1];
  size_t count;
} Loads;

/* Gives every saved shape the block of the shape with its id, or a new block. */
static void find_blocks(Loads *loads) {
  sat_world_match(&twin.world, loads->shapes, loads->count, loads->blocks);
  for (size_t i = 0; i < loads->count; i++) {
    const sat_SavedShape *shape = &loads->shapes[i];
    bool is_known = shape->record && twin.ids[shape->index] == shape->id;
    CHECK(loads->blocks[i] == (is_known ? twin.shapes[shape->index] : NULL));
    if (shape->record && !is_known) loads->blocks[i] = prepared_block(shape->bytes);
  }
}

static bool is_block(sat_Shape *shape, sat_Shape *const *blocks, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (blocks[i] == shape) return true;
  return false;
}

static void restore_list(const Loads *loads) {
  for (uint32_t slot = 0; slot < MOST; slot++) {
    sat_Shape *old = twin.shapes[slot];
    if (old && !is_block(old, loads->blocks, loads->count)) {
      CHECK(!sat_world_has(&twin.world, old));
      free(old);
    }
    twin.shapes[slot] = NULL;
  }
  for (size_t i = 0; i < loads->count; i++) {
    uint32_t index = loads->shapes[i].index;
    if (!loads->shapes[i].record) continue;
    CHECK(kept.ids[index] == loads->shapes[i].id);
    twin.shapes[index] = loads->blocks[i];
    check_same_shape(loads->blocks[i], kept.copies[index]);
  }
  memcpy(twin.ids, kept.ids, sizeof kept.ids);
  memcpy(twin.touching, kept.touching, sizeof kept.touching);
  twin.count = kept.count;
  twin.touching_count = kept.touching_count;
  twin.began_count = twin.ended_count = 0;
  twin.ignored = true;
}

static void load_kept(void) {
  Loads loads;
  sat_Saved saved;
  sat_Status status;
  if (!kept.bytes) return;
  sat_scratch_free(&twin.scratch);
  TRY(status, sat_saved_open(&saved, kept.bytes, kept.size, &twin.scratch));
  CHECK(status == SAT_OK);
  CHECK(sat_world_most_listed(&twin.world, &saved) <= sizeof loads.blocks / sizeof(sat_Shape *));
  TRY(status, sat_world_list(&twin.world, &saved, loads.shapes, &loads.count));
  CHECK(status == SAT_OK);
  find_blocks(&loads);
  TRY(status, sat_world_load(&twin.world, &saved, loads.shapes, loads.count, loads.blocks));
  CHECK(status == SAT_OK);
  restore_list(&loads);
  CHECK(sat_world_saved_size(&twin.world) == kept.size);
  unsigned char *again = malloc(kept.size);
  sat_world_save(&twin.world, again);
  CHECK(memcmp(again, kept.bytes, kept.size) == 0);
  free(again);
  check_all_events();
}

/* ---------------------------------------------------------------- damaged and forged */

static void seal(unsigned char *bytes, size_t size) {
  if (size >= SAT_SAVED_HEAD) sat_put_64(bytes + SAT_SAVED_SUM_AT, sat_saved_sum(bytes, size));
}

static void ask_loaded(sat_World *world, const unsigned char *bytes, size_t size) {
  sat_CastHit first;
  sat_NearestHit nearest;
  CHECK(sat_world_saved_size(world) == size);
  unsigned char *again = malloc(size + 1);
  sat_world_save(world, again);
  CHECK(memcmp(again, bytes, size) == 0);
  free(again);
  CHECK(sat_world_update(world) == SAT_OK);
  CHECK(sat_world_separate(world, 2, NULL) == SAT_OK);
  CHECK(sat_world_at(world, vec2(0, 0), NULL, &twin.items) == SAT_OK);
  CHECK(sat_world_query_shape(world, twin.outsider, &twin.items) == SAT_OK);
  CHECK(sat_world_cast(world, twin.outsider, vec2(90, 70), NULL, &first) <= SAT_MISS);
  CHECK(sat_world_raycast(world, vec2(-50, -40), vec2(60, 50), NULL, &first) <= SAT_MISS);
  CHECK(sat_world_nearest(world, vec2(1, 2), HUGE_VAL, NULL, &nearest) <= SAT_MISS);
}

static sat_Shape *made[MOST];
static size_t made_count;

static sat_Shape *make_block(size_t bytes) {
  CHECK(made_count < MOST);
  return made[made_count++] = prepared_block(bytes);
}

/* Loads a world, which must answer queries and have the same bytes when it is saved again. */
static sat_Status load_and_ask(const Bytes *bytes) {
  sat_World world;
  sat_ChangeList moved;
  made_count = 0;
  sat_world_init(&world, watched(), &moved);
  sat_Status status = load_bytes(&world, bytes, &twin.scratch, make_block, MOST);
  CHECK(status == SAT_OK || status == SAT_ESAVED || status == SAT_EVERSION || status == SAT_EBASE);
  CHECK(sat_world_count(&world) == (status ? 0 : sat_get_32(bytes->at + SAT_SAVED_COUNT_AT)));
  if (!status) ask_loaded(&world, bytes->at, bytes->size);
  sat_world_free(&world);
  while (made_count > 0) free(made[--made_count]);
  return status;
}

static uint64_t odd_word(void) {
  static const double odd[] = {0,    -0.0, 1,     -1,    NAN,    HUGE_VAL,
                               1e15, 2e15, -1e15, 1e300, 1e-300, 0.5};
  uint64_t word;
  switch (whole(0, 3)) {
  case 0: return random_bits(&random_state);
  case 1: return (uint64_t)whole(0, 70) << (one_in(2) ? 32 : 0);
  default: memcpy(&word, &odd[whole(0, sizeof odd / sizeof *odd - 1)], sizeof word); return word;
  }
}

/* Changes a few words: by one bit, by a small number, to an odd number, or to another word. */
static void forge(unsigned char *bytes, size_t size) {
  for (int64_t i = whole(1, 3); i > 0; i--) {
    size_t words = size / 8, at = 8 * (size_t)whole(0, (int64_t)words - 1);
    switch (whole(0, 3)) {
    case 0: bytes[at + (size_t)whole(0, 7)] ^= (unsigned char)(1 << whole(0, 7)); break;
    case 1: sat_put_64(bytes + at, odd_word()); break;
    case 2: memcpy(bytes + at, bytes + 8 * (size_t)whole(0, (int64_t)words - 1), 8); break;
    default: sat_put_64(bytes + at, sat_get_64(bytes + at) + (uint64_t)whole(-2, 2));
    }
  }
}

static size_t accepted, refused;

static void try_forged(void) {
  unsigned char *bytes = malloc(kept.size);
  memcpy(bytes, kept.bytes, kept.size);
  forge(bytes, kept.size);
  size_t size = one_in(8) ? 8 * (size_t)whole(0, (int64_t)kept.size / 8) : kept.size;
  seal(bytes, size);
  unsigned char *exact = malloc(size ? size : 1); /* a sanitizer sees reads beyond it */
  memcpy(exact, bytes, size);
  sat_Status status = load_and_ask(&(Bytes){exact, size});
  accepted += status == SAT_OK;
  refused += status != SAT_OK;
  free(exact);
  free(bytes);
}

TEST(a_forged_world_is_refused_or_answers_queries) {
  accepted = refused = 0;
  for (uint64_t i = 0; i < 100; i++) {
    make_twin(i);
    for (int64_t k = whole(0, 6); k > 0; k--) add_one();
    update();
    keep();
    for (int k = 0; k < 200; k++) try_forged();
    drop_kept();
    free_twin();
  }
  CHECK(accepted > 1000 && refused > 1000);
}

TEST(a_damaged_world_is_refused_wherever_the_damage_is) {
  sat_Saved saved;
  make_twin(3);
  for (int i = 0; i < 8; i++) add_one();
  update();
  keep();
  for (size_t bit = 0; bit < 8 * kept.size; bit++) {
    kept.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    CHECK(sat_saved_open(&saved, kept.bytes, kept.size, &twin.scratch) == SAT_ESAVED);
    kept.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
  }
  for (size_t size = 0; size < kept.size; size++) {
    unsigned char *piece = malloc(size ? size : 1);
    memcpy(piece, kept.bytes, size);
    CHECK(sat_saved_open(&saved, piece, size, &twin.scratch) == SAT_ESAVED);
    seal(piece, size);
    CHECK(sat_saved_open(&saved, piece, size, &twin.scratch) == SAT_ESAVED);
    free(piece);
  }
  CHECK(sat_saved_open(&saved, kept.bytes, kept.size, &twin.scratch) == SAT_OK);
  drop_kept();
  free_twin();
}

/* ---------------------------------------------------------------- single rules */

/* A circle of radius 1, on the heap. */
static sat_Shape *make_ball(double x) {
  sat_Vec2 center = vec2(x, 0);
  sat_Shape *shape = malloc(sat_shape_bytes(1));
  CHECK(sat_shape_init(shape, &center, 1, 1) == SAT_OK);
  shape->owner = NULL;
  return shape;
}

static sat_Shape *add_ball(sat_World *world, double x) {
  sat_Shape *shape = make_ball(x);
  CHECK(sat_world_add(world, shape) == SAT_OK);
  return shape;
}

/* Updates a world and checks how many pairs have begun, persisted and ended. */
static void check_counts(sat_World *world, size_t began, size_t went_on, size_t ended) {
  CHECK(sat_world_update(world) == SAT_OK);
  CHECK(sat_world_event_count(world, SAT_BEGIN) == began);
  CHECK(sat_world_event_count(world, SAT_PERSIST) == went_on);
  CHECK(sat_world_event_count(world, SAT_END) == ended);
}

TEST(the_lowest_free_index_is_given_and_no_id_twice) {
  make_twin(1);
  sat_World *world = &twin.world;
  sat_Shape *shapes[4];
  for (int i = 0; i < 4; i++) shapes[i] = add_ball(world, 0);
  sat_world_remove(world, shapes[2]);
  sat_world_remove(world, shapes[1]);
  CHECK(sat_world_add(world, shapes[2]) == SAT_OK);
  CHECK(sat_world_shape(world, 1) == shapes[2] && sat_world_id(world, 1) == 5);
  CHECK(sat_world_add(world, shapes[1]) == SAT_OK);
  CHECK(sat_world_shape(world, 2) == shapes[1] && sat_world_id(world, 2) == 6);
  sat_world_free(world);
  for (int i = 0; i < 4; i++) free(shapes[i]);
  free_twin();
}

TEST(a_shape_is_in_one_world_only) {
  make_twin(1);
  sat_World other;
  sat_ChangeList moved;
  sat_world_init(&other, watched(), &moved);
  sat_Shape *shape = add_ball(&twin.world, 0);
  CHECK(sat_world_add(&other, shape) == SAT_ETAKEN);
  CHECK(!sat_world_has(&other, shape) && sat_world_has(&twin.world, shape));
  sat_world_remove(&twin.world, shape);
  CHECK(sat_world_add(&other, shape) == SAT_OK);
  sat_world_free(&other);
  CHECK(!sat_world_has(&other, shape));
  free(shape);
  free_twin();
}

TEST(a_discarded_world_reads_no_shape) {
  make_twin(1);
  sat_Shape *gone = add_ball(&twin.world, 0), *left = add_ball(&twin.world, 1);
  free(gone);
  sat_world_discard(&twin.world);
  CHECK(twin.memory.bytes == twin.scratch.bytes);
  for (int i = 0; i < 3; i++) CHECK(sat_shape_move(left, 1, 0) == SAT_OK);
  sat_shape_set_static(left, true);
  CHECK(sat_world_add(&twin.world, left) == SAT_ETAKEN);
  CHECK(sat_world_count(&twin.world) == 0);
  free(left);
  free_twin();
}

TEST(adding_and_removing_without_a_query_takes_no_more_memory) {
  make_twin(1);
  sat_Shape *shape = make_ball(0);
  for (int i = 0; i < 1000; i++) {
    CHECK(sat_world_add(&twin.world, shape) == SAT_OK);
    sat_shape_move(shape, 1, 0);
    sat_world_remove(&twin.world, shape);
  }
  CHECK(twin.world.changes->internal.count == 1 && twin.world.dirty_count == 1);
  CHECK(twin.world.capacity < 100);
  free(shape);
  free_twin();
}

TEST(pairs_of_remaining_shapes_outlive_the_removal_of_others) {
  make_twin(1);
  sat_Shape *shapes[8];
  for (int i = 0; i < 8; i++) shapes[i] = add_ball(&twin.world, i < 2 ? 0 : 100 * i);
  check_counts(&twin.world, 1, 0, 0);
  for (int i = 2; i < 8; i++) sat_world_remove(&twin.world, shapes[i]);
  check_counts(&twin.world, 0, 1, 0);
  sat_world_free(&twin.world);
  for (int i = 0; i < 8; i++) free(shapes[i]);
  free_twin();
}

TEST(a_shape_that_is_removed_and_added_again_begins_anew) {
  make_twin(1);
  sat_World *world = &twin.world;
  sat_Shape *a = add_ball(world, 0), *b = add_ball(world, 1);
  check_counts(world, 1, 0, 0);
  sat_shape_move(b, 50, 0);
  sat_shape_move(b, -50, 0);
  check_counts(world, 0, 1, 0);
  CHECK(sat_world_has_contact_events(world, b));
  sat_world_remove(world, b);
  CHECK(!sat_world_has_contact_events(world, b));
  CHECK(sat_world_add(world, b) == SAT_OK);
  check_counts(world, 1, 0, 1);
  sat_shape_set_enabled(b, false);
  check_counts(world, 0, 0, 1);
  sat_shape_set_enabled(b, true);
  check_counts(world, 1, 0, 0);
  sat_shape_set_filter(a, 1, 0, 0);
  check_counts(world, 0, 0, 1);
  sat_shape_set_filter(a, 1, 1, 0);
  check_counts(world, 1, 0, 0);
  sat_world_clear(world);
  check_counts(world, 0, 0, 1);
  check_counts(world, 0, 0, 0);
  free(a);
  free(b);
  free_twin();
}

TEST(a_world_at_rest_does_nothing_and_a_moving_one_soon_takes_no_memory) {
  make_twin(1);
  sat_Shape *shapes[50];
  for (int i = 0; i < 50; i++) shapes[i] = add_ball(&twin.world, i);
  check_counts(&twin.world, 49 + 48, 0, 0);
  size_t bytes = twin.memory.bytes;
  twin.memory.until_fails = 0;
  check_counts(&twin.world, 0, 49 + 48, 0);
  const sat_Event *touching = twin.world.touching.at;
  check_counts(&twin.world, 0, 49 + 48, 0);
  CHECK(twin.world.touching.at == touching && twin.memory.bytes == bytes);
  for (int frame = 0; frame < 6; frame++) {
    twin.memory.until_fails = frame < 3 ? -1 : 0; /* the lists have grown by then */
    for (int i = 0; i < 50; i++) sat_shape_move(shapes[i], 0.25, 0);
    check_counts(&twin.world, 0, 49 + 48, 0);
  }
  sat_world_free(&twin.world);
  for (int i = 0; i < 50; i++) free(shapes[i]);
  free_twin();
}

TEST(a_box_between_two_tiles_is_lifted_once) {
  make_twin(1);
  sat_Vec2 corners[3][4] = {{{0, 0}, {10, 0}, {10, 10}, {0, 10}},
                            {{10, 0}, {20, 0}, {20, 10}, {10, 10}},
                            {{5, -3}, {15, -3}, {15, 1}, {5, 1}}};
  sat_Shape *shapes[3];
  size_t pushed;
  for (int i = 0; i < 3; i++) {
    shapes[i] = malloc(sat_shape_bytes(4));
    CHECK(sat_shape_init(shapes[i], corners[i], 4, 0) == SAT_OK);
    sat_shape_set_static(shapes[i], i < 2);
    CHECK(sat_world_add(&twin.world, shapes[i]) == SAT_OK);
  }
  CHECK(sat_world_separate(&twin.world, 10, &pushed) == SAT_OK);
  CHECK(pushed == 0 && sat_shape_center(shapes[2]).y == -2 && sat_shape_center(shapes[2]).x == 10);
  sat_world_free(&twin.world);
  for (int i = 0; i < 3; i++) free(shapes[i]);
  free_twin();
}

/* ---------------------------------------------------------------- forged fields */

static void check_refused(void) {
  sat_Saved saved;
  seal(kept.bytes, kept.size);
  CHECK(sat_saved_open(&saved, kept.bytes, kept.size, &twin.scratch) == SAT_ESAVED);
}

enum { RECORD = 136, FIRST = SAT_SAVED_HEAD + 8 };

/* A rounded triangle far out. */
static sat_Shape *add_rounded(sat_World *world, Random *random) {
  sat_Vec2 corners[3];
  size_t count;
  sat_Shape *shape = malloc(sat_shape_bytes(3));
  do {
    for (int i = 0; i < 3; i++)
      corners[i] = vec2(1e7 + random_real(random, 0, 20), 1e7 + random_real(random, 0, 20));
    count = 3;
  } while (sat_hull(corners, &count, &twin.scratch, NULL) || count < 3 ||
           sat_shape_init(shape, corners, count, random_real(random, 1, 10)));
  CHECK(sat_world_add(world, shape) == SAT_OK);
  return shape;
}

/* The world tells the surface anew among the solids around: a round corner stays a corner. */
TEST(a_ray_meets_a_round_corner_far_out_where_it_does_alone) {
  uint64_t hits = 0;
  for (uint64_t i = 0; i < rounds(20000); i++) {
    Random random = {i};
    make_twin(i);
    sat_Shape *shapes[3];
    for (int k = 0; k < 3; k++) shapes[k] = add_rounded(&twin.world, &random);
    sat_Vec2 from = vec2(1e7 - random_real(&random, 15, 40), 1e7 + random_real(&random, -30, 50));
    sat_Vec2 to = vec2(1e7 + random_real(&random, 0, 20), 1e7 + random_real(&random, 0, 20));
    sat_CastHit first;
    sat_Hit alone;
    if (sat_world_raycast(&twin.world, from, to, NULL, &first) == SAT_OK) {
      CHECK(sat_raycast(shapes[first.other], from, to, &twin.scratch, &alone) == SAT_OK);
      bool both = first.hit.t != alone.t; /* two are met at once, but for rounding */
      CHECK(both || memcmp(&first.hit, &alone, sizeof alone) == 0);
      hits += !both;
    }
    sat_world_free(&twin.world);
    for (int k = 0; k < 3; k++) free(shapes[k]);
    free_twin();
  }
  CHECK(hits > rounds(20000) / 2);
}

/* The start touches a round shape from below, a box from above and the slope of a third shape that
 * those two cover: the union is open in a cusp alone, and shows no surface that the ray leads
 * into. */
TEST(a_ray_that_starts_where_a_cusp_ends_is_inside_of_a_world_and_of_a_compound) {
  make_twin(1);
  sat_Vec2 corners[3][4] = {{{-1, 8}, {2, 8}, {2, 10}, {-1, 10}},
                            {{0, 4}, {3, 4}, {3, 7}, {0, 7}},
                            {{-1, 5}, {5, 9}, {-3, 7}, {-4, 6}}};
  sat_Shape *shapes[3];
  sat_CastHit first;
  for (int i = 0; i < 3; i++) {
    shapes[i] = malloc(sat_shape_bytes(4));
    CHECK(sat_shape_init(shapes[i], corners[i], 4, i == 0) == SAT_OK);
    CHECK(sat_world_add(&twin.world, shapes[i]) == SAT_OK);
    twin.shapes[i] = shapes[i];
  }
  sat_Vec2 from = vec2(2, 7), to = vec2(-6, 7);
  sat_Hit hit = first_of_compound(NULL, from, to);
  CHECK(sat_world_raycast(&twin.world, from, to, NULL, &first) == SAT_OK);
  CHECK(first.hit.t == 0 && is_inside(&first.hit) && hit.t == 0 && is_inside(&hit));
  free_twin();
}

TEST(an_id_or_a_pair_that_comes_twice_is_refused) {
  make_twin(1);
  sat_Shape *shapes[3];
  for (int i = 0; i < 3; i++) shapes[i] = add_ball(&twin.world, 0);
  check_counts(&twin.world, 3, 0, 0);
  keep();
  unsigned char *second = kept.bytes + FIRST + RECORD + 16, *pairs = kept.bytes + kept.size - 24;
  CHECK(sat_get_64(second) == 2 && sat_get_32(pairs + 4) == 1);
  sat_put_64(second, 1);
  check_refused();
  sat_put_64(second, 2);
  sat_put_64(pairs + 8, sat_get_64(pairs));
  check_refused();
  drop_kept();
  sat_world_free(&twin.world);
  for (int i = 0; i < 3; i++) free(shapes[i]);
  free_twin();
}

TEST(a_ring_that_winds_round_twice_is_refused) {
  make_twin(1);
  sat_Vec2 ring[5] = {{10, 0}, {3, 10}, {-8, 6}, {-8, -6}, {3, -10}};
  sat_Shape *shape = malloc(sat_shape_bytes(5));
  CHECK(sat_shape_init(shape, ring, 5, 0) == SAT_OK);
  CHECK(sat_world_add(&twin.world, shape) == SAT_OK);
  keep();
  unsigned char points[5 * 16], *at = kept.bytes + FIRST + RECORD;
  memcpy(points, at, sizeof points);
  for (size_t i = 0; i < 5; i++) memcpy(at + 16 * i, points + 2 * i % 5 * 16, 16);
  check_refused();
  drop_kept();
  sat_world_free(&twin.world);
  free(shape);
  free_twin();
}

TEST(a_shape_of_another_size_with_the_same_id_is_another_shape) {
  make_twin(1);
  sat_World other;
  sat_ChangeList moved;
  sat_Vec2 ends[2] = {{0, 0}, {1, 0}};
  sat_Shape *segment = malloc(sat_shape_bytes(2)), *circle = add_ball(&twin.world, 0);
  keep();
  CHECK(sat_shape_init(segment, ends, 2, 0) == SAT_OK);
  sat_world_init(&other, watched(), &moved);
  CHECK(sat_world_add(&other, segment) == SAT_OK);
  made_count = 0;
  Bytes bytes = {kept.bytes, kept.size};
  CHECK(load_bytes(&other, &bytes, &twin.scratch, make_block, MOST) == SAT_OK);
  CHECK(!sat_world_has(&other, segment) && sat_world_has(&other, made[0]));
  CHECK(made_count == 1 && sat_shape_center(made[0]).x == 0);
  sat_world_free(&other);
  sat_world_free(&twin.world);
  drop_kept();
  free(segment);
  free(circle);
  free(made[0]);
  free_twin();
}

/* ---------------------------------------------------------------- random calls */

static void do_something(void) {
  switch (whole(0, 33)) {
  case 0:
  case 1:
  case 2: add_one(); break;
  case 3:
  case 4: remove_one(); break;
  case 5:
    if (one_in(20)) clear_all();
    break;
  case 6:
  case 7:
  case 8:
  case 9:
  case 10: update(); break;
  case 11:
  case 12: ask_for_collisions(); break;
  case 13: ask_for_collisions_of_one(); break;
  case 14:
    if (one_in(4)) separate();
    break;
  case 15: ask_at(); break;
  case 16: ask_box(); break;
  case 17: ask_shape(); break;
  case 18: ask_ray(); break;
  case 19: ask_cast(); break;
  case 20: ask_nearest(); break;
  case 21: ask_for_shapes(); break;
  case 22: free_lists(); break;
  case 23: change(twin.outsider); break;
  case 24: keep(); break;
  case 25:
    if (one_in(2)) load_kept();
    break;
  case 26: ask_for_nodes(); break;
  case 27: ask_openly(); break;
  default: change_some();
  }
}

static void call_at_random(uint64_t new_seed, int steps) {
  make_twin(new_seed);
  for (int64_t i = whole(0, MOST); i > 0; i--) add_one();
  for (int i = 0; i < steps; i++) {
    do_something();
    check_members();
  }
  drop_kept();
  free_twin();
}

TEST(a_world_answers_as_a_plain_list_through_all_changes) {
  call_at_random(1734, 300); /* a ray starts inside of a solid, on seams of shapes that are huge */
  call_at_random(1864, 300); /* a shape with a bound at the limit stays in a wall */
  for (uint64_t i = 0; i < rounds(300); i++) call_at_random(i, 300);
  assert_true(checked.out_of_walls >= rounds(300) && checked.unpushed >= rounds(300) / 10 &&
              checked.casts_along >= rounds(300) / 50 &&
              checked.casts_at_corners >= rounds(300) / 50);
}

int main(void) { return run_suite(NULL, NULL); }
