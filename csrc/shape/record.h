/* record.h: the offsets of the fields in a shape's record, for its writer and its reader. */
#ifndef SAT_SHAPE_RECORD_H
#define SAT_SHAPE_RECORD_H

#include "base/byte_order.h"
#include "shape/shape_save.h"

enum {
  RECORD_COUNT = 0, /* number of vertices; 0 for a composite */
  RECORD_FLAGS = 4,
  RECORD_CATEGORY = 8,
  RECORD_MASK = 12,
  RECORD_GROUP = 16,
  RECORD_INDEX = 20, /* in the world; 0 for a member of a compound */
  RECORD_RADIUS = 24,
  RECORD_ANGLE = 32,
  RECORD_SCALE = 40,
  RECORD_CENTROID = 48,
  RECORD_LOCAL_ORIGIN = 64,
  RECORD_LOCAL_CENTROID = 80,
  RECORD_MASS = 96,
  RECORD_ONE_WAY = 104,
  RECORD_AXIS_SCALE = 120,
  RECORD_VERTICES = 136,
  RECORD_POINT = 16 /* bytes of a point */
};

/* The largest bounding radius of a record: SAT_MOST_BOUND with the rounding error of rotations. */
#define RECORD_MOST_BOUND (SAT_MOST_BOUND * (1 + SAT_BOUND_ERROR))

/* A point of a list that starts at `points`. */
static inline sat_Vec2 sat_record_point(const unsigned char *points, size_t index) {
  return sat_get_vec2(points + index * RECORD_POINT);
}

/* The local centroid before axis_scale. */
static inline sat_Vec2 sat_made_centroid(const sat_Shape *shape) {
  return is_composite(shape) ? sat_composite_header(shape)->made_centroid : shape->local_centroid;
}

/* Whether the record is a compound's. */
bool sat_record_is_compound(const unsigned char *record);

#endif
