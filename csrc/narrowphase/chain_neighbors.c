/* chain_neighbors.c: see narrowphase/chain_neighbors.h. */
#include "narrowphase/chain_neighbors.h"

/* Unit normals that are so far from where they may be are there: four digits more than rounding
 * needs, and as many less than what grazes by rounding is off by. */
#define SAME_NORMAL 1e-9

sat_Vec2 sat_open_normal(const sat_Body *body, const sat_Part *part) {
  return normal_of(body->edges + part->four, sat_open_edge(body, part));
}

uint32_t sat_point_beyond(const sat_Body *body, uint32_t point, bool forward) {
  if (body->follow) return body->follow[point];
  uint32_t last = body->point_count - 1;
  if (forward) return point < last ? point + 1 : body->closed ? 0 : SAT_CHAIN_END;
  return point > 0 ? point - 1 : body->closed ? last : SAT_CHAIN_END;
}

bool sat_joint_at(const sat_Body *body, const sat_Part *part, uint32_t vertex, sat_Joint *joint) {
  if (!(part->flags & SAT_JOINED)) return false;
  const sat_Vec2 *vertices = body->vertices;
  uint32_t index = part->first + vertex;
  joint->beyond = sat_point_beyond(body, body->index[index], vertex == 1);
  if (joint->beyond == SAT_CHAIN_END) return false;
  joint->own = sub(vertices[part->first + 1 - vertex], vertices[index]);
  joint->next = sub(body->points[joint->beyond], vertices[index]);
  double sizes = length(joint->own) * length(joint->next);
  double turn = sizes > 0 ? cross(joint->own, joint->next) / sizes : 0;
  joint->turn = (vertex == 0) == (sat_open_edge(body, part) == 0) ? turn : -turn;
  joint->folded = fabs(turn) <= SAME_NORMAL && dot(joint->own, joint->next) > 0;
  return true;
}

/* Whether nothing can be touched at a vertex that is not part of a segment's side: it is on a
 * straight line, or sticks out to the closed side of a chain. */
static bool is_closed_off(const sat_Part *part, const sat_Joint *joint) {
  if (joint->folded) return false;
  return fabs(joint->turn) <= SAME_NORMAL || (part->flags & SAT_ONE_SIDED && joint->turn < 0);
}

/* `normal` points out of the body. */
static bool vertex_is_barred(const sat_Body *body, const sat_Part *part, uint32_t vertex,
                             sat_Vec2 normal) {
  sat_Joint joint;
  if (!sat_joint_at(body, part, vertex, &joint)) return false;
  sat_Vec2 open = sat_open_normal(body, part);
  if (fabs(cross(normal, open)) <= SAME_NORMAL)
    return part->flags & SAT_ONE_SIDED && dot(normal, open) < 0;
  return dot(normal, joint.next) > SAME_NORMAL * length(joint.next) ||
         dot(normal, joint.own) > SAME_NORMAL * length(joint.own) || is_closed_off(part, &joint);
}

bool sat_corner_is_barred(const sat_Parts *parts, const uint32_t vertex[2], sat_Vec2 normal) {
  return vertex_is_barred(parts->of[0], parts->part[0], vertex[0], neg(normal)) ||
         vertex_is_barred(parts->of[1], parts->part[1], vertex[1], normal);
}

bool sat_facet_is_barred(const sat_Parts *parts, const sat_Facet *facet, sat_Vec2 normal) {
  uint32_t side = facet->side;
  const sat_Part *own = parts->part[side];
  if (own->flags & SAT_ONE_SIDED && facet->edge != sat_open_edge(parts->of[side], own)) return true;
  sat_Vec2 out = side == SAT_OF_A ? normal : neg(normal);
  return vertex_is_barred(parts->of[!side], parts->part[!side], facet->vertex, out);
}

bool sat_turn_is_barred(const sat_Parts *parts, const uint32_t vertex[2]) {
  sat_Joint joint;
  for (uint32_t side = 0; side < 2; side++)
    if (sat_joint_at(parts->of[side], parts->part[side], vertex[side], &joint) &&
        is_closed_off(parts->part[side], &joint))
      return true;
  return false;
}
