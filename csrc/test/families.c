/* families.c: shapes of many pieces of each kind that a game or an attacker may make. */
#include "test/families.h"

#include "test/random.h"

#include <stdbool.h>
#include <stdio.h>

static const double turn = 6.283185307179586;
static Random numbers;

static void must_be_ok(sat_Status status) {
  if (status == SAT_OK) return;
  fprintf(stderr, "%s\n", sat_status_text(status));
  abort();
}

static void *reallocate(void *context, void *block, size_t old_size, size_t size) {
  (void)context, (void)old_size;
  if (size > 0) return realloc(block, size);
  free(block);
  return NULL;
}

static sat_Shape *new_block(size_t bytes) {
  sat_Shape *block = calloc(1, bytes);
  if (!block) abort();
  return block;
}

/* ---------------------------------------------------------------- pieces */

static sat_Vec2 point(double x, double y) { return (sat_Vec2){x, y}; }
static sat_Vec2 polar(double radius, double angle) {
  return point(radius * cos(angle), radius * sin(angle));
}
static sat_Vec2 sum(sat_Vec2 a, sat_Vec2 b) { return point(a.x + b.x, a.y + b.y); }

static sat_Vec2 anywhere(double width) {
  double x = random_real(&numbers, 0, width);
  return point(x, random_real(&numbers, 0, width));
}

static sat_Shape *convex(const sat_Vec2 *corners, size_t count, double radius) {
  sat_Shape *shape = new_block(sat_shape_bytes(count));
  must_be_ok(sat_shape_init(shape, corners, count, radius));
  return shape;
}

static sat_Shape *circle(sat_Vec2 center, double radius) { return convex(&center, 1, radius); }
static sat_Shape *line(sat_Vec2 a, sat_Vec2 b, double radius) {
  return convex((sat_Vec2[2]){a, b}, 2, radius);
}
static sat_Shape *box(sat_Vec2 low, double width, double height) {
  sat_Vec2 corners[4] = {low, sum(low, point(width, 0)), sum(low, point(width, height)),
                         sum(low, point(0, height))};
  return convex(corners, 4, 0);
}
static sat_Shape *regular(sat_Vec2 center, double radius, size_t count, double angle) {
  sat_Vec2 corners[8];
  for (size_t i = 0; i < count; i++)
    corners[i] = sum(center, polar(radius, angle + turn * (double)i / (double)count));
  return convex(corners, count, 0);
}

/* ---------------------------------------------------------------- compounds */

/* The place of a piece in its compound. */
typedef struct Place {
  size_t index, count, row;
  /* The directions of this piece and of the next one, where the pieces share a full turn evenly.
   * The directions of side 1 are a little farther on. */
  double angle, next_angle;
  double width; /* of a field that has 1.44 square units for each piece */
  sat_Vec2 cell;
} Place;

static sat_Shape *circle_in_one_place(const Place *at) { return (void)at, circle(point(0, 0), 5); }
static sat_Shape *star(const Place *at) { return regular(point(0, 0), 10, 3, at->angle / 3); }
static sat_Shape *loose_circle(const Place *at) { return circle(anywhere(at->width), 1); }
static sat_Shape *loose_box(const Place *at) { return box(anywhere(at->width), 1.5, 1.5); }
static sat_Shape *turned_box(const Place *at) {
  sat_Vec2 center = anywhere(at->width);
  return regular(center, 2, 4, random_real(&numbers, 0, turn));
}
static sat_Shape *tile(const Place *at) { return box(at->cell, 10, 10); }
static sat_Shape *corner(const Place *at) { return circle(at->cell, 0); }
static sat_Shape *same_point(const Place *at) { return (void)at, circle(point(0, 0), 0); }
static sat_Shape *fan_of_segments(const Place *at) {
  return line(point(0, 0), polar(10, at->angle), 0);
}
static sat_Shape *fan_of_triangles(const Place *at) {
  return convex((sat_Vec2[3]){{0, 0}, polar(10, at->angle), polar(10, at->next_angle)}, 3, 0);
}
static sat_Shape *diameter(const Place *at) {
  return line(polar(-10, at->angle / 2), polar(10, at->angle / 2), 0);
}
static sat_Shape *grid_line(const Place *at) {
  size_t number = at->index / 2;
  double along = 10 * (double)number, size = 10 * (double)at->row;
  return at->index % 2 ? line(point(0, along), point(size, along), 0)
                       : line(point(along, 0), point(along, size), 0);
}
static sat_Shape *collinear(const Place *at) {
  double along = (double)at->index;
  return line(point(along, 0), point(along + 1.5, 0), 0);
}
static sat_Shape *capsule(const Place *at) {
  sat_Vec2 from = anywhere(18);
  (void)at;
  return line(from, sum(from, polar(5, random_real(&numbers, 0, turn))), 0.5);
}
static sat_Shape *needle(const Place *at) {
  sat_Vec2 middle = anywhere(18), along = polar(20, random_real(&numbers, 0, turn));
  sat_Vec2 end = sum(middle, along), start = sum(middle, point(-along.x, -along.y));
  (void)at;
  return convex((sat_Vec2[3]){start, end, sum(middle, point(-along.y / 200, along.x / 200))}, 3, 0);
}
/* A needle along the tangent of a ring about 0, 0. */
static sat_Shape *needle_of_ring(const Place *at) {
  sat_Vec2 out = polar(1, at->angle), middle = point(10 * out.x, 10 * out.y);
  sat_Vec2 end = sum(middle, point(-20 * out.y, 20 * out.x)),
           start = sum(middle, point(20 * out.y, -20 * out.x));
  return convex((sat_Vec2[3]){start, end, sum(middle, point(-out.x / 10, -out.y / 10))}, 3, 0);
}
static sat_Shape *box_of_any_size(const Place *at) {
  double size = 20 * (double)(at->index + 1) / (double)at->count;
  return box(point(-size / 2, -size / 2), size, size);
}
static sat_Shape *rounded_star(const Place *at) {
  sat_Shape *shape = star(at);
  must_be_ok(sat_shape_set_radius(shape, 1));
  return shape;
}
static sat_Shape *rounded_box(const Place *at) {
  sat_Shape *shape = loose_box(at);
  must_be_ok(sat_shape_set_radius(shape, 0.25));
  return shape;
}
static sat_Shape *cluster(const Place *at) {
  sat_Vec2 far = point(1e6 * (double)(at->index % 4), 0);
  return circle(sum(far, anywhere(3)), 1);
}

/* ---------------------------------------------------------------- shapes of one ring or chain */

static sat_Shape *polygon(sat_Vec2 *points, size_t count) {
  sat_Decomposition pieces;
  sat_Scratch scratch = sat_scratch_make((sat_Allocator){reallocate, NULL});
  must_be_ok(sat_ring_clean(points, &count, &scratch, NULL));
  must_be_ok(sat_ring_decompose(points, count, &scratch, &pieces));
  sat_Shape *shape = new_block(sat_polygon_bytes(count, &pieces));
  must_be_ok(sat_polygon_init(shape, points, count, &pieces));
  sat_scratch_free(&scratch);
  return shape;
}

/* A comb of `count` teeth. The teeth of side 1 are a little farther apart. */
static sat_Shape *comb(size_t count, int side) {
  sat_Vec2 points[MOST_PIECES_OF_FAMILY];
  size_t used = 0;
  double step = side ? 2.01 : 2, end = step * (double)count;
  for (size_t i = 0; 4 * (i + 1) + 2 <= MOST_PIECES_OF_FAMILY && i < count; i++) {
    double x = step * (double)i;
    for (int k = 0; k < 4; k++) points[used++] = point(x + (k > 1), k == 1 || k == 2 ? 10 : 0);
  }
  points[used++] = point(end, -1);
  points[used++] = point(-1, -1);
  return polygon(points, used);
}

static sat_Shape *spiral(size_t count, int side) {
  sat_Vec2 points[MOST_PIECES_OF_FAMILY];
  for (size_t i = 0; i <= count; i++) {
    double along = 0.3 * (double)i, out = 0.3 * along;
    points[i] = polar(1 + out, along + 0.1 * side);
    points[2 * count + 1 - i] = polar(2 + out, along + 0.1 * side);
  }
  return polygon(points, 2 * count + 2);
}

static sat_Shape *chain(const sat_Vec2 *points, size_t count, bool closed) {
  sat_Shape *shape = new_block(sat_chain_bytes(count));
  must_be_ok(sat_chain_init(shape, points, count, closed));
  return shape;
}
static sat_Shape *zigzag(size_t count, int side) {
  sat_Vec2 points[MOST_OF_FAMILY + 1];
  for (size_t i = 0; i <= count; i++)
    points[i] = point((double)i * (side ? 1.01 : 1), i % 2 ? 10 : 0);
  return chain(points, count + 1, false);
}
static sat_Shape *closed_ring(size_t count, int side) {
  sat_Vec2 points[MOST_OF_FAMILY];
  for (size_t i = 0; i < count; i++)
    points[i] = polar(i % 2 ? 10 : 8, turn * ((double)i + 0.3 * side) / (double)count);
  return chain(points, count, true);
}

/* ---------------------------------------------------------------- families */

typedef struct Family {
  const char *name;
  sat_Shape *(*piece)(const Place *at);
  sat_Shape *(*whole)(size_t count, int side); /* of `count` pieces, or about as many */
} Family;
static const Family families[] = {{"circles in one place", circle_in_one_place, NULL},
                                  {"stars in one place", star, NULL},
                                  {"loose circles", loose_circle, NULL},
                                  {"loose boxes", loose_box, NULL},
                                  {"turned boxes", turned_box, NULL},
                                  {"grid", tile, NULL},
                                  {"corners of a grid", corner, NULL},
                                  {"points in one place", same_point, NULL},
                                  {"segments from a point", fan_of_segments, NULL},
                                  {"triangles at a point", fan_of_triangles, NULL},
                                  {"segments across", diameter, NULL},
                                  {"lines of a grid", grid_line, NULL},
                                  {"collinear segments", collinear, NULL},
                                  {"capsules", capsule, NULL},
                                  {"needles", needle, NULL},
                                  {"needles in a ring", needle_of_ring, NULL},
                                  {"boxes of all sizes", box_of_any_size, NULL},
                                  {"clusters far apart", cluster, NULL},
                                  {"rounded stars", rounded_star, NULL},
                                  {"rounded boxes", rounded_box, NULL},
                                  {"comb", NULL, comb},
                                  {"spiral", NULL, spiral},
                                  {"zigzag chain", NULL, zigzag},
                                  {"closed chain", NULL, closed_ring}};
_Static_assert(sizeof families / sizeof *families == FAMILIES,
               "FAMILIES is the number of families");

const char *family_name(int family) { return families[family].name; }

sat_Shape *family_shape(int family, size_t count, int side) {
  const Family *chosen = &families[family];
  sat_Shape *pieces[MOST_OF_FAMILY] = {NULL};
  if (chosen->whole) return chosen->whole(count, side);
  size_t row = (size_t)ceil(sqrt((double)count));
  numbers.state = 7 + (uint64_t)side;
  for (size_t i = 0; i < count; i++) {
    double angle = turn * ((double)i + 0.3 * side) / (double)count,
           next = turn * ((double)((i + 1) % count) + 0.3 * side) / (double)count;
    size_t column = i % row, line_of_cells = i / row;
    sat_Vec2 cell = point(10.0 * (double)column, 10.0 * (double)line_of_cells);
    pieces[i] =
        chosen->piece(&(Place){i, count, row, angle, next, sqrt((double)count) * 1.2, cell});
  }
  const sat_Shape *const *members = (const sat_Shape *const *)pieces;
  sat_Shape *shape = new_block(sat_compound_bytes(members, count));
  must_be_ok(sat_compound_init(shape, members, count));
  for (size_t i = 0; i < count; i++) free(pieces[i]);
  return shape;
}
