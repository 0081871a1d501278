/* boolean.c: unions, intersections, differences and exclusions of polygons.
 *
 * Edges are cut where they cross, on a grid, by snap rounding. A sweep then tells how often the
 * rings of both polygons go round the faces on both sides of an edge; an edge with the inside of
 * the result on one side remains. The sweep meets the edges of a vertex in the order of their
 * angles, and so links those around each wedge of the inside. Rings of links that pass a vertex
 * twice are cut there. The edge below the first vertex of a hole tells the polygon around it. */
#include "polygon/polygon.h"

/* The bits of a coordinate on the grid, besides its sign: differences then have 41, and crossings
 * of two edges are rounded with a quotient of 106. */
#define GRID_BITS 40

/* On which side of a directed edge the inside of the result lies. */
enum { NOT_KEPT, INSIDE_ABOVE, INSIDE_BELOW };

/* An edge of the result, led with the inside on its left, if `inside` tells a side. */
typedef struct FaceEdge {
  int32_t below[2]; /* windings of the face below */
  uint32_t under;   /* an edge of the result at the bottom of that face, or SAT_NONE */
  uint32_t next;    /* around the inside */
  uint32_t ring;
  uint8_t inside;
} FaceEdge;

typedef struct Overlay {
  sat_BooleanOperation operation;
  bool even_odd[2];
  double grid;
  sat_Arrangement plane;
  sat_SweepStatus status;
  FaceEdge *edges;     /* of each edge */
  uint32_t *ending;    /* an edge that ends at each point, or SAT_NONE */
  uint32_t *first;     /* the first edge that starts at each point */
  uint32_t *kept;      /* the edges of the result, by their first ends and then by angle */
  uint32_t *place;     /* of a vertex on the stack, or SAT_NONE */
  uint32_t *stack;     /* edges of a walk */
  uint32_t *corners;   /* the vertices of all rings, each from its first one in the sweep on */
  uint32_t *ring_ends; /* in `corners` */
  uint32_t kept_count, ring_count;
} Overlay;

/* ---------------------------------------------------------------- windings */

static bool is_in(const Overlay *work, const int32_t winding[2]) {
  bool in[2];
  for (int i = 0; i < 2; i++) in[i] = work->even_odd[i] ? winding[i] % 2 != 0 : winding[i] != 0;
  switch (work->operation) {
  case SAT_UNION: return in[0] || in[1];
  case SAT_INTERSECTION: return in[0] && in[1];
  case SAT_DIFFERENCE: return in[0] && !in[1];
  default: return in[0] != in[1];
  }
}

static uint32_t edge_beside(const Overlay *work, uint32_t edge, int way) {
  uint32_t beside = work->status.of[2 * (size_t)edge].beside[way];
  return beside == SAT_NONE ? SAT_NONE : beside / 2;
}

/* The edges around a vertex that are in the result, in the order of angles. */
typedef struct VertexLinks {
  uint32_t first, last;
  bool closes; /* the wedge before the first edge is inside */
} VertexLinks;

/* Goes on to an edge of the vertex. The edge that leads to the vertex is the one whose wedge before
 * it is inside, and the edge on the other side of that wedge goes on from it. */
static void link_edge(Overlay *work, VertexLinks *links, uint32_t edge, bool inside_before) {
  if (links->first == SAT_NONE) {
    links->first = edge;
    links->closes = inside_before;
  } else if (inside_before) {
    work->edges[edge].next = links->last;
  }
  links->last = edge;
}

/* Takes the edges that end at a point out of the status, from the top. */
static void pass_ends(Overlay *work, uint32_t point, VertexLinks *links) {
  const sat_PlaneEdge *plane = work->plane.edges.at;
  uint32_t edge = work->ending[point], above;
  while ((above = edge_beside(work, edge, SAT_ABOVE)) != SAT_NONE && plane[above].high == point)
    edge = above;
  for (;;) {
    if (work->edges[edge].inside)
      link_edge(work, links, edge, work->edges[edge].inside == INSIDE_ABOVE);
    sat_sweep_status_remove(&work->status, 2 * edge);
    uint32_t below = edge_beside(work, edge, SAT_BELOW);
    if (below == SAT_NONE || plane[below].high != point) return;
    edge = below;
  }
}

/* Puts the edges that start at a point into the status, and tells from the bottom up which of them
 * are in the result. */
static void pass_starts(Overlay *work, uint32_t point, VertexLinks *links) {
  const sat_PlaneEdge *plane = work->plane.edges.at;
  uint32_t first = work->first[point], end = work->first[point + 1];
  for (uint32_t edge = first; edge < end; edge++) sat_sweep_status_insert(&work->status, 2 * edge);
  uint32_t below, edge = first, under = SAT_NONE;
  while ((below = edge_beside(work, edge, SAT_BELOW)) != SAT_NONE && plane[below].low == point)
    edge = below;
  int32_t winding[2] = {0, 0};
  if (below != SAT_NONE) {
    const FaceEdge *of = &work->edges[below];
    for (int i = 0; i < 2; i++) winding[i] = of->below[i] + plane[below].winding[i];
    under = of->inside ? below : of->under;
  }
  bool is_inside = is_in(work, winding);
  for (uint32_t left = end - first; left > 0; left--) {
    FaceEdge *of = &work->edges[edge];
    *of = (FaceEdge){{winding[0], winding[1]}, under, SAT_NONE, SAT_NONE, NOT_KEPT};
    for (int i = 0; i < 2; i++) winding[i] += plane[edge].winding[i];
    bool was_inside = is_inside;
    is_inside = is_in(work, winding);
    if (is_inside != was_inside) {
      of->inside = is_inside ? INSIDE_ABOVE : INSIDE_BELOW;
      link_edge(work, links, edge, was_inside);
      work->kept[work->kept_count++] = under = edge;
    }
    edge = edge_beside(work, edge, SAT_ABOVE);
  }
}

static void sweep_faces(Overlay *work) {
  for (uint32_t point = 0; point < work->plane.points.count; point++) {
    VertexLinks links = {SAT_NONE, SAT_NONE, false};
    if (work->ending[point] != SAT_NONE) pass_ends(work, point, &links);
    if (work->first[point] < work->first[point + 1]) pass_starts(work, point, &links);
    if (links.closes) work->edges[links.first].next = links.last;
  }
}

/* ---------------------------------------------------------------- rings */

/* The vertex where an edge of the result starts, with the inside on its left. */
static uint32_t start_vertex(const Overlay *work, uint32_t edge) {
  const sat_PlaneEdge *of = &work->plane.edges.at[edge];
  return work->edges[edge].inside == INSIDE_ABOVE ? of->low : of->high;
}

/* Makes a ring of the edges on the stack from a height on, without vertices on straight lines. */
static void take_ring(Overlay *work, uint32_t bottom, uint32_t top) {
  uint32_t count = top - bottom, lowest = bottom, *corners = work->corners;
  uint32_t begin = work->ring_count ? work->ring_ends[work->ring_count - 1] : 0, end = begin;
  const sat_Vec2 *points = work->plane.points.at;
  for (uint32_t i = bottom; i < top; i++) {
    work->edges[work->stack[i]].ring = work->ring_count;
    work->place[start_vertex(work, work->stack[i])] = SAT_NONE;
    if (start_vertex(work, work->stack[i]) < start_vertex(work, work->stack[lowest])) lowest = i;
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = start_vertex(work, work->stack[bottom + (lowest - bottom + i) % count]);
    uint32_t next = start_vertex(work, work->stack[bottom + (lowest - bottom + i + 1) % count]);
    if (i > 0 && sat_orientation(points[corners[end - 1]], points[at], points[next]) == 0) continue;
    corners[end++] = at;
  }
  work->ring_ends[work->ring_count++] = end;
}

static void trace_rings(Overlay *work) {
  for (uint32_t i = 0; i < work->kept_count; i++) {
    uint32_t edge = work->kept[i], height = 0;
    if (work->edges[edge].ring != SAT_NONE) continue;
    do {
      uint32_t vertex = start_vertex(work, edge), again = work->place[vertex];
      if (again != SAT_NONE) {
        take_ring(work, again, height);
        height = again;
      }
      work->place[vertex] = height;
      work->stack[height++] = edge;
      edge = work->edges[edge].next;
    } while (edge != work->kept[i]);
    take_ring(work, 0, height);
  }
}

/* Writes the rings in the order of their first vertices in the sweep and, of those with the same
 * one, of the angles there: the polygon around a hole comes before it. */
static sat_Status write_polygons(Overlay *work, sat_Scratch *scratch, sat_Outline *outline) {
  uint32_t rings = work->ring_count, total = rings ? work->ring_ends[rings - 1] : 0;
  sat_Vec2 *points =
      sat_scratch_reserve(scratch, total * sizeof *points + (2 * rings + 1) * sizeof(uint32_t));
  if (!points) return SAT_ENOMEM;
  uint32_t *first = (uint32_t *)(points + total), *around = first + rings + 1,
           *number = work->place;
  uint32_t count = 0, written = 0;
  for (uint32_t i = 0; i < rings; i++) number[i] = SAT_NONE;
  for (uint32_t i = 0; i < work->kept_count; i++) {
    const FaceEdge *edge = &work->edges[work->kept[i]];
    if (number[edge->ring] != SAT_NONE) continue;
    number[edge->ring] = written;
    bool is_hole = edge->inside == INSIDE_BELOW;
    around[written] = is_hole ? around[number[work->edges[edge->under].ring]] : written;
    first[written++] = count;
    uint32_t from = edge->ring ? work->ring_ends[edge->ring - 1] : 0;
    for (; from < work->ring_ends[edge->ring]; from++)
      points[count++] = mul(work->plane.points.at[work->corners[from]], work->grid);
  }
  first[written] = count;
  *outline = (sat_Outline){rings, first, around, points};
  return SAT_OK;
}

/* ---------------------------------------------------------------- the whole */

/* The scratch memory has the result alone, so that all else is in a block of its own. */
static sat_Status find_faces(Overlay *work, sat_Scratch *scratch, sat_Outline *outline) {
  size_t edges = work->plane.edges.count, points = work->plane.points.count;
  size_t bytes = edges * (2 * sizeof(sat_Vec2) + 2 * sizeof(sat_StatusEdge) + sizeof(FaceEdge)) +
                 (4 * edges + 3 * points + 1) * sizeof(uint32_t);
  sat_Allocator allocator = scratch->allocator;
  char *block = allocator.allocate(allocator.context, NULL, 0, bytes);
  if (!block) return SAT_ENOMEM;
  sat_Vec2 *ends = (sat_Vec2 *)(void *)block;
  work->status = (sat_SweepStatus){ends, (sat_StatusEdge *)(ends + 2 * edges),
                                   (uint32_t)(2 * edges), SAT_NONE, NULL};
  work->edges = (FaceEdge *)(work->status.of + 2 * edges);
  work->kept = (uint32_t *)(work->edges + edges);
  work->stack = work->kept + edges;
  work->corners = work->stack + edges;
  work->ring_ends = work->corners + edges;
  work->ending = work->ring_ends + edges;
  work->first = work->ending + points;
  work->place = work->first + points + 1;
  for (size_t i = 0; i < points; i++) work->ending[i] = work->place[i] = SAT_NONE;
  const sat_PlaneEdge *edge = work->plane.edges.at;
  for (uint32_t point = 0, i = 0; point <= points; point++) {
    work->first[point] = i;
    for (; i < edges && edge->low == point; i++, edge++) {
      work->ending[edge->high] = i;
      ends[2 * (size_t)i] = work->plane.points.at[edge->low];
      ends[2 * (size_t)i + 1] = work->plane.points.at[edge->high];
    }
  }
  sweep_faces(work);
  trace_rings(work);
  sat_Status status = write_polygons(work, scratch, outline);
  allocator.allocate(allocator.context, block, bytes, 0);
  return status;
}

/* The largest magnitude of a coordinate, or infinity where one is out of range. */
static double largest_coordinate(const sat_Region *region) {
  double largest = 0;
  for (size_t i = 0; region->rings > 0 && i < region->first[region->rings]; i++) {
    sat_Vec2 point = region->points[i];
    if (!vec_in_range(point)) return HUGE_VAL;
    largest = max2(largest, max2(fabs(point.x), fabs(point.y)));
  }
  return largest;
}

/* The width of the pixels: coordinates stay within GRID_BITS also where the largest one is rounded
 * up. */
static double grid_for(double largest) {
  int exponent;
  frexp(largest, &exponent);
  double grid = ldexp(1, exponent - GRID_BITS);
  return floor(largest / grid + 0.5) < ldexp(1, GRID_BITS) ? grid : 2 * grid;
}

static sat_Status add_region(Overlay *work, const sat_Region *region, int which) {
  size_t count = region->rings > 0 ? region->first[region->rings] : 0;
  if (count == 0) return SAT_OK;
  if (count > UINT32_MAX / 4 || SAT_LIST_RESERVE(&work->plane.points, count) ||
      SAT_LIST_RESERVE(&work->plane.edges, count))
    return SAT_ENOMEM;
  for (size_t k = 0; k < region->rings; k++) {
    uint32_t from = region->first[k], to = region->first[k + 1];
    uint32_t base = (uint32_t)work->plane.points.count;
    for (uint32_t i = from; i < to; i++) {
      sat_PlaneEdge edge = {base + i - from, base + (i + 1 < to ? i + 1 - from : 0), {0, 0}};
      edge.winding[which] = 1;
      work->plane.edges.at[work->plane.edges.count++] = edge;
      work->plane.points.at[work->plane.points.count++] = mul(region->points[i], 1 / work->grid);
    }
  }
  return SAT_OK;
}

sat_Status sat_boolean(sat_BooleanOperation operation, const sat_Region *a, const sat_Region *b,
                       sat_Scratch *scratch, sat_Outline *outline) {
  double largest = max2(largest_coordinate(a), largest_coordinate(b));
  if (!in_range(largest)) return SAT_ERANGE;
  Overlay work = {
      .operation = operation, .even_odd = {a->even_odd, b->even_odd}, .grid = grid_for(largest)};
  work.plane.points.allocator = work.plane.edges.allocator = scratch->allocator;
  sat_Status status = add_region(&work, a, 0);
  if (!status) status = add_region(&work, b, 1);
  if (!status) status = sat_snap_round(&work.plane);
  if (!status) status = find_faces(&work, scratch, outline);
  SAT_LIST_FREE(&work.plane.points);
  SAT_LIST_FREE(&work.plane.edges);
  return status;
}
