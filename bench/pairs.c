/* pairs.c: polygons inscribed in ellipses, at jittered angles, so that they are convex and nothing
 * is regular, or in circles, at even ones; and simpler shapes of the same size. */
#include "pairs.h"

#include <string.h>

#define PI BENCH_PI

/* Half the width of the square in which the shapes are, and their half axes. */
#define WORLD 50
#define SMALLEST 0.5
#define LARGEST 2.5

/* ---------------------------------------------------------------- shapes */

static size_t vertices_of(bench_Kind kind, size_t vertices) {
  static const size_t counts[] = {1, 1, 2, 2, 4};
  return kind < BENCH_POLYGON ? counts[kind] : vertices;
}

static void make_polygon(bench_Polygon *polygon, bool regular, Random *random) {
  size_t n = polygon->count;
  double rx = random_real(random, SMALLEST, LARGEST), ry = random_real(random, SMALLEST, LARGEST);
  if (regular) ry = rx;
  for (size_t i = 0; i < n; i++) {
    double jitter = regular ? 0 : random_real(random, -0.35, 0.35);
    double angle = ((double)i + jitter) * 2 * PI / (double)n;
    polygon->local[i] = (sat_Vec2){rx * cos(angle), ry * sin(angle)};
  }
  sat_Vec2 centroid = sat_ring_centroid(polygon->local, n);
  for (size_t i = 0; i < n; i++) {
    polygon->local[i].x -= centroid.x;
    polygon->local[i].y -= centroid.y;
  }
}

void bench_polygon_place(bench_Polygon *polygon, double angle) {
  double c = cos(angle), s = sin(angle);
  for (size_t i = 0; i < polygon->count; i++) {
    sat_Vec2 v = polygon->local[i];
    polygon->world[i].x = polygon->center.x + (c * v.x - s * v.y);
    polygon->world[i].y = polygon->center.y + (s * v.x + c * v.y);
  }
}

sat_Box bench_box_of(const bench_Polygon *polygon) {
  sat_Box box = {polygon->world[0], polygon->world[0]};
  for (size_t i = 1; i < polygon->count; i++) {
    sat_Vec2 v = polygon->world[i];
    box.min = (sat_Vec2){fmin(box.min.x, v.x), fmin(box.min.y, v.y)};
    box.max = (sat_Vec2){fmax(box.max.x, v.x), fmax(box.max.y, v.y)};
  }
  return box;
}

static bool is_touch(bench_Mix mix) { return mix == BENCH_SIDES || mix == BENCH_CORNERS; }

/* Half axes are multiples of a half where shapes touch. */
static void make_shape(bench_Polygon *shape, bench_Kind kind, bench_Mix mix, sat_Vec2 center,
                       Random *random) {
  double w = random_real(random, SMALLEST, LARGEST), h = random_real(random, SMALLEST, LARGEST);
  if (is_touch(mix)) w = floor(2 * w) / 2, h = floor(2 * h) / 2;
  const sat_Vec2 corners[4] = {{-w, -h}, {w, -h}, {w, h}, {-w, h}}, ends[2] = {{-w, -h}, {w, h}};
  bool turned = kind >= BENCH_POLYGON || kind == BENCH_SEGMENT || kind == BENCH_CAPSULE;
  shape->center = center;
  shape->angle = turned ? random_real(random, 0, 2 * PI) : 0;
  shape->radius = kind == BENCH_CIRCLE    ? w
                  : kind == BENCH_CAPSULE ? random_real(random, 0.3, 1)
                                          : 0;
  if (shape->count == 1) shape->local[0] = (sat_Vec2){0, 0};
  else if (shape->count == 2) memcpy(shape->local, ends, sizeof ends);
  else if (shape->count == 4 && kind != BENCH_REGULAR)
    memcpy(shape->local, corners, sizeof corners);
  else make_polygon(shape, kind == BENCH_REGULAR || mix == BENCH_ALIKE, random);
  bench_polygon_place(shape, shape->angle);
}

/* ---------------------------------------------------------------- pairs */

static bool overlaps(const bench_Polygon *a, const bench_Polygon *b) {
  size_t mark = bench_mark();
  bool hit = sat_overlaps(bench_shape(a->world, a->count, a->radius),
                          bench_shape(b->world, b->count, b->radius), &bench_scratch) == SAT_OK;
  bench_release(mark);
  return hit;
}

static bool boxes_overlap(const bench_Polygon *a, const bench_Polygon *b) {
  sat_Box p = bench_box_of(a), q = bench_box_of(b);
  double r = a->radius + b->radius;
  return p.min.x <= q.max.x + r && q.min.x <= p.max.x + r && p.min.y <= q.max.y + r &&
         q.min.y <= p.max.y + r;
}

/* B's place to the right of A: along a part of its side, or at its lower corner; a circle in the
 * middle of the side. */
static sat_Vec2 place_beside(const bench_Polygon *a, const bench_Polygon *b, bool at_corner) {
  sat_Box p = bench_box_of(a), q = bench_box_of(b);
  double half = (q.max.y - q.min.y) / 2;
  double y = b->count == 1 ? floor((p.min.y + p.max.y) / 2) : p.min.y + half;
  return (sat_Vec2){p.max.x + a->radius + b->radius + (q.max.x - q.min.x) / 2,
                    at_corner ? p.max.y + half : y};
}

static void make_pair(bench_Scene *scene, size_t i, bool hit, Random *random) {
  bench_Class class = scene->class;
  bench_Polygon *a = &scene->a[i], *b = &scene->b[i];
  bool touches = is_touch(class.mix);
  bool boxes = class.a == BENCH_UPRIGHT && class.b == BENCH_UPRIGHT; /* are their own bounds */
  sat_Vec2 at = bench_anywhere(random, -WORLD, WORLD), to = at;
  if (touches) at = to = (sat_Vec2){floor(at.x), floor(at.y)};
  if (class.mix >= BENCH_APART) {
    double angle = random_real(random, 0, 2 * PI), away = random_real(random, 10, 30);
    at = (sat_Vec2){to.x + away * cos(angle), to.y + away * sin(angle)};
    sat_Vec2 aside = bench_anywhere(random, -1.5, 1.5);
    scene->motion[i] = (sat_Vec2){1.7 * (to.x - at.x) + aside.x, 1.7 * (to.y - at.y) + aside.y};
  }
  do {
    if (class.mix <= BENCH_MISSES) {
      sat_Vec2 off = bench_anywhere(random, -4 * LARGEST, 4 * LARGEST);
      to = (sat_Vec2){at.x + off.x, at.y + off.y};
    }
    make_shape(a, class.a, class.mix, at, random);
    make_shape(b, class.b, class.mix, to, random);
    if (class.mix == BENCH_ALIKE) memcpy(b->local, a->local, a->count * sizeof *a->local);
    if (class.mix == BENCH_ALIKE) bench_polygon_place(b, b->angle = a->angle);
    if (touches) b->center = place_beside(a, b, class.mix == BENCH_CORNERS);
    if (touches) bench_polygon_place(b, 0);
  } while (class.mix <= BENCH_MISSES && ((!boxes && !boxes_overlap(a, b)) || overlaps(a, b) != hit));
}

static bench_Scene *create_empty(bench_Class class, size_t count) {
  bench_Scene *scene = bench_allocate(1, sizeof *scene);
  scene->class = class;
  scene->count = count;
  scene->a = bench_allocate(count, sizeof *scene->a);
  scene->b = bench_allocate(count, sizeof *scene->b);
  scene->motion = bench_allocate(count, sizeof *scene->motion);
  /* The world vertices of a pair lie side by side, since a question reads both. */
  size_t of_a = vertices_of(class.a, class.vertices), of_b = vertices_of(class.b, class.vertices);
  size_t all = count * (of_a + of_b);
  sat_Vec2 *world = bench_allocate(2 * all, sizeof *world);
  for (size_t i = 0; i < count; i++, world += of_a + of_b) {
    scene->a[i] = (bench_Polygon){.count = of_a, .world = world, .local = world + all};
    scene->b[i] =
        (bench_Polygon){.count = of_b, .world = world + of_a, .local = world + of_a + all};
  }
  return scene;
}

bench_Scene *bench_scene_create(bench_Class class, size_t count) {
  Random random = {2 * class.vertices + class.b};
  bench_Scene *scene = create_empty(class, count);
  for (size_t i = 0; i < count; i++)
    make_pair(scene, i,
              class.mix == BENCH_HITS || (class.mix == BENCH_HALF && random_bits(&random) >> 63),
              &random);
  return scene;
}

/* ---------------------------------------------------------------- peers */

bench_Ask *bench_ask_of(const bench_Peer *peer, bench_Class class, bench_Question question) {
  for (const bench_Entry *one = peer->asks; one->ask; one++)
    if (one->question == question && (one->a == class.a || one->a == BENCH_ANY) &&
        (one->b == class.b || one->b == BENCH_ANY))
      return one->ask;
  bool by_manifold =
      peer->has_manifolds && (question == BENCH_OVERLAPS || question == BENCH_CONTACTS);
  return by_manifold ? bench_ask_of(peer, class, BENCH_COLLIDE) : NULL;
}
