/* test_union_mtv.c: the minimum translation vector of composite shapes, against brute force and
 * against exact whole numbers. */
#include "narrowphase/union/union_mtv.h"
#include "polygon/polygon.h"
#include "test/exact_union.h"
#include "test/memory.h"
#include "test/polygons.h"
#include "test/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIECES = 600, MOST_CORNERS = 4000 };

/* ---------------------------------------------------------------- piece views */

/* A piece view with the memory of its arrays, and its pieces as solids. */
typedef struct Thing {
  sat_PieceView view;
  sat_Piece pieces[MOST_PIECES];
  sat_Vec2 vertices[MOST_CORNERS];
  sat_Edges edges[MOST_CORNERS]; /* a piece has at most a block for each vertex */
  bool internal[MOST_CORNERS], reflex[MOST_CORNERS];
  Solid *solids;
  size_t corners, capacity; /* of solids */
  struct Thing *next;
} Thing;

/* Freed things are kept for reuse: a thing is half a megabyte, and the sanitizers would take that
 * from the system and give it back each time. */
static Thing *used_things, *spare_things;

static Thing *thing_make(sat_Vec2 origin) {
  Thing *thing = spare_things ? spare_things : calloc(1, sizeof *thing);
  assert_non_null(thing);
  spare_things = thing->next;
  thing->next = used_things;
  used_things = thing;
  thing->corners = 0;
  thing->view = (sat_PieceView){.origin = origin};
  thing->view.pieces = thing->pieces;
  thing->view.vertices = thing->vertices;
  thing->view.edges = thing->edges;
  thing->view.internal = thing->internal;
  thing->view.reflex = thing->reflex;
  return thing;
}

/* Puts all used things among the spare ones. */
static void reuse_things(void) {
  for (Thing *thing; (thing = used_things) != NULL;) {
    used_things = thing->next;
    thing->next = spare_things;
    spare_things = thing;
  }
}

static void measure_edges(const sat_Vec2 *vertex, size_t count, sat_Edges *edges) {
  for (size_t i = 0; i < count && count > 1; i++) {
    sat_Vec2 edge = sub(vertex[(i + 1) % count], vertex[i]);
    double size = length(edge);
    edges[i / 4].x[i % 4] = edge.y / size;
    edges[i / 4].y[i % 4] = -edge.x / size;
    edges[i / 4].offset[i % 4] = dot(vec2(edge.y / size, -edge.x / size), vertex[i]);
  }
  for (size_t i = count; i % 4; i++) edges[i / 4].offset[i % 4] = HUGE_VAL;
}

static sat_Box box_of(const sat_Vec2 *vertex, size_t count) {
  sat_Box box = {vertex[0], vertex[0]};
  for (size_t i = 1; i < count; i++) {
    sat_Vec2 v = vertex[i];
    box.min = vec2(min2(box.min.x, v.x), min2(box.min.y, v.y));
    box.max = vec2(max2(box.max.x, v.x), max2(box.max.y, v.y));
  }
  return box;
}

/* Adds a piece whose vertices are given in the world's frame. `corners` is NULL or marks the
 * internal edges and the reflex vertices. */
static void thing_add_piece(Thing *thing, const sat_Vec2 *points, const sat_Corner *corners,
                            size_t count, double radius) {
  assert_true(thing->view.count < MOST_PIECES && thing->corners + count <= MOST_CORNERS);
  sat_Vec2 *vertex = thing->vertices + thing->corners;
  sat_Edges *edges = thing->edges + thing->corners;
  size_t solids = thing->view.count;
  if (solids == thing->capacity) {
    thing->capacity = solids ? 2 * solids : 4;
    thing->solids = realloc(thing->solids, thing->capacity * sizeof *thing->solids);
  }
  assert_non_null(thing->solids);
  Solid *solid = &thing->solids[solids];
  solid->count = count;
  solid->radius = radius;
  for (size_t i = 0; i < count; i++) {
    vertex[i] = sub(points[i], thing->view.origin);
    thing->internal[thing->corners + i] = corners && corners[i].internal;
    thing->reflex[thing->corners + i] = corners && corners[i].reflex;
    solid->vertices[i] = point_of(points[i]);
  }
  measure_edges(vertex, count, edges);
  sat_Box box = box_of(vertex, count), *whole = &thing->view.box;
  double l1_bound = max2(-box.min.x, box.max.x) + max2(-box.min.y, box.max.y);
  uint32_t first = (uint32_t)thing->corners;
  sat_Piece *piece = &thing->pieces[thing->view.count];
  *piece = (sat_Piece){.first = first,
                       .count = (uint32_t)count,
                       .edge_block = first,
                       .edges = sat_exposed_bits(thing->internal + first, (uint32_t)count),
                       .corners = sat_exposed_bits(thing->reflex + first, (uint32_t)count),
                       .own_radius = radius,
                       .radius = radius,
                       .l1_bound = l1_bound,
                       .box = box};
  sat_Vec2 low = sub(box.min, vec2(radius, radius)), high = add(box.max, vec2(radius, radius));
  bool alone = thing->view.count++ == 0;
  whole->min = alone ? low : vec2(min2(whole->min.x, low.x), min2(whole->min.y, low.y));
  whole->max = alone ? high : vec2(max2(whole->max.x, high.x), max2(whole->max.y, high.y));
  thing->view.centroid_from_origin = lerp(whole->min, whole->max, 0.5);
  thing->corners += count;
}

/* Adds a piece without internal edges and reflex vertices. */
static void thing_add(Thing *thing, const sat_Vec2 *points, size_t count, double radius) {
  thing_add_piece(thing, points, NULL, count, radius);
}

/* Adds the convex pieces that the library cuts a ring into, with their internal edges and reflex
 * vertices marked. */
static void thing_add_ring(Thing *thing, const sat_Vec2 *points, size_t count, double radius) {
  sat_Decomposition pieces;
  assert_int_equal(sat_ring_decompose(points, count, test_scratch(), &pieces), SAT_OK);
  for (uint32_t k = 0; k < pieces.count; k++) {
    sat_Vec2 vertices[MOST_VERTICES];
    const sat_Corner *corners = pieces.corners + pieces.first[k];
    size_t size = pieces.first[k + 1] - pieces.first[k];
    for (size_t i = 0; i < size; i++) vertices[i] = points[corners[i].vertex];
    thing_add_piece(thing, vertices, corners, size, radius);
  }
}

/* Adds the triangles of a ring, none of whose edges is marked as internal. */
static void thing_add_triangles(Thing *thing, const sat_Vec2 *points, size_t count) {
  sat_Vec2 triangles[MOST_VERTICES][3];
  size_t n = triangles_of(points, count, triangles);
  for (size_t i = 0; i < n; i++) thing_add(thing, triangles[i], 3, 0);
}

static void thing_add_box(Thing *thing, double x, double y, double w, double h, double radius) {
  sat_Vec2 corners[4] = {{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}};
  thing_add(thing, corners, 4, radius);
}

/* ---------------------------------------------------------------- random shapes */

static void add_random_piece(Thing *thing, Random *random, bool whole) {
  sat_Vec2 points[16], place;
  place.x = (double)random_integer(random, -8, 8);
  place.y = (double)random_integer(random, -8, 8);
  double radius = random_integer(random, 0, 2) ? 0 : (double)random_integer(random, 1, 6) / 2;
  size_t count = 1;
  switch (random_integer(random, 0, 5)) {
  case 0: points[0] = vec2(0, 0); break;
  case 1:
    count = 2;
    points[0] = vec2(0, 0);
    points[1] = vec2((double)random_integer(random, 1, 6), (double)random_integer(random, -6, 6));
    break;
  default: count = random_whole_polygon(random, 5, 7, points);
  }
  double arc = whole ? 0 : random_real(random, 0, 6), sine, cosine;
  sat_sine_cosine(arc, &sine, &cosine);
  for (size_t i = 0; i < count; i++) {
    sat_Vec2 p = points[i];
    points[i] = add(place, vec2(p.x * cosine - p.y * sine, p.x * sine + p.y * cosine));
  }
  thing_add(thing, points, count, radius);
}

/* The pieces of a ring, or one to five pieces of any kind. */
static Thing *random_thing(Random *random, bool whole, size_t most) {
  Thing *thing = thing_make(vec2((double)random_integer(random, -4, 4), 3));
  if (random_integer(random, 0, 1)) {
    sat_Vec2 points[MOST_VERTICES];
    size_t count = 0;
    while (count == 0)
      count = random_simple_polygon(random, 10, (size_t)random_integer(random, 4, (int64_t)most),
                                    points);
    double radius = random_integer(random, 0, 3) ? 0 : (double)random_integer(random, 1, 4) / 4;
    thing_add_ring(thing, points, count, radius);
  } else {
    for (int64_t k = random_integer(random, 1, 5); k > 0; k--)
      add_random_piece(thing, random, whole);
  }
  return thing;
}

/* ---------------------------------------------------------------- the oracle */

/* The least separation of two pieces once A has moved by `shift`. */
static Real least_gap(const Thing *a, Point shift, const Thing *b) {
  Real least = HUGE_VALL;
  for (uint32_t i = 0; i < a->view.count; i++) {
    for (uint32_t j = 0; j < b->view.count; j++) {
      Real separation = solid_gap(&a->solids[i], shift, &b->solids[j]);
      if (separation < least) least = separation;
    }
  }
  return least;
}

static sat_Status union_mtv_from(const Thing *a, const Thing *b, sat_UnionMtv *union_mtv) {
  return sat_union_mtv(&a->view, &b->view, test_scratch(), union_mtv);
}

static const Real TOLERANCE = 1e-11L; /* for shapes about 20 long */

static void check_way(uint64_t seed, const sat_UnionMtv *union_mtv) {
  const sat_Result *way = &union_mtv->result;
  CHECK_SEED(seed, way->depth >= 0 && fabs(length(way->normal) - 1) < 1e-12);
  CHECK_SEED(seed, length(sub(way->vector, mul(way->normal, way->depth))) < 1e-11);
}

/* Checks that shorter vectors do not separate the shapes. A quarter of the directions are
 * at smaller and smaller angles from the minimum translation vector. */
static void check_nothing_shorter(uint64_t seed, const Thing *a, const Thing *b,
                                  const sat_Result *way, int directions) {
  Random random = {seed};
  for (int i = 0; i < directions; i++) {
    double angle = random_real(&random, -3.1416, 3.1416), sine, cosine;
    if (i % 4 == 0) angle /= 1 << (i / 4 % 16);
    sat_sine_cosine(angle, &sine, &cosine);
    sat_Vec2 direction = vec2(cosine, sine), normal = way->normal;
    if (i % 4 == 0) direction = add(mul(normal, cosine), mul(perp(normal), sine));
    Real size = (way->depth - 1e-6) * (i % 2 || i % 4 == 0 ? 1 : random_real(&random, 0, 1));
    if (size <= 0) continue;
    CHECK_SEED(seed, least_gap(a, point_at(size * direction.x, size * direction.y), b) < TOLERANCE);
  }
}

static void check_pair(uint64_t seed, const Thing *a, const Thing *b, int directions) {
  sat_UnionMtv union_mtv;
  Real separation = least_gap(a, point_at(0, 0), b);
  sat_Status status = union_mtv_from(a, b, &union_mtv);
  if (fabsl(separation) > TOLERANCE)
    CHECK_SEED(seed, status == (separation > 0 ? SAT_MISS : SAT_OK));
  if (status) return;
  check_way(seed, &union_mtv);
  Point shift = point_of(union_mtv.result.vector);
  CHECK_SEED(seed, least_gap(a, shift, b) > -TOLERANCE);
  check_nothing_shorter(seed, a, b, &union_mtv.result, directions);
  const Solid *of_a = &a->solids[union_mtv.piece_index[0]],
              *of_b = &b->solids[union_mtv.piece_index[1]];
  CHECK_SEED(seed, fabsl(solid_gap(of_a, shift, of_b)) < 1e-9L);
}

TEST(the_vector_separates_all_pieces_and_no_shorter_vector_does) {
  for (uint64_t seed = 0; seed < rounds(1500); seed++) {
    Random random = {seed};
    Thing *a = random_thing(&random, seed % 2, 12), *b = random_thing(&random, seed % 2, 16);
    check_pair(seed, a, b, 60);
    reuse_things();
  }
}

/* ---------------------------------------------------------------- comparisons */

TEST(single_pieces_have_the_vector_of_collide) {
  for (Scene scene = {0}; scene_next(&scene, rounds(4000));) {
    const sat_Shape *shapes[2] = {scene.a, scene.b};
    sat_Piece pieces[2];
    sat_PieceView views[2];
    for (int side = 0; side < 2; side++) views[side] = sat_pieces_of(shapes[side], &pieces[side]);
    sat_Result result;
    sat_UnionMtv union_mtv;
    sat_Status status = sat_collide(scene.a, scene.b, test_scratch(), &result);
    CHECK_SCENE(&scene, sat_union_mtv(&views[0], &views[1], test_scratch(), &union_mtv) == status);
    Real hair = 4 * scene_hair(&scene);
    if (status == SAT_OK) {
      CHECK_SCENE(&scene, fabsl((Real)union_mtv.result.depth - result.depth) <=
                              1e-11L * result.depth + hair);
      CHECK_SCENE(&scene, (union_mtv.result.depth == 0) == (result.depth == 0));
      CHECK_SCENE(&scene, length(sub(union_mtv.result.normal, result.normal)) < 1e-9);
    }
  }
}

/* A point touches the end of a segment, or a segment the end of another in the same line: the
 * segment's direction is then a normal, too. */
TEST(at_the_end_of_a_segment_the_normal_is_along_the_centroids) {
  static const double x[3] = {2, 1, 2.75}, y[3] = {-5, -8, -2.75};
  for (int second = 0; second < 2; second++) {
    Thing *point = thing_make(vec2(x[0], y[0])), *segment = thing_make(vec2(1.5, -6.5));
    sat_Vec2 ends[2] = {{x[0], y[0]}, {x[2], y[2]}}, other[2] = {{x[0], y[0]}, {x[1], y[1]}};
    thing_add(point, ends, second ? 2 : 1, 0);
    thing_add(segment, other, 2, 0);
    sat_UnionMtv union_mtv;
    assert_int_equal(union_mtv_from(point, segment, &union_mtv), SAT_OK);
    assert_true(union_mtv.result.depth == 0 && union_mtv.result.corner);
    assert_true(length(sub(union_mtv.result.normal, vec2(sqrt(0.1), 3 * sqrt(0.1)))) < 1e-15);
    reuse_things();
  }
}

/* A simple ring of whole numbers, rotated unless `whole`. */
static size_t random_ring(Random *random, bool whole, sat_Vec2 *points) {
  size_t count = 0;
  while (count == 0)
    count = random_simple_polygon(random, 10, (size_t)random_integer(random, 4, 14), points);
  double sine, cosine;
  sat_sine_cosine(random_real(random, 0, 6), &sine, &cosine);
  for (size_t i = 0; i < count && !whole; i++) {
    sat_Vec2 p = points[i];
    points[i] = vec2(p.x * cosine - p.y * sine, p.x * sine + p.y * cosine);
  }
  return count;
}

/* Checks that two pairs which cover the same points have the same minimum translation vector, up to
 * the errors. */
static sat_Status check_same(uint64_t seed, const Thing *a, const Thing *b, const Thing *same_a,
                             const Thing *same_b, double depth_error, double vector_error) {
  sat_UnionMtv one, other;
  sat_Status status = union_mtv_from(a, b, &one);
  CHECK_SEED(seed, union_mtv_from(same_a, same_b, &other) == status);
  if (status != SAT_OK) return status;
  CHECK_SEED(seed, fabs(one.result.depth - other.result.depth) < depth_error);
  CHECK_SEED(seed, length(sub(one.result.vector, other.result.vector)) < vector_error);
  return status;
}

/* The convex pieces mark their internal edges and the triangles do not: the answer depends on the
 * points of a shape alone, not on its decomposition. */
TEST(a_ring_and_its_triangles_have_the_same_vector) {
  for (uint64_t seed = 0; seed < rounds(1000); seed++) {
    Random random = {seed};
    sat_Vec2 of_a[MOST_VERTICES], of_b[MOST_VERTICES];
    size_t count_a = random_ring(&random, seed % 2, of_a);
    size_t count_b = random_ring(&random, seed % 2, of_b);
    Thing *a = thing_make(of_a[0]), *b = thing_make(of_b[0]);
    Thing *a_in_triangles = thing_make(of_a[0]), *b_in_triangles = thing_make(of_b[0]);
    thing_add_ring(a, of_a, count_a, 0);
    thing_add_ring(b, of_b, count_b, 0);
    thing_add_triangles(a_in_triangles, of_a, count_a);
    thing_add_triangles(b_in_triangles, of_b, count_b);
    check_same(seed, a, b, a_in_triangles, b_in_triangles, 1e-12, 1e-11);
    reuse_things();
  }
}

/* A segment or a point is on an edge of one of the triangles: a cut or an edge of the ring. */
TEST(a_segment_on_an_edge_leaves_a_ring_as_it_leaves_its_triangles) {
  for (uint64_t seed = 0; seed < rounds(3000); seed++) {
    Random random = {seed};
    sat_Vec2 points[MOST_VERTICES], bar[2];
    size_t count = random_ring(&random, seed % 2, points);
    Thing *ring = thing_make(points[0]), *triangles = thing_make(points[0]);
    thing_add_ring(ring, points, count, 0);
    thing_add_triangles(triangles, points, count);
    const Solid *triangle = &triangles->solids[random_bits(&random) % triangles->view.count];
    double from = random_real(&random, 0, 1), to = seed % 3 ? random_real(&random, from, 1) : from;
    Point p = triangle->vertices[0], q = triangle->vertices[1];
    sat_Vec2 start = vec2((double)p.x, (double)p.y), stop = vec2((double)q.x, (double)q.y);
    bar[0] = lerp(start, stop, from);
    bar[1] = lerp(start, stop, to);
    Thing *thing = thing_make(bar[0]);
    thing_add(thing, bar, to > from ? 2 : 1, 0);
    sat_UnionMtv one, other;
    sat_Status status = union_mtv_from(thing, ring, &one);
    if (status == SAT_OK && one.result.depth > TOLERANCE) {
      CHECK_SEED(seed, union_mtv_from(thing, triangles, &other) == SAT_OK);
      CHECK_SEED(seed, fabs(one.result.depth - other.result.depth) < 1e-10);
    }
    reuse_things();
  }
}

TEST(swapped_shapes_have_the_opposite_vector) {
  for (uint64_t seed = 0; seed < rounds(1000); seed++) {
    Random random = {seed};
    Thing *a = random_thing(&random, seed % 2, 12), *b = random_thing(&random, seed % 2, 12);
    sat_UnionMtv one, other;
    sat_Status status = union_mtv_from(a, b, &one);
    CHECK_SEED(seed, union_mtv_from(b, a, &other) == status);
    bool centred = length(sub(add(a->view.origin, a->view.centroid_from_origin),
                              add(b->view.origin, b->view.centroid_from_origin))) < 1e-12;
    if (status == SAT_OK) {
      CHECK_SEED(seed, fabs(one.result.depth - other.result.depth) < 1e-12);
      if (!centred) CHECK_SEED(seed, length(add(one.result.vector, other.result.vector)) < 1e-11);
    }
    reuse_things();
  }
}

/* ---------------------------------------------------------------- exact depths */

/* The exact depth, which is HUGE_VALL for a separate pair. */
static Real exact_depth(const Thing *a, const Thing *b) {
  ExactPair pair = {{a->solids, b->solids}, {a->view.count, b->view.count}};
  return exact_mtv(&pair).depth;
}

static void check_exactly(uint64_t seed, const Thing *a, const Thing *b) {
  sat_UnionMtv union_mtv;
  sat_Status status = union_mtv_from(a, b, &union_mtv);
  Real depth = exact_depth(a, b);
  CHECK_SEED(seed, status == (depth == HUGE_VALL ? SAT_MISS : SAT_OK));
  if (status != SAT_OK) return;
  check_way(seed, &union_mtv);
  CHECK_SEED(seed, fabsl(union_mtv.result.depth - depth) <= 1e-9L * (1 + depth));
  CHECK_SEED(seed, (union_mtv.result.depth == 0) == (depth == 0));
  CHECK_SEED(seed, least_gap(a, point_of(union_mtv.result.vector), b) > -1e-10L);
}

/* Adds two rows of boxes with a corridor of that width between them, along either axis. */
static void add_corridor(Thing *thing, Random *random, int64_t width) {
  int64_t x = random_integer(random, -6, 2), y = random_integer(random, -6, 2);
  bool upright = random_integer(random, 0, 1);
  for (int64_t i = random_integer(random, 1, 3); i > 0; i--) {
    double size = (double)random_integer(random, 2, 6),
           thick = (double)random_integer(random, 1, 4);
    double far = (double)(upright ? x : y) + (double)width;
    if (upright) {
      thing_add_box(thing, (double)x - thick, (double)y, thick, size, 0);
      thing_add_box(thing, far, (double)y, thick, size, 0);
      y += (int64_t)size;
    } else {
      thing_add_box(thing, (double)x, (double)y - thick, size, thick, 0);
      thing_add_box(thing, (double)x, far, size, thick, 0);
      x += (int64_t)size;
    }
  }
}

/* Adds a shape that may fit into a corridor: a box, a lozenge, a segment, a point, or two boxes
 * that form an angle. */
static void add_peg(Thing *thing, Random *random, int64_t width) {
  double w = (double)width, x = (double)random_integer(random, -8, 6),
         y = (double)random_integer(random, -8, 6), tall = (double)random_integer(random, 1, 6);
  sat_Vec2 lozenge[4] = {{x, y}, {x + w, y - w}, {x + 2 * w, y}, {x + w, y + w}};
  sat_Vec2 bar[2] = {{x, y}, {x, y + w}};
  switch (random_integer(random, 0, 5)) {
  case 0: thing_add(thing, lozenge, 4, 0); break;
  case 1: thing_add(thing, bar, 1, 0); break;
  case 2:
    if (random_integer(random, 0, 1)) bar[1] = vec2(x + w, y);
    thing_add(thing, bar, 2, 0);
    break;
  case 3: thing_add_box(thing, x, y, tall, w, 0); /* fall through */
  default: thing_add_box(thing, x, y, w, tall, 0);
  }
}

/* Adds polygons, about half of them twice. The edge between the first two vertices may move some or
 * all vertices of a copy. */
static void add_copies(Thing *thing, Random *random) {
  for (int64_t k = random_integer(random, 1, 3); k > 0; k--) {
    sat_Vec2 points[16], first;
    size_t count = random_whole_polygon(random, 5, 5, points);
    sat_Vec2 place = {(double)random_integer(random, -4, 4), (double)random_integer(random, -4, 4)};
    for (size_t i = 0; i < count; i++) points[i] = add(points[i], place);
    thing_add(thing, points, count, 0);
    if (random_integer(random, 0, 1)) continue;
    first = sub(points[1], points[0]);
    for (size_t i = 0; i < count && random_integer(random, 0, 2) == 0; i++)
      points[i] = add(points[i], first);
    if (hull_of(points, count, 0) == count) thing_add(thing, points, count, 0);
  }
}

/* Adds a polygon some of whose vertices are almost straight. */
static void add_slope(Thing *thing, Random *random) {
  sat_Vec2 points[6] = {{0, 60}, {-90, 60}, {-90, 30}, {-60, 20}, {-30, 10}, {0, 0}};
  points[3].y -= (double)random_integer(random, 0, 1);
  points[4].y -= points[3].y < 20 ? (double)random_integer(random, 1, 2) : 0;
  size_t count = hull_of(points, 6, 0);
  thing_add(thing, points, count, 0);
}

/* Adds triangles with a common vertex: a shape that touches this vertex touches all of them. */
static void add_star(Thing *thing, Random *random) {
  static const double spokes[16] = {4, 0, 3, 3, 0, 4, -3, 3, -4, 0, -3, -3, 0, -4, 3, -3};
  for (size_t i = 0; i < 8; i++) {
    size_t next = (i + 1) % 8;
    sat_Vec2 points[3] = {
        {0, 0}, {spokes[2 * i], spokes[2 * i + 1]}, {spokes[2 * next], spokes[2 * next + 1]}};
    if (random_integer(random, 0, 4) > 0) thing_add(thing, points, 3, 0);
  }
  if (thing->view.count == 0) thing_add_box(thing, 0, 0, 1, 1, 0);
}

static Thing *random_exact_thing(Random *random, int kind, int64_t width, bool peg) {
  Thing *thing = thing_make(vec2((double)random_integer(random, -2, 2), 1));
  sat_Vec2 points[MOST_VERTICES];
  size_t count = 0;
  switch (kind) {
  case 0: peg ? add_peg(thing, random, width) : add_corridor(thing, random, width); break;
  case 1: add_copies(thing, random); break;
  case 2:
    if (peg) {
      add_peg(thing, random, width);
      break;
    }
    while (count == 0)
      count = random_simple_polygon(random, 8, (size_t)random_integer(random, 4, 10), points);
    if (random_integer(random, 0, 1)) thing_add_ring(thing, points, count, 0);
    else thing_add_triangles(thing, points, count);
    break;
  case 3: peg ? add_peg(thing, random, 10) : add_slope(thing, random); break;
  default: peg ? add_peg(thing, random, 2) : add_star(thing, random);
  }
  return thing;
}

TEST(shapes_of_whole_numbers_have_the_exact_depth) {
  for (uint64_t seed = 0; seed < rounds(4000); seed++) {
    Random random = {seed};
    int kind = (int)(seed % 5);
    int64_t width = random_integer(&random, 1, 5);
    Thing *a = random_exact_thing(&random, kind, width, true),
          *b = random_exact_thing(&random, kind, width, false);
    if (seed % 2) check_exactly(seed, a, b);
    else check_exactly(seed, b, a);
    reuse_things();
  }
}

/* ---------------------------------------------------------------- examples */

static void check_union_mtv(const Thing *a, const Thing *b, double dx, double dy) {
  sat_UnionMtv union_mtv;
  assert_int_equal(union_mtv_from(a, b, &union_mtv), SAT_OK);
  assert_true(fabs(union_mtv.result.vector.x - dx) < 1e-13 &&
              fabs(union_mtv.result.vector.y - dy) < 1e-13);
  assert_true(fabs(union_mtv.result.depth - sqrt(dx * dx + dy * dy)) < 1e-13);
}

/* Two boxes share an edge, and a point, a segment or a box is across it. */
TEST(a_gap_without_width_is_no_way_out) {
  Thing *pair = thing_make(vec2(0, 0));
  thing_add_box(pair, 0, 0, 4, 10, 0);
  thing_add_box(pair, 4, 0, 4, 10, 0);
  Thing *point = thing_make(vec2(4, 3)), *bar = thing_make(vec2(4, 3)),
        *box = thing_make(vec2(3, 1));
  sat_Vec2 on_shared_edge = {4, 3}, ends[2] = {{4, 2}, {4, 3}};
  thing_add(point, &on_shared_edge, 1, 0);
  thing_add(bar, ends, 2, 0);
  thing_add_box(box, 3, 1, 2, 1, 0);
  check_union_mtv(point, pair, 0, -3);
  check_union_mtv(bar, pair, 0, -3);
  check_union_mtv(box, pair, 0, -2);
  reuse_things();
}

/* A box leaves into a slot that is wider by a hair, and into a slot of exactly its own width. */
TEST(a_slot_is_free_if_the_peg_fits) {
  for (int room = 0; room < 2; room++) {
    Thing *slot = thing_make(vec2(0, 0)), *peg = thing_make(vec2(4, 5));
    thing_add_box(slot, -100, 0, 104, 100, 0);
    thing_add_box(slot, 6 + room * 1e-6, 0, 100, 100, 0);
    thing_add_box(peg, 3.5, 5, 2, 2, 0);
    check_union_mtv(peg, slot, 0.5, 0);
    reuse_things();
  }
}

TEST(touching_shapes_have_depth_0_and_separate_shapes_none) {
  Thing *corner = thing_make(vec2(0, 0)), *box = thing_make(vec2(1, 1));
  thing_add_box(corner, 0, 0, 1, 10, 0);
  thing_add_box(corner, 0, 0, 10, 1, 0);
  thing_add_box(box, 1, 1, 2, 2, 0);
  sat_UnionMtv union_mtv;
  assert_int_equal(union_mtv_from(box, corner, &union_mtv), SAT_OK);
  assert_true(union_mtv.result.depth == 0 && union_mtv.result.vector.x == 0 &&
              union_mtv.result.vector.y == 0);
  box->view.origin = vec2(1.0000001, 1);
  assert_int_equal(union_mtv_from(box, corner, &union_mtv), SAT_OK);
  assert_true(union_mtv.result.depth == 0 && union_mtv.result.normal.x == 0 &&
              union_mtv.result.normal.y == 1);
  box->view.origin = vec2(1.0000001, 1.0000001);
  assert_int_equal(union_mtv_from(box, corner, &union_mtv), SAT_MISS);
  reuse_things();
}

/* The nearest point of the boundary of many circles may be a crossing of two arcs, both of which
 * lead away from the origin there. */
TEST(crossings_of_arcs_are_found) {
  for (uint64_t seed = 0; seed < rounds(1000); seed++) {
    Random random = {seed};
    Thing *ring = thing_make(vec2(0, 0)), *circle = thing_make(vec2(0, 0));
    sat_Vec2 middle = {0, 0};
    thing_add(circle, &middle, 1, random_real(&random, 0.1, 2));
    thing_add(ring, &middle, 1, random_real(&random, 1, 9));
    for (int i = 0; i < 9; i++) {
      sat_Vec2 at = {random_real(&random, -9, 9), random_real(&random, -9, 9)};
      thing_add(ring, &at, 1, random_real(&random, 2, 7));
    }
    check_pair(seed, circle, ring, 400);
    reuse_things();
  }
}

/* The segment beside the two points changes nothing. */
TEST(two_points_in_one_place_only_touch) {
  Thing *heap = thing_make(vec2(0, 0)), *point = thing_make(vec2(3, 4));
  sat_Vec2 at = {3, 4}, ends[2] = {{-5, 0}, {9, 1}};
  thing_add(heap, &at, 1, 0);
  thing_add(heap, ends, 2, 0);
  thing_add(point, &at, 1, 0);
  check_union_mtv(point, heap, 0, 0);
  reuse_things();
}

/* The differences of the circle with the segments' common end are the same circle: a search for the
 * end of their common arc without an error bound would never end. */
TEST(a_circle_about_the_common_end_of_segments_is_moved_out) {
  for (uint64_t seed = 0; seed < rounds(500); seed++) {
    Random random = {seed};
    Thing *chain = thing_make(vec2(-8, -8)), *circle = thing_make(vec2(-8, -8));
    sat_Vec2 at = {-8, -8};
    thing_add(circle, &at, 1, 4);
    for (int i = 0; i < 4; i++) {
      sat_Vec2 ends[2] = {at, {(double)random_integer(&random, -9, 9), 0}};
      ends[1].y = (double)random_integer(&random, -7, 9);
      thing_add(chain, ends, 2, 0);
      thing_add(chain, ends, 1, 0);
    }
    check_pair(seed, circle, chain, 20);
    reuse_things();
  }
}

/* A box in the hole of a frame is separate from the frame, though the bounds of the frame contain
 * the box. */
TEST(a_hole_is_free) {
  static const double boundary[20] = {0, 0, 10, 0, 10, 10, 0, 10, 0, 0,
                                      2, 2, 2,  8, 8,  8,  8, 2,  2, 2};
  sat_Vec2 points[10];
  for (size_t i = 0; i < 10; i++) points[i] = vec2(boundary[2 * i], boundary[2 * i + 1]);
  Thing *frame = thing_make(vec2(0, 0)), *box = thing_make(vec2(4, 4));
  thing_add_ring(frame, points, 10, 0);
  thing_add_box(box, 4, 4, 2, 2, 0);
  sat_UnionMtv union_mtv;
  assert_int_equal(union_mtv_from(box, frame, &union_mtv), SAT_MISS);
  box->view.origin = vec2(1, 4);
  check_union_mtv(box, frame, 1, 0);
  box->view.origin = vec2(1, 1.5);
  check_union_mtv(box, frame, 1, 0.5);
  reuse_things();
}

/* ---------------------------------------------------------------- many pieces, no memory */

/* Five rows of a hundred boxes have gaps, and a quarter of the boxes are rounded. */
TEST(far_pieces_change_nothing_among_five_hundred) {
  for (uint64_t seed = 0; seed < rounds(200); seed++) {
    Random random = {seed};
    double x = random_real(&random, 20, 460), y = random_real(&random, -1, 22);
    Thing *box = thing_make(vec2(x, y)), *row = thing_make(vec2(0, 0)),
          *near = thing_make(vec2(0, 0));
    thing_add_box(box, x, y, random_real(&random, 0.5, 6), random_real(&random, 0.5, 3), 0.25);
    for (int i = 0; i < 500; i++) {
      int column = 5 * (i % 100), line = 5 * (i / 100), width = 3 + i % 3;
      double radius = i % 4 ? 0 : 0.5;
      thing_add_box(row, column, line, width, 2, radius);
      if (fabs(column - x) <= 25) thing_add_box(near, column, line, width, 2, radius);
    }
    near->view.centroid_from_origin = row->view.centroid_from_origin;
    check_same(seed, box, row, box, near, 1e-12, 1e-12);
    reuse_things();
  }
}

/* Adds a copy of a piece, or the triangle of three of its vertices, in their order. */
static void add_part(Thing *thing, const Solid *solid, Random *random, bool whole) {
  sat_Vec2 points[MOST_VERTICES];
  size_t count = solid->count, kept = 0;
  for (size_t k = 0; k < count; k++) {
    int64_t left = (int64_t)(count - k);
    bool keeps = whole || count <= 3 || random_integer(random, 1, left) <= 3 - (int64_t)kept;
    if (keeps) points[kept++] = vec2((double)solid->vertices[k].x, (double)solid->vertices[k].y);
  }
  thing_add(thing, points, kept, (double)solid->radius);
}

/* Adds copies or parts of a shape's pieces up to a number of them. */
static Thing *thing_with_parts(const Thing *once, uint32_t count, Random *random, bool whole) {
  Thing *often = thing_make(once->view.origin);
  for (uint32_t i = 0; often->view.count < count; i = (i + 1) % once->view.count)
    add_part(often, &once->solids[i], random, whole || often->view.count < once->view.count);
  often->view.centroid_from_origin = once->view.centroid_from_origin;
  return often;
}

static void check_parts(uint32_t count, bool whole) {
  for (uint64_t seed = 0; seed < rounds(200); seed++) {
    Random random = {seed};
    Thing *a = random_thing(&random, seed % 2, 6), *b = random_thing(&random, seed % 2, 6),
          *more_of_a = thing_with_parts(a, count, &random, whole),
          *more_of_b = thing_with_parts(b, count, &random, whole);
    check_same(seed, a, b, more_of_a, more_of_b, 1e-11, 1e-10);
    reuse_things();
  }
}

/* The search drops equal differences: the copies have the translation of one piece each. */
TEST(copies_of_pieces_change_nothing) { check_parts(20, true); }

/* The search takes many differences within squares, a few at a time. */
TEST(parts_of_pieces_change_nothing) { check_parts(20, false); }

/* Points or segments are on the shared edges of tiles, two in each place. Equal differences count
 * once, but those of points and segments in different places count each, since they differ in their
 * shared edges. */
TEST(points_on_the_shared_edges_of_tiles_leave_the_whole_block) {
  for (uint64_t seed = 0; seed < rounds(100); seed++) {
    Random random = {seed};
    Thing *tiles = thing_make(vec2(0, 0)), *whole = thing_make(vec2(0, 0));
    Thing *points = thing_make(vec2(0, 0));
    int64_t columns = random_integer(&random, 5, 8), rows = random_integer(&random, 5, 8);
    int64_t wide = random_integer(&random, 4, 7), high = random_integer(&random, 4, 7);
    double x = (double)random_integer(&random, -6, 7), y = (double)random_integer(&random, -6, 7);
    double along = seed % 3 == 1, up = seed % 3 == 2; /* both 0: points */
    for (int64_t i = 0; i < columns * rows; i++) {
      int64_t row = i / columns;
      thing_add_box(tiles, (double)(i % columns), (double)row, 1, 1, 0);
    }
    thing_add_box(whole, 0, 0, (double)columns, (double)rows, 0);
    for (int64_t i = 0; i < 2 * wide * high; i++) {
      int64_t column = i / 2 % wide, row = i / 2 / wide;
      sat_Vec2 from = vec2(x + (double)column, y + (double)row);
      sat_Vec2 ends[2] = {from, add(from, vec2(along, up))};
      thing_add(points, ends, seed % 3 ? 2 : 1, 0);
    }
    tiles->view.centroid_from_origin = whole->view.centroid_from_origin;
    check_same(seed, points, whole, points, tiles, 1e-12, 1e-12);
    reuse_things();
  }
}

/* Tiles around the origin cover a circle, which the search leaves out. A circle beyond the block
 * would make the translation longer. Every second block is rotated. */
TEST(a_block_of_tiles_is_left_as_one_box) {
  for (uint64_t seed = 0; seed < rounds(60); seed++) {
    Random random = {seed};
    double sine = 0, cosine = 1, size = seed % 3 ? 1 : 17.3;
    int64_t columns = random_integer(&random, 12, 20), rows = random_integer(&random, 26, 30);
    if (seed % 2) sat_sine_cosine(random_real(&random, 0, 6), &sine, &cosine);
    Thing *tiles = thing_make(vec2(0, 0)), *whole = thing_make(vec2(0, 0));
    Thing *box = thing_make(vec2(0, 0));
    for (int64_t i = -1; i <= columns * rows; i++) {
      int64_t column = i / rows, row = i % rows;
      double x = (double)column, y = (double)row, w = 1, h = 1;
      if (i < 0) x = y = 0, w = (double)columns, h = (double)rows;
      if (i == columns * rows) {
        x = random_real(&random, 1, (double)columns - 2);
        y = random_real(&random, 1, (double)rows - 2);
      }
      sat_Vec2 corners[4] = {{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}};
      for (int k = 0; k < 4; k++) {
        sat_Vec2 p = mul(corners[k], size);
        corners[k] = vec2(p.x * cosine - p.y * sine, p.x * sine + p.y * cosine);
      }
      thing_add(i < 0 ? whole : i < columns * rows ? tiles : box, corners, 4, 0);
    }
    tiles->view.centroid_from_origin = whole->view.centroid_from_origin;
    double error = 1e-12 * size * 30;
    CHECK_SEED(seed, check_same(seed, box, tiles, box, whole, error, error) == SAT_OK);
    reuse_things();
  }
}

/* Triangles of whole numbers about one point: each of their 576 differences contains the origin,
 * and the search goes on within squares. */
TEST(triangles_about_one_point_have_the_exact_depth) {
  for (uint64_t seed = 0; seed < rounds(10); seed++) {
    Random random = {seed};
    Thing *things[2];
    for (int side = 0; side < 2; side++) {
      things[side] = thing_make(vec2(0, 0));
      while (things[side]->view.count < 24) {
        sat_Vec2 points[3];
        double turn = random_real(&random, 0, 6.2831853), sine, cosine;
        for (int k = 0; k < 3; k++) {
          sat_sine_cosine(turn + 2.0943951 * k, &sine, &cosine);
          points[k] = vec2(floor(30 * cosine), floor(30 * sine));
        }
        if (hull_of(points, 3, 0) == 3) thing_add(things[side], points, 3, 0);
      }
    }
    check_exactly(seed, things[0], things[1]);
    reuse_things();
  }
}

/* Rounded pieces of any kind are scattered about one point, with as many differences. */
TEST(rounded_pieces_about_one_point_are_separated) {
  for (uint64_t seed = 0; seed < rounds(10); seed++) {
    Random random = {seed};
    Thing *things[2];
    for (int side = 0; side < 2; side++) {
      things[side] = thing_make(vec2(0, 0));
      for (int i = 0; i < 24; i++) {
        sat_Vec2 points[3];
        size_t count = (size_t)random_integer(&random, 1, 3);
        for (size_t k = 0; k < count; k++)
          points[k] = vec2(random_real(&random, -9, 9), random_real(&random, -9, 9));
        if (count == 3 && hull_of(points, 3, 0) < 3) count = 1;
        thing_add(things[side], points, count, random_real(&random, 0, 4));
      }
    }
    check_pair(seed, things[0], things[1], 60);
    reuse_things();
  }
}

static void *allocate_nothing(void *context, void *block, size_t old_size, size_t size) {
  (void)context;
  (void)block;
  (void)old_size;
  (void)size;
  return NULL;
}

TEST(without_memory_the_result_is_left_alone) {
  Thing *a = thing_make(vec2(0, 0)), *b = thing_make(vec2(0, 0));
  thing_add_box(a, 0, 0, 4, 4, 0);
  thing_add_box(b, 1, 1, 4, 4, 0);
  sat_Scratch none = sat_scratch_make((sat_Allocator){allocate_nothing, NULL});
  sat_UnionMtv union_mtv, before;
  memset(&union_mtv, 0x5a, sizeof union_mtv);
  before = union_mtv;
  assert_int_equal(sat_union_mtv(&a->view, &b->view, &none, &union_mtv), SAT_ENOMEM);
  assert_memory_equal(&union_mtv, &before, sizeof union_mtv);
  reuse_things();
}

/* Keeps the largest size that is asked for, and allocates nothing. */
static void *note_size(void *context, void *block, size_t old_size, size_t size) {
  size_t *most = context;
  (void)block;
  (void)old_size;
  if (size > *most) *most = size;
  return NULL;
}

/* The largest size that is asked for to lead a regular polygon out of equal triangles. */
static size_t memory_for(size_t vertices, size_t triangles) {
  sat_Vec2 corners[3] = {{0, 0}, {2, 0.5}, {0.5, 1}};
  sat_Shape *large = shape_regular(0, 0, 10, vertices), *triangle = shape_make(corners, 3, 0);
  const sat_Shape **members = malloc(triangles * sizeof(sat_Shape *));
  assert_non_null(members);
  for (size_t i = 0; i < triangles; i++) members[i] = triangle;
  sat_Shape *heap = malloc(sat_compound_bytes(members, triangles));
  assert_non_null(heap);
  assert_int_equal(sat_compound_init(heap, members, triangles), SAT_OK);
  size_t most = 0;
  sat_Scratch scratch = sat_scratch_make((sat_Allocator){note_size, &most});
  sat_Result way;
  assert_int_equal(sat_collide(large, heap, &scratch, &way), SAT_ENOMEM);
  free((void *)members);
  free(heap);
  free(triangle);
  free(large);
  return most;
}

/* The boundaries of most pairs are computed when they are needed, and again. */
TEST(memory_grows_with_pairs_of_pieces_but_not_with_their_vertices) {
  size_t once = memory_for(3001, 1000), larger = memory_for(3001, 4000);
  assert_true(larger > once && larger <= 4 * once);
  assert_true(larger < (size_t)3001 * 4000 * sizeof(double) / 8);
}

/* A compound of 250 pieces with their centres in a square of that side: needles with a radius,
 * bars, or regular octagons, turned anyhow. */
static sat_Shape *make_crowd(Random *random, int kind, double side) {
  enum { PIECES = 250 };
  sat_Shape *members[PIECES];
  for (size_t i = 0; i < PIECES; i++) {
    double x = random_real(random, 0, side), y = random_real(random, 0, side);
    members[i] = kind == 0   ? shape_make((sat_Vec2[]){{x - 25, y}, {x + 25, y}}, 2, 3)
                 : kind == 1 ? shape_box(x, y, 60, 20)
                             : shape_regular(x, y, 20, 8);
    assert_int_equal(sat_shape_rotate(members[i], random_real(random, 0, 7)), SAT_OK);
  }
  const sat_Shape *const *list = (const sat_Shape *const *)members;
  sat_Shape *crowd = malloc(sat_compound_bytes(list, PIECES));
  assert_non_null(crowd);
  assert_int_equal(sat_compound_init(crowd, list, PIECES), SAT_OK);
  for (size_t i = 0; i < PIECES; i++) free(members[i]);
  return crowd;
}

TEST(two_compounds_of_250_pieces_take_at_most_16_megabytes) {
  Random random = {250};
  for (int kind = 0; kind < 3; kind++) {
    for (int side = 4; side < 200; side *= 7) {
      sat_Shape *a = make_crowd(&random, kind, side), *b = make_crowd(&random, kind, side);
      Memory memory = {.until_fails = -1};
      sat_Scratch scratch = sat_scratch_make((sat_Allocator){watched_allocate, &memory});
      sat_Result way;
      assert_int_equal(sat_collide(a, b, &scratch, &way), SAT_OK);
      printf("# kind %d within %d: %zu bytes\n", kind, side, memory.most);
      assert_true(memory.most <= (size_t)16 * 1000 * 1000);
      sat_scratch_free(&scratch);
      assert_int_equal(memory.bytes, 0);
      free(a);
      free(b);
    }
  }
}

int main(void) { return run_suite(NULL, NULL); }
