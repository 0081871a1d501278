/* answers.c: random convex shapes near 0, 0, and all answers about a pair of shapes. */
#include "test/answers.h"

#include <string.h>

sat_Shape *random_thing(Random *random) {
  sat_Vec2 points[8] = {{0, 0}, {0, 0}};
  size_t count = 1;
  double radius = 0;
  switch (random_integer(random, 0, 6)) {
  case 0: break;
  case 1: radius = (double)random_integer(random, 1, 3); break;
  case 2: radius = (double)random_integer(random, 0, 2); /* fall through */
  case 3:
    count = 2;
    points[1].x = (double)random_integer(random, 0, 4);
    points[1].y = (double)random_integer(random, -4, 4);
    if (points[1].x == 0 && points[1].y == 0) points[1].x = 3;
    break;
  case 4:
    count = 4;
    points[1] = vec2((double)random_integer(random, 1, 4), 0);
    points[2] = vec2(points[1].x, (double)random_integer(random, 1, 4));
    points[3] = vec2(0, points[2].y);
    break;
  case 5: radius = (double)random_integer(random, 1, 2); /* fall through */
  default: count = random_whole_polygon(random, 4, 6, points);
  }
  return shape_make(points, count, radius);
}

sat_Vec2 random_whole(Random *random, int size) {
  double x = (double)random_integer(random, -size, size);
  return vec2(x, (double)random_integer(random, -size, size));
}

void move_by(sat_Shape *shape, sat_Vec2 by) {
  assert_int_equal(sat_shape_move(shape, by.x, by.y), SAT_OK);
}

void bring_to_touch(sat_Shape *a, const sat_Shape *b) {
  sat_Result way;
  if (sat_collide(a, b, test_scratch(), &way) != SAT_OK) return;
  if (floor(way.vector.x) == way.vector.x && floor(way.vector.y) == way.vector.y)
    move_by(a, way.vector);
}

Answers ask(const sat_Shape *a, const sat_Shape *b, sat_Vec2 motion) {
  Answers answers;
  sat_Scratch *scratch = test_scratch();
  questions_agree(a, b, 0);
  memset(&answers, 0, sizeof answers);
  answers.overlap = sat_overlaps(a, b, scratch);
  answers.collide = sat_collide(a, b, scratch, &answers.result);
  answers.contacts = sat_contacts(a, b, scratch, &answers.manifold);
  assert_int_equal(sat_distance(a, b, scratch, &answers.distance), SAT_OK);
  answers.cast = sat_cast(a, motion, b, scratch, &answers.hit);
  answers.back = sat_cast(b, neg(motion), a, scratch, &answers.hit_back);
  return answers;
}

bool near(sat_Vec2 v, sat_Vec2 w, double hair) {
  return fabs(v.x - w.x) <= hair && fabs(v.y - w.y) <= hair;
}

/* Whether a hit is more than rounding. With a radius, rounding makes a grazing motion a hit now
 * and then, and a hit at the end of the motion a miss. */
static bool is_hit(sat_Status status, const sat_Hit *hit, sat_Vec2 motion) {
  return status == SAT_OK && fabs(dot(hit->normal, motion)) > 1e-9 && hit->t < 1 - 1e-12;
}

static bool is_at_vertex(const sat_Shape *shape, sat_Vec2 point) {
  for (size_t i = 0; i < sat_shape_vertex_count(shape); i++)
    if (near(sat_shape_vertex(shape, i), point, 1e-9)) return true;
  return false;
}

bool same_hits(const sat_Shape *b, const Answers *one, const Answers *other, sat_Vec2 motion) {
  bool free = is_at_vertex(b, one->hit.point) || is_at_vertex(b, other->hit.point);
  for (int way = 0; way < 2; way++) {
    const sat_Hit *p = way ? &one->hit_back : &one->hit;
    const sat_Hit *q = way ? &other->hit_back : &other->hit;
    bool p_hits = is_hit(way ? one->back : one->cast, p, motion);
    bool q_hits = is_hit(way ? other->back : other->cast, q, motion);
    if (p_hits != q_hits) return false;
    if (p_hits && fabs(p->t - q->t) > 1e-12) return false;
    if (p_hits && !free && !near(p->normal, q->normal, 1e-9)) return false;
  }
  return true;
}

double time_of_hit(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b) {
  sat_Hit hit;
  sat_Status status = sat_cast(a, motion, b, test_scratch(), &hit);
  assert_true(status == SAT_OK || status == SAT_MISS);
  if (status == SAT_OK) assert_true(dot(hit.normal, motion) < 0);
  return status == SAT_OK ? hit.t : HUGE_VAL;
}
