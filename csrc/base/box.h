/* box.h: axis-aligned boxes: the empty box, growth and overlap. */
#ifndef SAT_BASE_BOX_H
#define SAT_BASE_BOX_H

#include "base/double_double.h"

/* The empty box: the first box or point that it is extended by replaces it. */
SAT_INLINE sat_Box sat_no_box(void) {
  return (sat_Box){{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
}

/* Extends `box` to contain `by`, widened on every side by `out`; rounds outward. */
SAT_INLINE void sat_grow_box(sat_Box *box, const sat_Box *by, double out) {
  box->min = vec2(min2(box->min.x, sum_down(by->min.x, -out)),
                  min2(box->min.y, sum_down(by->min.y, -out)));
  box->max =
      vec2(max2(box->max.x, sum_up(by->max.x, out)), max2(box->max.y, sum_up(by->max.y, out)));
}

SAT_INLINE void sat_extend_box(sat_Box *box, sat_Vec2 point) {
  box->min = vec2(min2(box->min.x, point.x), min2(box->min.y, point.y));
  box->max = vec2(max2(box->max.x, point.x), max2(box->max.y, point.y));
}

static inline sat_Box sat_box_of_points(const sat_Vec2 *points, size_t count) {
  sat_Box box = {points[0], points[0]};
  for (size_t i = 1; i < count; i++) sat_extend_box(&box, points[i]);
  return box;
}

static inline sat_Box box_moved(sat_Box box, sat_Vec2 by, double out) {
  return (sat_Box){vec2(box.min.x + by.x - out, box.min.y + by.y - out),
                   vec2(box.max.x + by.x + out, box.max.y + by.y + out)};
}

/* The bounds of all places of a box that turns about a pivot: on the circle of its farthest corner,
 * and no farther from where it is than along that. */
static inline sat_Box box_turned(sat_Box box, sat_Vec2 pivot, double angle) {
  double x = max2(pivot.x - box.min.x, box.max.x - pivot.x),
         y = max2(pivot.y - box.min.y, box.max.y - pivot.y), arm = sqrt(x * x + y * y);
  box = box_moved(box, (sat_Vec2){0, 0}, arm * fabs(angle));
  return (sat_Box){vec2(max2(box.min.x, pivot.x - arm), max2(box.min.y, pivot.y - arm)),
                   vec2(min2(box.max.x, pivot.x + arm), min2(box.max.y, pivot.y + arm))};
}

static inline bool box_interiors_meet(sat_Box a, sat_Box b) {
  return a.max.x > b.min.x && b.max.x > a.min.x && a.max.y > b.min.y && b.max.y > a.min.y;
}

/* Whether a motion of the first box leads to no common interior: along one axis the two touch at
 * most, and the motion does not lead nearer. */
static inline bool boxes_lead_past(sat_Box a, sat_Box b, sat_Vec2 motion) {
  return (motion.x >= 0 && a.min.x >= b.max.x) || (motion.x <= 0 && a.max.x <= b.min.x) ||
         (motion.y >= 0 && a.min.y >= b.max.y) || (motion.y <= 0 && a.max.y <= b.min.y);
}

/* Whether two boxes are at most `threshold` apart along both axes. It has no branches, since the
 * processor cannot predict which of the four comparisons fails. */
static inline bool boxes_meet(const sat_Box *a, const sat_Box *b, double threshold) {
  return (a->min.x - b->max.x <= threshold) & (b->min.x - a->max.x <= threshold) &
         (a->min.y - b->max.y <= threshold) & (b->min.y - a->max.y <= threshold);
}

#endif
