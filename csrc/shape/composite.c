/* composite.c: see shape/composite.h and shape/piece_view.h. */
#include "shape/composite.h"

#include "base/double_double.h"
#include "shape/shape_save.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

/* ---------------------------------------------------------------- the block */

/* How many points have an entry in `follow`. */
static uint32_t joints_of(const sat_Many *many) {
  return many->kind == SAT_COMPOUND && many->flags & SAT_JOINED ? many->points : 0;
}

sat_ManyBlock sat_many_block(sat_Shape *shape) {
  sat_Many *many = (sat_Many *)(void *)(shape + 1);
  uint32_t joints = joints_of(many);
  sat_ManyBlock block = {.many = many, .edges = (sat_Edges *)(many + 1)};
  block.vertices = (sat_Vec2 *)(block.edges + many->fours);
  block.points = block.vertices + many->vertices;
  block.locals = block.points + many->points;
  block.parts = (sat_Part *)(block.locals + many->points);
  block.nodes = (sat_PartNode *)(block.parts + many->parts);
  block.index = (uint32_t *)(block.nodes + many->nodes);
  block.follow = joints ? block.index + many->vertices : NULL;
  block.inner = (bool *)(block.index + many->vertices + joints);
  block.own_inner = block.inner + many->vertices;
  block.buried = block.own_inner + many->vertices;
  block.own_buried = block.buried + many->vertices;
  block.records = (unsigned char *)(block.own_buried + many->vertices);
  return block;
}

size_t sat_many_bytes(const sat_Many *many) {
  uint64_t bytes = sizeof(sat_Shape) + sizeof(sat_Many);
  bytes += (uint64_t)many->fours * sizeof(sat_Edges) + (uint64_t)many->parts * sizeof(sat_Part);
  bytes += (uint64_t)many->vertices * (sizeof(sat_Vec2) + sizeof(uint32_t) + 4 * sizeof(bool));
  bytes += (uint64_t)joints_of(many) * sizeof(uint32_t) + many->records;
  bytes +=
      (uint64_t)many->points * 2 * sizeof(sat_Vec2) + (uint64_t)many->nodes * sizeof(sat_PartNode);
  bytes = (bytes + 7) / 8 * 8;
  return bytes <= UINT32_MAX ? (size_t)bytes : 0;
}

/* Halving makes two sizes on each level of the tree, one apart. Counts both, level by level. */
static uint32_t nodes_of(uint32_t parts) {
  uint32_t size = parts, smaller = 1, larger = 0, nodes = 1;
  while (size > SAT_LEAF) {
    uint32_t low = size % 2 ? smaller : 2 * smaller + larger;
    larger = size % 2 ? smaller + 2 * larger : larger;
    smaller = low;
    size /= 2;
    nodes += smaller + larger;
  }
  return size == SAT_LEAF ? nodes + 2 * larger : nodes;
}

static bool is_mirrored(const sat_Shape *shape) {
  return !(shape->flags & SAT_MIRROR_X) != !(shape->flags & SAT_MIRROR_Y);
}

void sat_many_count_nodes(sat_Many *many) { many->nodes = nodes_of(many->parts); }

/* All at once, which is faster than one field after the other on top of zeros. */
static sat_Body body_of_many(const sat_Shape *shape, sat_Box box) {
  sat_ManyBlock block = sat_many_block((sat_Shape *)shape);
  const sat_Many *many = block.many;
  bool has_tree = many->nodes > 1;
  return (sat_Body){.parts = block.parts,
                    .vertices = block.vertices,
                    .edges = block.edges,
                    .inner = block.inner,
                    .buried = block.buried,
                    .points = block.points,
                    .index = block.index,
                    .follow = block.follow,
                    .nodes = has_tree ? block.nodes : NULL,
                    .count = many->parts,
                    .node_count = has_tree ? many->nodes : 0,
                    .point_count = many->points,
                    .flags = many->flags,
                    .closed = many->parts == many->points,
                    .mirrored = is_mirrored(shape),
                    .radius = shape->radius,
                    .origin = shape->origin,
                    .hub = shape->hub,
                    .box = box};
}

sat_Body sat_body_of(const sat_Shape *shape, sat_Part *single) {
  double r = shape->radius;
  sat_Vec2 out = vec2(r, r);
  sat_Box box = {sub(shape->box.min, out), add(shape->box.max, out)};
  if (is_many(shape)) return body_of_many(shape, box);
  *single = (sat_Part){.count = shape->vertex_count,
                       .edges = UINT32_MAX,
                       .corners = UINT32_MAX,
                       .own_radius = r,
                       .radius = r,
                       .extent = shape->extent,
                       .box = shape->box};
  return (sat_Body){.parts = single,
                    .vertices = vertices_of(shape),
                    .edges = edges_of(shape),
                    .count = 1,
                    .origin = shape->origin,
                    .hub = shape->hub,
                    .box = box};
}

/* ---------------------------------------------------------------- the tree */

static void widen(sat_Box *box, const sat_Box *by, double out) {
  box->min = vec2(min2(box->min.x, sum_down(by->min.x, -out)),
                  min2(box->min.y, sum_down(by->min.y, -out)));
  box->max =
      vec2(max2(box->max.x, sum_up(by->max.x, out)), max2(box->max.y, sum_up(by->max.y, out)));
}

static const sat_Box NO_BOX = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};

/* Fits the node at `*at` and all below it to their parts. */
static sat_Box fit_nodes(const sat_ManyBlock *block, uint32_t first, uint32_t count, uint32_t *at) {
  uint32_t own = (*at)++;
  sat_PartNode node = {NO_BOX, 0, first, count, 0};
  if (count <= SAT_LEAF) {
    for (uint32_t i = first; i < first + count; i++)
      widen(&node.box, &block->parts[i].box, block->parts[i].radius);
  } else {
    sat_Box low = fit_nodes(block, first, count / 2, at);
    sat_Box high = fit_nodes(block, first + count / 2, count - count / 2, at);
    widen(&node.box, &low, 0);
    widen(&node.box, &high, 0);
    node.count = 0;
  }
  node.skip = *at - own;
  block->nodes[own] = node;
  return node.box;
}

static double middle_of(const sat_Part *part, bool upright) {
  const sat_Box *box = &part->box;
  return upright ? box->min.y + box->max.y : box->min.x + box->max.x;
}

static void swap_parts(sat_Part *parts, uint32_t i, uint32_t j) {
  sat_Part part = parts[i];
  parts[i] = parts[j];
  parts[j] = part;
}

/* Puts the smallest `half` of the parts first. Hoare, Algorithm 65: Find, 1961. What is in order
 * from the start, once or several times over, makes any fixed place a bad one to take the pivot
 * from. */
static void split_parts(sat_Part *parts, uint32_t count, uint32_t half, bool upright) {
  uint32_t low = 0, high = count - 1, anywhere = count;
  while (low < high) {
    anywhere = anywhere * 1664525u + 1013904223u; /* Knuth's and Lewis' generator */
    uint32_t place = low + (uint32_t)((uint64_t)anywhere * (high - low) >> 32);
    double pivot = middle_of(&parts[place], upright);
    uint32_t i = low, j = high;
    for (;;) {
      while (middle_of(&parts[i], upright) < pivot) i++;
      while (middle_of(&parts[j], upright) > pivot) j--;
      if (i >= j) break;
      swap_parts(parts, i++, j--);
    }
    if (half <= j) high = j;
    else low = j + 1;
  }
}

/* Sorts the parts so that every node's are near each other: halves of equal number, split across
 * the longer side of where their middles are. */
static void sort_parts(sat_Part *parts, uint32_t count) {
  if (count <= SAT_LEAF) return;
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  for (uint32_t i = 0; i < count; i++) {
    for (int axis = 0; axis < 2; axis++) {
      double middle = middle_of(&parts[i], axis);
      low[axis] = min2(low[axis], middle);
      high[axis] = max2(high[axis], middle);
    }
  }
  split_parts(parts, count, count / 2, high[1] - low[1] > high[0] - low[0]);
  sort_parts(parts, count / 2);
  sort_parts(parts + count / 2, count - count / 2);
}

/* ---------------------------------------------------------------- from local to turned */

static sat_Vec2 turned(const sat_Shape *shape, sat_Vec2 local) {
  if (!(shape->flags & (SAT_TURNED | SAT_QUARTERS))) return local;
  double cosine = shape->cosine * shape->scale, sine = shape->sine * shape->scale;
  sat_Vec2 arm = sub(local, sat_shape_hinge(shape));
  arm = vec2(shape->flags & SAT_MIRROR_X ? -arm.x : arm.x,
             shape->flags & SAT_MIRROR_Y ? -arm.y : arm.y);
  return vec2(arm.x * cosine - arm.y * sine, arm.x * sine + arm.y * cosine);
}

/* Where a local point stands among the turned ones. */
static uint32_t place_of(const sat_Many *many, uint32_t local, bool mirrored) {
  return many->kind == SAT_POLYGON && mirrored && local > 0 ? many->points - local : local;
}

uint32_t sat_shown(const bool *hidden, uint32_t count) {
  uint32_t bits = 0;
  if (count > 32) return UINT32_MAX;
  for (uint32_t i = 0; i < count; i++) bits |= (uint32_t)!hidden[i] << i;
  return bits;
}

/* A mirror turns the order of a part's vertices round, which has to be of positive area. */
static void turn_part(const sat_ManyBlock *block, sat_Part *part, bool mirrored) {
  uint32_t first = part->first, count = part->count;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t vertex = mirrored && k > 0 ? count - k : k, edge = mirrored ? count - 1 - k : k;
    uint32_t place = place_of(block->many, block->index[first + vertex], mirrored);
    block->vertices[first + k] = block->points[place];
    block->inner[first + k] = block->own_inner[first + edge];
    block->buried[first + k] = block->own_buried[first + vertex];
  }
  part->edges = sat_shown(block->inner + first, count);
  part->corners = sat_shown(block->buried + first, count);
}

static void measure_part(const sat_ManyBlock *block, sat_Part *part, double scale) {
  const sat_Vec2 *vertex = block->vertices + part->first;
  sat_measure_edges(block->edges + part->four, vertex, part->count);
  sat_Box box = {vertex[0], vertex[0]};
  for (uint32_t i = 1; i < part->count; i++) {
    box.min = vec2(min2(box.min.x, vertex[i].x), min2(box.min.y, vertex[i].y));
    box.max = vec2(max2(box.max.x, vertex[i].x), max2(box.max.y, vertex[i].y));
  }
  part->box = box;
  part->extent = max2(-box.min.x, box.max.x) + max2(-box.min.y, box.max.y);
  part->radius = part->own_radius * scale;
}

static void measure_whole(sat_Shape *shape, const sat_ManyBlock *block) {
  double bound = 0;
  shape->box = NO_BOX;
  shape->extent = 0;
  for (uint32_t i = 0; i < block->many->parts; i++) {
    const sat_Part *part = &block->parts[i];
    double farthest = 0;
    for (uint32_t k = 0; k < part->count; k++) {
      sat_Vec2 arm = sub(block->vertices[part->first + k], shape->hub);
      farthest = max2(farthest, dot(arm, arm));
    }
    bound = max2(bound, sum_up(sqrt(farthest) * SAT_ROUND_UP, part->radius));
    widen(&shape->box, &part->box, part->radius);
    shape->extent = max2(shape->extent, part->extent + part->radius);
  }
  shape->bound = bound;
}

void sat_many_refresh(sat_Shape *shape) {
  sat_ManyBlock block = sat_many_block(shape);
  bool mirrored = is_mirrored(shape);
  for (uint32_t i = 0; i < block.many->points; i++)
    block.points[place_of(block.many, i, mirrored)] = turned(shape, block.locals[i]);
  for (uint32_t i = 0; i < block.many->parts; i++) {
    turn_part(&block, &block.parts[i], mirrored);
    measure_part(&block, &block.parts[i], shape->scale);
  }
  uint32_t at = 0;
  fit_nodes(&block, 0, block.many->parts, &at);
  measure_whole(shape, &block);
}

/* ---------------------------------------------------------------- making */

/* The padding at the end is zero, so that equal shapes have equal blocks. */
sat_ManyBlock sat_many_begin(sat_Shape *shape, const sat_Many *many) {
  size_t bytes = sat_many_bytes(many);
  memset((char *)shape + bytes - 8, 0, 8);
  sat_init_head(shape, bytes, 0, 0);
  *(sat_Many *)(void *)(shape + 1) = *many;
  return sat_many_block(shape);
}

/* Adds a part, of vertices that are to be filled in at the place returned. */
static uint32_t add_part(const sat_ManyBlock *block, uint32_t *parts, uint32_t count,
                         double radius) {
  sat_Part part = {.count = count, .own_radius = radius, .radius = radius, .box = NO_BOX};
  if (*parts > 0) {
    const sat_Part *before = &block->parts[*parts - 1];
    part.first = before->first + before->count;
    part.four = before->four + fours_of(before->count);
  }
  block->parts[(*parts)++] = part;
  return part.first;
}

static void set_vertex(const sat_ManyBlock *block, uint32_t vertex, sat_Corner corner) {
  block->index[vertex] = corner.vertex;
  block->own_inner[vertex] = corner.inner;
  block->own_buried[vertex] = corner.buried;
}

/* The box of a part before any transform. */
static sat_Box local_box(const sat_ManyBlock *block, const sat_Part *part) {
  const uint32_t *index = block->index + part->first;
  sat_Box box = {block->locals[index[0]], block->locals[index[0]]};
  for (uint32_t i = 1; i < part->count; i++) {
    sat_Vec2 local = block->locals[index[i]];
    box.min = vec2(min2(box.min.x, local.x), min2(box.min.y, local.y));
    box.max = vec2(max2(box.max.x, local.x), max2(box.max.y, local.y));
  }
  return box;
}

void sat_many_finish(sat_Shape *shape) {
  sat_ManyBlock block = sat_many_block(shape);
  for (uint32_t i = 0; i < block.many->parts; i++)
    block.parts[i].box = local_box(&block, &block.parts[i]);
  sort_parts(block.parts, block.many->parts);
  sat_shape_refresh(shape);
}

/* Makes the locals, which are still in the world, relative to an anchor. */
static void set_center(sat_Shape *shape, const sat_ManyBlock *block, sat_Vec2 center) {
  sat_Vec2 anchor = sat_anchor_of(block->locals, block->many->points, center);
  for (uint32_t i = 0; i < block->many->points; i++)
    block->locals[i] = sub(block->locals[i], anchor);
  shape->center = center;
  shape->anchor = anchor;
  shape->middle = sub(center, anchor);
}

static bool all_in_range(const sat_Vec2 *points, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!vec_in_range(points[i])) return false;
  return true;
}

/* ---------------------------------------------------------------- a concave polygon */

sat_Many sat_polygon_counts(size_t count, const sat_Pieces *pieces) {
  sat_Many many = {0};
  many.kind = SAT_POLYGON;
  many.parts = pieces->count;
  many.vertices = pieces->first[pieces->count];
  many.points = (uint32_t)count;
  for (uint32_t i = 0; i < pieces->count; i++)
    many.fours += fours_of(pieces->first[i + 1] - pieces->first[i]);
  sat_many_count_nodes(&many);
  return many;
}

size_t sat_polygon_bytes(size_t count, const sat_Pieces *pieces) {
  sat_Many many = sat_polygon_counts(count, pieces);
  return count <= UINT32_MAX ? sat_many_bytes(&many) : 0;
}

void sat_polygon_fill(sat_Shape *shape, const sat_Pieces *pieces) {
  sat_ManyBlock block = sat_many_block(shape);
  uint32_t parts = 0;
  for (uint32_t i = 0; i < pieces->count; i++) {
    uint32_t from = pieces->first[i], size = pieces->first[i + 1] - from;
    uint32_t first = add_part(&block, &parts, size, 0);
    for (uint32_t k = 0; k < size; k++) set_vertex(&block, first + k, pieces->corners[from + k]);
  }
  shape->area = max2(sat_ring_area(block.locals, block.many->points), 0);
}

sat_Status sat_polygon_init(sat_Shape *shape, const sat_Vec2 *ring, size_t count,
                            const sat_Pieces *pieces) {
  if (!all_in_range(ring, count)) return SAT_ERANGE;
  sat_Many many = sat_polygon_counts(count, pieces);
  sat_ManyBlock block = sat_many_begin(shape, &many);
  for (size_t i = 0; i < count; i++) block.locals[i] = ring[i];
  set_center(shape, &block, sat_ring_centroid(ring, count));
  sat_polygon_fill(shape, pieces);
  sat_many_finish(shape);
  return SAT_OK;
}

/* ---------------------------------------------------------------- a chain */

sat_Many sat_chain_counts(uint32_t points, bool closed) {
  sat_Many many = {0};
  many.kind = SAT_CHAIN;
  many.points = points;
  many.parts = points == 1 ? 1 : closed && points > 2 ? points : points - 1;
  many.vertices = points == 1 ? 1 : 2 * many.parts;
  many.fours = points == 1 ? 0 : many.parts;
  if (many.parts > 1) many.flags = SAT_JOINED;
  if (closed && points > 2) many.flags |= SAT_ONE_SIDED;
  sat_many_count_nodes(&many);
  return many;
}

size_t sat_chain_bytes(size_t count) {
  if (count == 0) return sizeof(sat_Shape) + sizeof(sat_Many);
  if (count > UINT32_MAX / 2) return 0;
  sat_Many many = sat_chain_counts((uint32_t)count, true);
  return sat_many_bytes(&many);
}

static bool same(sat_Vec2 a, sat_Vec2 b) { return a.x == b.x && a.y == b.y; }

/* How many points are left without those that repeat the one before, or, closing a chain, the first
 * one. */
static uint32_t count_distinct(const sat_Vec2 *points, size_t count, bool closed) {
  uint32_t distinct = 1;
  while (closed && count > 1 && same(points[count - 1], points[0])) count--;
  for (size_t i = 1; i < count; i++) distinct += !same(points[i], points[i - 1]);
  return distinct;
}

/* The centre by length. */
static sat_Vec2 measure_chain(const sat_ManyBlock *block) {
  sat_Many *many = block->many;
  const sat_Vec2 *points = block->locals;
  sat_Vec2 sum = vec2(0, 0);
  many->length = 0;
  for (uint32_t i = 0; i < many->parts; i++) {
    sat_Vec2 from = sub(points[i], points[0]),
             to = sub(points[i + 1 < many->points ? i + 1 : 0], points[0]);
    double size = length(sub(to, from));
    sum = add(sum, mul(add(from, to), size / 2));
    many->length += size;
  }
  return many->length > 0 ? add(points[0], mul(sum, 1 / many->length)) : points[0];
}

void sat_chain_fill(sat_Shape *shape) {
  sat_ManyBlock block = sat_many_block(shape);
  const sat_Many *many = block.many;
  uint32_t parts = 0;
  for (uint32_t i = 0; i < many->parts; i++) {
    uint32_t size = many->points == 1 ? 1 : 2, first = add_part(&block, &parts, size, 0);
    uint32_t next = i + 1 < many->points ? i + 1 : 0;
    block.parts[i].flags = many->flags;
    set_vertex(&block, first, (sat_Corner){i, false, false});
    if (size == 2) set_vertex(&block, first + 1, (sat_Corner){next, false, false});
  }
  measure_chain(&block);
}

sat_Status sat_chain_init(sat_Shape *shape, const sat_Vec2 *points, size_t count, bool closed) {
  if (count == 0) return SAT_EFEW;
  if (!all_in_range(points, count)) return SAT_ERANGE;
  sat_Many many = sat_chain_counts(count_distinct(points, count, closed), closed);
  sat_ManyBlock block = sat_many_begin(shape, &many);
  uint32_t kept = 0;
  for (size_t i = 0; i < count && kept < many.points; i++)
    if (i == 0 || !same(points[i], points[i - 1])) block.locals[kept++] = points[i];
  set_center(shape, &block, measure_chain(&block));
  sat_chain_fill(shape);
  sat_many_finish(shape);
  return SAT_OK;
}

/* ---------------------------------------------------------------- a compound */

sat_Status sat_compound_counts(const sat_Shape *const *members, size_t count, sat_Many *many) {
  uint64_t parts = 0, vertices = 0, fours = 0, records = 0;
  uint32_t flags = 0, depth = 0;
  if (count == 0) return SAT_EFEW;
  for (size_t i = 0; i < count; i++) {
    const sat_Shape *member = members[i];
    const sat_Many *own = is_many(member) ? sat_many_of(member) : NULL;
    parts += own ? own->parts : 1;
    vertices += own ? own->vertices : member->vertex_count;
    fours += own ? own->fours : fours_of(member->vertex_count);
    records += sat_shape_record_size(member);
    flags |= own ? own->flags : 0;
    if (own && own->depth > depth) depth = own->depth;
  }
  if (vertices > UINT32_MAX / 2 || records > UINT32_MAX) return SAT_ENOMEM;
  *many = (sat_Many){.parts = (uint32_t)parts,
                     .vertices = (uint32_t)vertices,
                     .fours = (uint32_t)fours,
                     .points = (uint32_t)vertices,
                     .kind = SAT_COMPOUND,
                     .flags = flags,
                     .records = (uint32_t)records,
                     .depth = depth + 1};
  sat_many_count_nodes(many);
  if (sat_many_bytes(many) == 0) return SAT_ENOMEM;
  return depth < SAT_MOST_NESTED ? SAT_OK : SAT_EDEEP;
}

size_t sat_compound_bytes(const sat_Shape *const *members, size_t count) {
  sat_Many many = {0};
  return sat_compound_counts(members, count, &many) == SAT_ENOMEM ? 0 : sat_many_bytes(&many);
}

/* Where among a compound's points, from the member's first one on, a vertex of a member goes: where
 * the points of a chain follow each other can be told from that. */
static uint32_t point_in_member(const sat_Shape *member, const sat_Body *body, const sat_Part *part,
                                uint32_t vertex) {
  sat_Kind kind = sat_shape_kind(member);
  if (!body->index) return vertex; /* it is convex */
  if (kind == SAT_COMPOUND) return body->index[part->first + vertex];
  return kind == SAT_CHAIN ? 2 * body->index[part->first] + vertex : part->first + vertex;
}

/* The point of a member that follows one in a chain. */
static uint32_t follower_in_member(const sat_Body *body, const sat_Part *part, uint32_t vertex) {
  if (!(part->flags & SAT_JOINED)) return SAT_CHAIN_END;
  uint32_t start = body->index[part->first], count = body->count;
  if (body->follow) return body->follow[body->index[part->first + vertex]];
  if (vertex == 0)
    return start > 0 ? 2 * (start - 1) : body->closed ? 2 * (count - 1) : SAT_CHAIN_END;
  return start + 1 < count ? 2 * start + 3 : body->closed ? 1 : SAT_CHAIN_END;
}

static void add_member(const sat_ManyBlock *block, uint32_t *parts, const sat_Shape *member) {
  sat_Part single;
  sat_Body body = sat_body_of(member, &single);
  uint32_t base = 0;
  if (*parts > 0) base = block->parts[*parts - 1].first + block->parts[*parts - 1].count;
  for (uint32_t i = 0; i < body.count; i++) {
    const sat_Part *part = &body.parts[i];
    uint32_t first = add_part(block, parts, part->count, sat_part_radius(&body, part));
    bool turned_over = body.mirrored && part->flags & SAT_ONE_SIDED;
    block->parts[*parts - 1].flags = part->flags ^ (turned_over ? SAT_BACKWARD : 0);
    for (uint32_t k = 0; k < part->count; k++) {
      uint32_t own = part->first + k, point = base + point_in_member(member, &body, part, k);
      bool inner = body.inner && body.inner[own], buried = body.buried && body.buried[own];
      set_vertex(block, first + k, (sat_Corner){point, inner, buried});
      block->locals[point] = add(body.origin, body.vertices[own]);
      if (!block->follow) continue;
      uint32_t follower = follower_in_member(&body, part, k);
      block->follow[point] = follower == SAT_CHAIN_END ? follower : base + follower;
    }
  }
}

static double length_of(const sat_Shape *shape) {
  if (is_many(shape)) return sat_many_of(shape)->length * shape->scale;
  return shape->vertex_count == 2 ? shape->perimeter * shape->scale / 2 : 0;
}

/* Area counts where there is any, else length, else every member the same. */
static sat_Vec2 weigh_members(const sat_Shape *const *members, size_t count) {
  double area = 0, size = 0, all = 0;
  for (size_t i = 0; i < count; i++) {
    area += sat_shape_area(members[i]);
    size += length_of(members[i]);
  }
  sat_Vec2 start = members[0]->center, sum = vec2(0, 0);
  for (size_t i = 0; i < count; i++) {
    double weight = area > 0   ? sat_shape_area(members[i]) / area
                    : size > 0 ? length_of(members[i]) / size
                               : 1;
    sum = add(sum, mul(sub(members[i]->center, start), weight));
    all += weight;
  }
  return add(start, mul(sum, 1 / all));
}

/* The area is a sum over the outlines that are rounded, and so is what rounding adds to it: for a
 * radius r it grows by the outlines' length times r, and a disc for each. */
static void add_measures(sat_Shape *shape, sat_Many *many, const sat_Shape *member) {
  uint32_t rounds = is_many(member) ? sat_many_of(member)->rounds : 1;
  shape->area += sat_shape_area(member);
  shape->perimeter += member->perimeter * member->scale + 2 * PI * rounds * member->radius;
  many->rounds += rounds;
  many->length += length_of(member);
}

static bool fits_bound(const sat_Shape *const *members, size_t count, sat_Vec2 center) {
  for (size_t i = 0; i < count; i++) {
    double reach = sat_shape_bounding_radius(members[i]);
    if (!(length(sub(members[i]->center, center)) + reach <= SAT_MOST_BOUND)) return false;
  }
  return true;
}

sat_Status sat_compound_init(sat_Shape *shape, const sat_Shape *const *members, size_t count) {
  sat_Many many;
  sat_Status status = sat_compound_counts(members, count, &many);
  if (status) return status;
  sat_Vec2 center = weigh_members(members, count);
  if (!fits_bound(members, count, center)) return SAT_ERANGE;
  sat_ManyBlock block = sat_many_begin(shape, &many);
  unsigned char *record = block.records;
  uint32_t parts = 0;
  for (size_t i = 0; i < count; i++) {
    add_member(&block, &parts, members[i]);
    add_measures(shape, block.many, members[i]);
    sat_shape_write(members[i], record);
    record += sat_shape_record_size(members[i]);
  }
  set_center(shape, &block, center);
  sat_many_finish(shape);
  return SAT_OK;
}

/* ---------------------------------------------------------------- reading */

size_t sat_many_point_count(const sat_Shape *shape) {
  const sat_Many *many = sat_many_of(shape);
  return many->kind == SAT_COMPOUND ? 0 : many->points;
}

sat_Vec2 sat_many_point(const sat_Shape *shape, size_t index) {
  return add(shape->origin, sat_many_block((sat_Shape *)shape).points[index]);
}

double sat_many_area(const sat_Shape *shape, double core, double outline) {
  double r = shape->radius;
  return core + (outline + sat_many_of(shape)->rounds * PI * r) * r;
}

/* The farthest that a part can reach along a direction. */
static double farthest_of(const sat_Body *body, const sat_Part *part, sat_Vec2 direction,
                          double size) {
  double x = direction.x > 0 ? part->box.max.x : part->box.min.x;
  double y = direction.y > 0 ? part->box.max.y : part->box.min.y;
  return direction.x * x + direction.y * y + sat_part_radius(body, part) * size;
}

sat_Vec2 sat_many_support(const sat_Shape *shape, sat_Vec2 direction) {
  sat_Part single;
  sat_Body body = sat_body_of(shape, &single);
  double size = length(direction), best = -HUGE_VAL;
  sat_Vec2 point = vec2(0, 0);
  for (uint32_t i = 0; i < body.count; i++) {
    const sat_Part *part = &body.parts[i];
    if (farthest_of(&body, part, direction, size) <= best) continue;
    sat_Convex convex = sat_part_convex(&body, part);
    double radius = sat_part_radius(&body, part);
    sat_Vec2 vertex = convex.vertex[sat_support_index(&convex, direction)];
    double reach = dot(direction, vertex) + radius * size;
    if (reach <= best) continue;
    best = reach;
    point = add(vertex, mul(direction, radius / size));
  }
  return add(shape->origin, point);
}

/* ---------------------------------------------------------------- the parts */

bool sat_shape_is_convex(const sat_Shape *shape) { return sat_shape_part_count(shape) == 1; }

size_t sat_shape_part_count(const sat_Shape *shape) {
  return is_many(shape) ? sat_many_of(shape)->parts : 1;
}

/* A segment that has shrunk to nothing is a point. */
static uint32_t part_size(const sat_Body *body, const sat_Part *part) {
  const sat_Vec2 *vertices = body->vertices + part->first;
  return part->count == 2 && same(vertices[0], vertices[1]) ? 1 : part->count;
}

size_t sat_shape_part_size(const sat_Shape *shape, size_t index) {
  sat_Part single;
  SAT_ASSERT(index < sat_shape_part_count(shape));
  sat_Body body = sat_body_of(shape, &single);
  return part_size(&body, &body.parts[index]);
}

sat_Vec2 sat_shape_part_vertex(const sat_Shape *shape, size_t index, size_t vertex) {
  sat_Part single;
  SAT_ASSERT(vertex < sat_shape_part_size(shape, index));
  sat_Body body = sat_body_of(shape, &single);
  return add(body.origin, body.vertices[body.parts[index].first + vertex]);
}

double sat_shape_part_radius(const sat_Shape *shape, size_t index) {
  sat_Part single;
  SAT_ASSERT(index < sat_shape_part_count(shape));
  sat_Body body = sat_body_of(shape, &single);
  return sat_part_radius(&body, &body.parts[index]);
}

sat_Status sat_shape_part_init(sat_Shape *block, const sat_Shape *shape, size_t index) {
  sat_Part single;
  sat_Body body = sat_body_of(shape, &single);
  const sat_Part *part = &body.parts[index];
  const sat_Vec2 *vertices = body.vertices + part->first;
  sat_Status status = sat_shape_init_at(block, body.origin, vertices, part_size(&body, part));
  if (status != SAT_OK) return status;
  if (!in_range(sat_part_radius(&body, part))) return SAT_ERANGE;
  block->radius = sat_part_radius(&body, part);
  block->flags |= shape->flags & (SAT_SENSOR | SAT_STATIC | SAT_DISABLED);
  sat_shape_set_filter(block, shape->category, shape->mask, shape->group);
  block->mass = shape->mass;
  return SAT_OK;
}
