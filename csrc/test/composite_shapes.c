/* composite_shapes.c: concave polygons, chains and compounds for the suites. */
#include "test/composite_shapes.h"

#include "test/polygons.h"

sat_Shape *make_ring(const sat_Vec2 *points, size_t count) {
  sat_Decomposition pieces;
  assert_int_equal(sat_ring_decompose(points, count, test_scratch(), &pieces), SAT_OK);
  size_t bytes = sat_polygon_bytes(count, &pieces);
  sat_Shape *shape = malloc(bytes);
  assert_non_null(shape);
  assert_int_equal(sat_polygon_init(shape, points, count, &pieces), SAT_OK);
  assert_int_equal(shape->bytes, bytes);
  return shape;
}

sat_Shape *make_chain(const sat_Vec2 *points, size_t count, bool closed) {
  sat_Shape *shape = malloc(sat_chain_bytes(count));
  assert_non_null(shape);
  assert_int_equal(sat_chain_init(shape, points, count, closed), SAT_OK);
  assert_true(shape->bytes <= sat_chain_bytes(count));
  return shape;
}

sat_Shape *make_compound(const sat_Shape *const *members, size_t count) {
  sat_Shape *shape = malloc(sat_compound_bytes(members, count));
  assert_non_null(shape);
  assert_int_equal(sat_compound_init(shape, members, count), SAT_OK);
  assert_int_equal(shape->bytes, sat_compound_bytes(members, count));
  return shape;
}

sat_Shape *piece_of(const sat_Shape *shape, size_t index) {
  sat_Shape *piece = malloc(sat_shape_bytes(sat_shape_piece_size(shape, index)));
  assert_non_null(piece);
  assert_int_equal(sat_shape_piece_init(piece, shape, index), SAT_OK);
  return piece;
}

size_t random_ring_points(Random *random, int size, int64_t most, sat_Vec2 *points) {
  size_t count = 0;
  while (count < 4)
    count = random_simple_polygon(random, size, (size_t)random_integer(random, 5, most), points);
  return count;
}

sat_Shape *random_ring(Random *random) {
  sat_Vec2 points[MOST_VERTICES];
  size_t count = random_ring_points(random, 10, 16, points);
  return make_ring(points, count);
}

sat_Shape *random_convex(Random *random) {
  sat_Vec2 points[16] = {{0, 0}, {0, 0}};
  size_t count = 1;
  switch (random_integer(random, 0, 4)) {
  case 0: break;
  case 1:
    count = 2;
    points[1].x = (double)random_integer(random, 1, 6);
    points[1].y = (double)random_integer(random, -6, 6);
    break;
  default: count = random_whole_polygon(random, 5, 8, points);
  }
  sat_Shape *shape =
      shape_make(points, count, (double)random_integer(random, 0, 2) / (count == 1 ? 1 : 2));
  double x = (double)random_integer(random, -8, 8), y = (double)random_integer(random, -8, 8);
  assert_int_equal(sat_shape_move(shape, x, y), SAT_OK);
  return shape;
}

sat_Shape *random_chain(Random *random) {
  sat_Vec2 points[12];
  size_t count = (size_t)random_integer(random, 2, 12);
  for (size_t i = 0; i < count; i++) {
    points[i].x = (double)random_integer(random, -9, 9);
    points[i].y = (double)random_integer(random, -9, 9);
  }
  return make_chain(points, count, false);
}

sat_Shape *random_compound(Random *random) {
  sat_Shape *members[8];
  size_t count = (size_t)random_integer(random, 1, 8);
  for (size_t i = 0; i < count; i++)
    members[i] = random_integer(random, 0, 3) ? random_convex(random) : random_ring(random);
  sat_Shape *shape = make_compound((const sat_Shape *const *)members, count);
  for (size_t i = 0; i < count; i++) free(members[i]);
  return shape;
}

sat_Shape *random_shape(Random *random, bool whole) {
  sat_Shape *shape;
  switch (random_integer(random, 0, 4)) {
  case 0: shape = random_convex(random); break;
  case 1: shape = random_chain(random); break;
  case 2: shape = random_compound(random); break;
  default: shape = random_ring(random);
  }
  if (random_integer(random, 0, 3) == 0)
    assert_int_equal(sat_shape_set_radius(shape, (double)random_integer(random, 1, 3) / 2), SAT_OK);
  double x = (double)random_integer(random, -12, 12), y = (double)random_integer(random, -12, 12);
  assert_int_equal(sat_shape_move(shape, x, y), SAT_OK);
  if (whole) return shape;
  assert_int_equal(sat_shape_rotate(shape, random_real(random, -4, 4)), SAT_OK);
  assert_int_equal(sat_shape_scale(shape, random_real(random, 0.5, 1.5)), SAT_OK);
  if (random_integer(random, 0, 1)) sat_shape_flip(shape, random_integer(random, 0, 1));
  if (random_integer(random, 0, 2) == 0) {
    double sx = random_real(random, 0.5, 1.5), sy = random_real(random, 0.5, 1.5);
    assert_int_equal(sat_shape_scale_axes(shape, sx, sy), SAT_OK);
  }
  return shape;
}

Twosome make_twosome(uint64_t seed) {
  Random random = {seed};
  Twosome two;
  for (int side = 0; side < 2; side++) {
    two.of[side] = random_shape(&random, seed % 2);
    two.count[side] = sat_shape_piece_count(two.of[side]);
    two.pieces[side] = malloc(two.count[side] * sizeof(sat_Shape *));
    assert_non_null(two.pieces[side]);
    for (size_t i = 0; i < two.count[side]; i++) two.pieces[side][i] = piece_of(two.of[side], i);
  }
  questions_agree(two.of[0], two.of[1], seed);
  return two;
}

void free_twosome(Twosome *two) {
  for (int side = 0; side < 2; side++) {
    for (size_t i = 0; i < two->count[side]; i++) free(two->pieces[side][i]);
    free(two->pieces[side]);
    free(two->of[side]);
  }
}

void free_all(sat_Shape *const *shapes) {
  for (; *shapes; shapes++) free(*shapes);
}

double distance_to(const sat_Shape *shape, sat_Vec2 at) {
  sat_Distance separation;
  sat_Shape *point = shape_make(&at, 1, 0);
  assert_int_equal(sat_distance(point, shape, test_scratch(), &separation), SAT_OK);
  free(point);
  return separation.distance;
}
