/* trace.c: a thousand frames of shapes and a thousand of a quadtree, and one hash of the bits of
 * their answers.
 *
 * Compilers, optimisation levels and processors must all print the same hash. Overlapping shapes
 * are pushed apart by the answers, so that one wrong bit changes all later frames. All random
 * numbers come from whole numbers, and no mathematical function of the C library is called. */
#include "sat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHAPES = 24, FRAMES = 1000, LARGEST = 40, ITEMS = 300 };

typedef struct Scene {
  sat_Shape *shapes[SHAPES];
  sat_Vec2 speeds[SHAPES];
  sat_Scratch scratch;
  uint64_t random, hash;
} Scene;

static void *allocate(void *context, void *block, size_t old_size, size_t size) {
  (void)context;
  (void)old_size;
  if (size) return realloc(block, size);
  free(block);
  return NULL;
}

/* ---------------------------------------------------------------- hashing: FNV-1a, bytes from the
 * lowest up */

static void hash_bits(Scene *scene, uint64_t bits) {
  for (int i = 0; i < 8; i++) {
    scene->hash = (scene->hash ^ (bits & 255)) * UINT64_C(1099511628211);
    bits >>= 8;
  }
}

static void hash_number(Scene *scene, double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  hash_bits(scene, bits);
}

static void hash_point(Scene *scene, sat_Vec2 point) {
  hash_number(scene, point.x);
  hash_number(scene, point.y);
}

/* Hashes a status; true for SAT_OK. */
static bool hash_status(Scene *scene, sat_Status status) {
  hash_bits(scene, (uint64_t)status);
  return status == SAT_OK;
}

/* ---------------------------------------------------------------- random numbers: Marsaglia's
 * xorshift, 2003 */

static int random_below(Scene *scene, int limit) {
  uint64_t x = scene->random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  scene->random = x;
  return (int)((x >> 33) % (uint64_t)limit);
}

/* A multiple of 1/16 from -limit to limit. */
static double random_number(Scene *scene, int limit) {
  return (random_below(scene, limit * 32 + 1) - limit * 16) / 16.0;
}

static sat_Vec2 random_point(Scene *scene, int limit) {
  sat_Vec2 point;
  point.x = random_number(scene, limit);
  point.y = random_number(scene, limit);
  return point;
}

/* ---------------------------------------------------------------- the scene */

static void require(bool condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "trace: %s\n", what);
  exit(EXIT_FAILURE);
}

static sat_Shape *new_shape(size_t vertices) {
  sat_Shape *shape = malloc(sat_shape_bytes(vertices));
  require(shape != NULL, "no memory");
  return shape;
}

/* A polygon in an ellipse, from the core's own sines. */
static sat_Shape *new_round_polygon(Scene *scene, size_t count) {
  sat_Vec2 points[LARGEST], center = random_point(scene, 300);
  double width = 8 + random_below(scene, 64), height = 8 + random_below(scene, 64);
  for (size_t i = 0; i < count; i++) {
    double sine, cosine;
    sat_sine_cosine(6.283185307179586 * (double)i / (double)count, &sine, &cosine);
    points[i].x = width * cosine;
    points[i].y = height * sine;
  }
  sat_Shape *shape = new_shape(count);
  require(sat_shape_init_about(shape, center, points, count, 0) == SAT_OK, "no round polygon");
  return shape;
}

static sat_Shape *new_hull(Scene *scene, double radius) {
  sat_Vec2 points[LARGEST], corner = random_point(scene, 300);
  size_t count = 3 + (size_t)random_below(scene, LARGEST - 3);
  for (size_t i = 0; i < count; i++) {
    points[i] = random_point(scene, 50);
    points[i].x += corner.x;
    points[i].y += corner.y;
  }
  require(sat_hull(points, &count, &scene->scratch, NULL) == SAT_OK, "no hull");
  sat_Shape *shape = new_shape(count);
  require(sat_shape_init(shape, points, count, radius) == SAT_OK, "no polygon");
  return shape;
}

/* A point, circle, segment or capsule. */
static sat_Shape *new_core(Scene *scene, size_t count, double radius) {
  sat_Vec2 points[2];
  points[0] = points[1] = random_point(scene, 300);
  points[1].x += 16 + random_below(scene, 64);
  points[1].y += random_number(scene, 64);
  sat_Shape *shape = new_shape(count);
  require(sat_shape_init(shape, points, count, radius) == SAT_OK, "no core");
  return shape;
}

static sat_Shape *new_random_shape(Scene *scene, int kind) {
  double radius = 1 + random_below(scene, 24);
  switch (kind) {
  case 0: return new_core(scene, 1, 0);
  case 1: return new_core(scene, 1, radius);
  case 2: return new_core(scene, 2, 0);
  case 3: return new_core(scene, 2, radius);
  case 4: return new_hull(scene, radius);
  case 5: return new_round_polygon(scene, 3 + (size_t)random_below(scene, LARGEST - 3));
  default: return new_hull(scene, 0);
  }
}

/* ---------------------------------------------------------------- a frame */

static void change(Scene *scene, int i, int frame) {
  sat_Shape *shape = scene->shapes[i];
  sat_Vec2 center = sat_shape_center(shape);
  if (center.x < -400 || center.x > 400) scene->speeds[i].x = center.x < 0 ? 3.25 : -3.25;
  if (center.y < -400 || center.y > 400) scene->speeds[i].y = center.y < 0 ? 2.75 : -2.75;
  hash_status(scene, sat_shape_move(shape, scene->speeds[i].x, scene->speeds[i].y));
  if (i % 3 == 0) hash_status(scene, sat_shape_rotate(shape, 0.03125 * (i - 10)));
  if ((frame + i) % 50 == 0)
    hash_status(scene, sat_shape_scale(shape, frame / 50 % 2 ? 1.25 : 0.8));
  if ((frame + i) % 70 == 0) sat_shape_flip(shape, frame % 3 == 0);
  if ((frame + i) % 110 == 0) {
    hash_status(scene, sat_shape_rotate_about(shape, 0.7, random_point(scene, 100)));
    hash_status(scene, sat_shape_transform(shape, center.x, center.y, random_number(scene, 7)));
  }
}

static void describe(Scene *scene, const sat_Shape *shape) {
  sat_Box box = sat_shape_bounds(shape);
  hash_point(scene, box.min);
  hash_point(scene, box.max);
  hash_point(scene, sat_shape_center(shape));
  hash_number(scene, sat_shape_rotation(shape));
  hash_number(scene, sat_shape_scale_factor(shape));
  hash_number(scene, sat_shape_radius(shape));
  hash_number(scene, sat_shape_area(shape));
  hash_number(scene, sat_shape_bounding_radius(shape));
  sat_Vec2 direction = random_point(scene, 9);
  direction.x += 0.03125; /* the direction is never 0, 0 */
  hash_point(scene, sat_shape_support(shape, direction));
  for (size_t i = 0; i < sat_shape_vertex_count(shape); i++) {
    hash_point(scene, sat_shape_vertex(shape, i));
  }
}

static void hash_hit(Scene *scene, sat_Status status, const sat_Hit *hit) {
  if (!hash_status(scene, status)) return;
  hash_number(scene, hit->t);
  hash_point(scene, hit->normal);
  hash_point(scene, hit->point);
}

/* The questions about every pair. The answer moves the two apart. */
static void collide(Scene *scene, int i, int k) {
  sat_Shape *a = scene->shapes[i], *b = scene->shapes[k];
  hash_status(scene, sat_overlaps(a, b, &scene->scratch));
  sat_Result result;
  if (!hash_status(scene, sat_collide(a, b, &scene->scratch, &result))) return;
  hash_point(scene, result.vector);
  hash_point(scene, result.normal);
  hash_number(scene, result.depth);
  sat_Manifold manifold;
  if (hash_status(scene, sat_contacts(a, b, &scene->scratch, &manifold))) {
    hash_point(scene, manifold.normal);
    hash_number(scene, manifold.depth);
    for (uint32_t n = 0; n < manifold.count; n++) hash_point(scene, manifold.points[n]);
  }
  hash_status(scene, sat_shape_move(a, result.vector.x / 2, result.vector.y / 2));
  hash_status(scene, sat_shape_move(b, -result.vector.x / 2, -result.vector.y / 2));
}

/* The questions about a quarter of the pairs in each frame. */
static void measure(Scene *scene, int i, int k) {
  const sat_Shape *a = scene->shapes[i], *b = scene->shapes[k];
  sat_Distance separation;
  if (hash_status(scene, sat_distance(a, b, &scene->scratch, &separation))) {
    hash_number(scene, separation.distance);
    hash_point(scene, separation.on_a);
    hash_point(scene, separation.on_b);
  }
  sat_Hit hit;
  sat_Vec2 motion = random_point(scene, 400), from = random_point(scene, 400);
  sat_Vec2 to = sat_shape_center(b);
  hash_hit(scene, sat_cast(a, motion, b, &scene->scratch, &hit), &hit);
  hash_hit(scene, sat_turn(a, motion.x / 64, b, from, &scene->scratch, &hit), &hit);
  hash_hit(scene, sat_raycast(b, from, to, &scene->scratch, &hit), &hit);
  hash_status(scene, sat_contains(a, b, &scene->scratch));
  hash_status(scene, sat_contains_point(a, to, &scene->scratch));
}

static void run_frame(Scene *scene, int frame) {
  for (int i = 0; i < SHAPES; i++) change(scene, i, frame);
  for (int i = 0; i < SHAPES; i++) {
    for (int k = i + 1; k < SHAPES; k++) {
      collide(scene, i, k);
      if ((i + 5 * k + frame) % 4 == 0) measure(scene, i, k);
    }
  }
  for (int i = 0; i < SHAPES; i++) describe(scene, scene->shapes[i]);
}

/* ---------------------------------------------------------------- a quadtree */

static sat_Rectangle random_box(Scene *scene) {
  sat_Vec2 at = random_point(scene, 400), size = random_point(scene, 30);
  sat_Rectangle box = {at.x, at.y, size.x < 0 ? -size.x : size.x, size.y < 0 ? -size.y : size.y};
  if (random_below(scene, 50) == 0) box.x *= 1e5;
  if (random_below(scene, 50) == 0) box.w *= 100;
  return box;
}

static double hash_visit(void *context, sat_Item item, double distance) {
  Scene *scene = context;
  hash_bits(scene, item);
  hash_number(scene, distance);
  return distance;
}

/* The order of the items found is part of the hash. */
static void ask_tree(Scene *scene, sat_Quadtree *tree, sat_Items *items, sat_ItemPairs *pairs) {
  hash_status(scene, sat_quadtree_pairs(tree, pairs));
  for (size_t i = 0; i < pairs->count; i++) {
    hash_bits(scene, pairs->at[i].a);
    hash_bits(scene, pairs->at[i].b);
  }
  hash_status(scene, sat_quadtree_query(tree, random_box(scene), items));
  for (size_t i = 0; i < items->count; i++) hash_bits(scene, items->at[i]);
  sat_Vec2 from = random_point(scene, 400), to = random_point(scene, 400);
  hash_status(scene, sat_quadtree_raycast(tree, from, to, hash_visit, scene));
  hash_status(scene, sat_quadtree_nearest(tree, from, 1e9, hash_visit, scene));
}

/* Updates items in every frame: nearly all of them in one frame, one of forty in another. */
static void run_tree(Scene *scene, sat_Allocator allocator) {
  sat_Quadtree *tree = malloc(sat_quadtree_size());
  sat_Rectangle area = {-400, -400, 800, 800};
  sat_Items items = {NULL, 0, 0, allocator};
  sat_ItemPairs pairs = {NULL, 0, 0, allocator};
  hash_status(scene, sat_quadtree_init(tree, allocator, area, 10, 8));
  for (int i = 0; i < ITEMS; i++) {
    sat_Item item;
    hash_status(scene, sat_quadtree_insert(tree, random_box(scene), &item));
  }
  for (int frame = 0; frame < FRAMES; frame++) {
    for (int i = random_below(scene, 4); i < ITEMS; i += 1 + frame % 40)
      hash_status(scene, sat_quadtree_update(tree, (sat_Item)i, random_box(scene)));
    ask_tree(scene, tree, &items, &pairs);
  }
  sat_quadtree_free(tree);
  free(tree);
  SAT_LIST_FREE(&items);
  SAT_LIST_FREE(&pairs);
}

int main(void) {
  static Scene scene;
  sat_Allocator allocator = {allocate, NULL};
  scene.scratch = sat_scratch_make(allocator);
  scene.random = UINT64_C(88172645463325252);
  scene.hash = UINT64_C(14695981039346656037);
  for (int i = 0; i < SHAPES; i++) {
    scene.shapes[i] = new_random_shape(&scene, i % 8);
    scene.speeds[i] = random_point(&scene, 4);
  }
  for (int frame = 0; frame < FRAMES; frame++) run_frame(&scene, frame);
  for (int i = 0; i < SHAPES; i++) free(scene.shapes[i]);
  sat_scratch_free(&scene.scratch);
  run_tree(&scene, allocator);
  printf("%016" PRIx64 "\n", scene.hash);
  return EXIT_SUCCESS;
}
