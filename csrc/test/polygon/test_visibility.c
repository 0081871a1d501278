/* test_visibility.c: what an eye sees among edges and shapes, against the nearest of all edges
 * along each of many rays. */
#include "polygon/polygon.h"
#include "test/random.h"
#include "test/scratch.h"
#include "world/world.h"

static sat_Points seen;

static int make_lists(void **state) {
  int status = make_scratch(state);
  seen = (sat_Points){.allocator = scratch.allocator};
  return status;
}

static int free_lists(void **state) {
  SAT_LIST_FREE(&seen);
  return free_scratch(state);
}

/* ---------------------------------------------------------------- edges */

enum { MOST_EDGES = 44 };

typedef struct Edges {
  size_t count;
  sat_Vec2 ends[MOST_EDGES][2];
} Edges;

static void add_edge(Edges *edges, sat_Vec2 a, sat_Vec2 b) {
  edges->ends[edges->count][0] = a;
  edges->ends[edges->count++][1] = b;
}

/* A frame around the eye, and edges that may cross. Half of all are on a small grid, where many
 * ends are in one direction. */
static Edges random_edges(Random *random, sat_Vec2 eye) {
  const sat_Vec2 frame[] = {{-30, -30}, {30, -30}, {30, 30}, {-30, 30}};
  bool on_grid = random_integer(random, 0, 1);
  Edges edges = {0, {{{0, 0}}}};
  for (size_t i = 0; i < 4; i++) add_edge(&edges, frame[i], frame[(i + 1) % 4]);
  for (int64_t k = random_integer(random, 0, MOST_EDGES - 4); k > 0; k--) {
    sat_Vec2 ends[2];
    for (int i = 0; i < 2; i++)
      ends[i] = on_grid ? vec2((double)random_integer(random, -9, 9),
                               (double)random_integer(random, -9, 9))
                        : vec2(random_real(random, -20, 20), random_real(random, -20, 20));
    double turn = cross(sub(ends[0], eye), sub(ends[1], eye));
    if (fabs(turn) > 1e-6) add_edge(&edges, ends[turn < 0], ends[turn > 0]);
  }
  return edges;
}

static void see(const Edges *edges, sat_Vec2 from) {
  sat_Eye eye = {from, 1e-11, &scratch, NULL, 0, 0};
  assert_int_equal(sat_eye_reserve(&eye, edges->count), SAT_OK);
  for (size_t i = 0; i < edges->count; i++) sat_eye_add(&eye, edges->ends[i][0], edges->ends[i][1]);
  assert_int_equal(sat_eye_sweep(&eye, &seen), SAT_OK);
}

/* The distance of an edge along a direction from the eye, or infinity. */
static double distance_along(sat_Vec2 a, sat_Vec2 b, sat_Vec2 way) {
  double left = cross(way, a), right = cross(way, b);
  if (left > 0 || right <= 0) return HUGE_VAL;
  return dot(way, lerp(a, b, left / (left - right)));
}

static sat_Vec2 seen_from(sat_Vec2 eye, size_t index) {
  return sub(seen.at[index % seen.count], eye);
}

/* Whether a direction is beside that of a vertex. */
static bool is_beside_vertex(sat_Vec2 eye, sat_Vec2 way) {
  for (size_t i = 0; i < seen.count; i++) {
    sat_Vec2 vertex = seen_from(eye, i);
    if (dot(way, vertex) > 0 && fabs(cross(way, vertex)) < 1e-7 * length(vertex)) return true;
  }
  return false;
}

TEST(the_nearest_edge_is_seen_along_each_ray) {
  for (uint64_t seed = 0; seed < rounds(2000); seed++) {
    Random random = {seed};
    sat_Vec2 eye = {random_real(&random, -20, 20), random_real(&random, -20, 20)};
    Edges edges = random_edges(&random, eye);
    see(&edges, eye);
    for (int ray = 0; ray < 20; ray++) {
      double sine, cosine, nearest = HUGE_VAL, outline = HUGE_VAL;
      sat_sine_cosine(random_real(&random, -3.2, 3.2), &sine, &cosine);
      sat_Vec2 way = vec2(cosine, sine);
      if (is_beside_vertex(eye, way)) continue;
      for (size_t i = 0; i < edges.count; i++)
        nearest = min2(nearest,
                       distance_along(sub(edges.ends[i][0], eye), sub(edges.ends[i][1], eye), way));
      for (size_t i = 0; i < seen.count; i++)
        outline = min2(outline, distance_along(seen_from(eye, i), seen_from(eye, i + 1), way));
      CHECK_SEED(seed, fabs(nearest - outline) < 1e-7);
    }
  }
}

TEST(the_outline_goes_once_round_the_eye_whatever_the_order_of_the_edges) {
  for (uint64_t seed = 0; seed < rounds(2000); seed++) {
    Random random = {seed};
    sat_Vec2 eye = {random_real(&random, -20, 20), random_real(&random, -20, 20)}, first[200];
    Edges edges = random_edges(&random, eye);
    see(&edges, eye);
    size_t count = seen.count;
    CHECK_SEED(seed, count >= 3 && count <= COUNT_OF(first));
    for (size_t i = 0; i < count; i++) {
      first[i] = seen.at[i];
      CHECK_SEED(seed, cross(seen_from(eye, i), seen_from(eye, i + 1)) > -1e-9);
    }
    for (size_t i = edges.count; i-- > 1;) {
      size_t other = (size_t)random_integer(&random, 0, (int64_t)i);
      for (int end = 0; end < 2; end++) {
        sat_Vec2 kept = edges.ends[i][end];
        edges.ends[i][end] = edges.ends[other][end];
        edges.ends[other][end] = kept;
      }
    }
    see(&edges, eye);
    CHECK_SEED(seed, seen.count == count && !memcmp(first, seen.at, count * sizeof *first));
  }
}

/* Two walls with a gap whose direction is narrower than SAT_SAME_NORMAL. The eye is at 0, 0. */
TEST(no_light_leaks_between_ends_that_rounding_has_parted) {
  const double gaps[] = {0, 0x1p-52, 1e-15, 1e-13, 1e-11, 4e-10};
  const sat_Vec2 frame[] = {{-1e15, -1e15}, {1e15, -1e15}, {1e15, 1e15}, {-1e15, 1e15}};
  for (int far = -40; far <= 40; far += 4) {
    for (size_t k = 0; k < COUNT_OF(gaps); k++) {
      Edges edges = {0, {{{0, 0}}}};
      sat_Vec2 left = vec2(ldexp(1, far), ldexp(3, far));
      sat_Vec2 right = vec2(left.x + ldexp(gaps[k], far), left.y);
      for (size_t i = 0; i < 4; i++) add_edge(&edges, frame[i], frame[(i + 1) % 4]);
      add_edge(&edges, left, vec2(-left.x, left.y));
      add_edge(&edges, vec2(3 * left.x, right.y), right);
      see(&edges, vec2(0, 0));
      for (size_t i = 0; i < seen.count; i++)
        if (seen.at[i].y > 0 && fabs(seen.at[i].x / seen.at[i].y - 1.0 / 3) < 0.1)
          assert_true(seen.at[i].y == left.y);
    }
  }
}

/* ---------------------------------------------------------------- shapes in a world */

static sat_ChangeList changes;
static sat_World world;
static union Block {
  sat_Shape shape;
  char bytes[2048];
} blocks[4];

static sat_Shape *add_box(size_t index, double x, double y, double w, double h, double radius) {
  sat_Vec2 corners[] = {{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}};
  assert_int_equal(sat_shape_init(&blocks[index].shape, corners, 4, radius), SAT_OK);
  assert_int_equal(sat_world_add(&world, &blocks[index].shape), SAT_OK);
  return &blocks[index].shape;
}

static void begin_world(void) { sat_world_init(&world, scratch.allocator, &changes); }

static sat_Status look(sat_Vec2 eye, const sat_Shape *area, double radius) {
  return sat_world_visible(&world, eye, area, radius, NULL, &seen);
}

TEST(wrong_arguments_are_refused_and_leave_no_vertices) {
  const sat_Vec2 ends[] = {{-9, -9}, {9, 9}};
  union Block area;
  begin_world();
  assert_int_equal(look(vec2(0, 0), NULL, 9), SAT_OK);
  assert_int_equal(seen.count, 64);
  assert_int_equal(look(vec2(0, 0), NULL, 0), SAT_EVALUE);
  assert_int_equal(seen.count, 0);
  assert_int_equal(look(vec2(0, 0), NULL, -1), SAT_EVALUE);
  assert_int_equal(look(vec2(0, 0), NULL, NAN), SAT_ERANGE);
  assert_int_equal(look(vec2(NAN, 0), NULL, 1), SAT_ERANGE);
  assert_int_equal(look(vec2(SAT_LIMIT, 0), NULL, 1), SAT_ERANGE);
  assert_int_equal(sat_shape_init(&area.shape, ends, 2, 0), SAT_OK);
  assert_int_equal(look(vec2(0, 0), &area.shape, 0), SAT_EVALUE);
  assert_int_equal(sat_chain_init(&area.shape, ends, 2, false), SAT_OK);
  assert_int_equal(look(vec2(0, 0), &area.shape, 0), SAT_ECONCAVE);
  sat_Shape *box = add_box(0, -9, -9, 18, 18, 1);
  assert_int_equal(look(vec2(0, 0), box, 0), SAT_EVALUE);
  assert_int_equal(sat_shape_set_radius(box, 0), SAT_OK);
  assert_int_equal(look(vec2(10, 0), box, 0), SAT_MISS);
  sat_shape_set_sensor(box, true);
  assert_int_equal(look(vec2(9, 9), box, 0), SAT_OK);
  assert_int_equal(seen.count, 4);
  sat_world_free(&world);
}

TEST(each_failed_allocation_leaves_no_vertices) {
  begin_world();
  add_box(0, 10, -5, 10, 10, 2);
  add_box(1, 15, -9, 10, 10, 0);
  add_box(2, -20, -9, 10, 10, 0);
  sat_Status status = SAT_ENOMEM;
  for (int k = 0; status == SAT_ENOMEM; k++) {
    SAT_LIST_FREE(&seen);
    memory.until_fails = k;
    status = look(vec2(0, 0), NULL, 50);
    memory.until_fails = -1;
    assert_true(status == SAT_OK || (status == SAT_ENOMEM && k < 20 && seen.count == 0));
  }
  assert_true(seen.count > 64);
  size_t bytes = memory.bytes;
  memory.until_fails = 0; /* none is needed once warm */
  assert_int_equal(look(vec2(0, 0), NULL, 50), SAT_OK);
  memory.until_fails = -1;
  assert_true(memory.bytes == bytes);
  sat_world_free(&world);
}

TEST(the_seam_of_two_boxes_is_inside_of_both) {
  begin_world();
  add_box(0, 0, 0, 10, 10, 0);
  add_box(1, 10, -5, 10, 10, 0);
  assert_int_equal(look(vec2(10, 2), NULL, 50), SAT_OK);
  assert_int_equal(seen.count, 0);
  assert_int_equal(look(vec2(10, 5), NULL, 50), SAT_OK); /* a quarter is open */
  assert_true(seen.count > 16 && seen.count < 22);
  sat_world_free(&world);
}

int main(void) { return run_suite(make_lists, free_lists); }
