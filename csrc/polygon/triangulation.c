/* triangulation.c: triangulates a ring in one plane sweep, with a monotone chain for each face.
 *
 * The part of the ring to the left of the sweep line is triangulated as far as possible. In each
 * face that the line meets, a monotone chain of vertices, reflex seen from the face, bounds the
 * rest to the left: every convex corner of the chain has been cut off as a triangle. The next
 * vertex of the face sees a part of the chain that begins with the vertex that the line has met
 * last. Hertel and Mehlhorn, Fast triangulation of simple polygons, 1983.
 *
 * The ring may touch itself and run along itself. Coincident edges between two vertices count as
 * one edge, whose kind follows from the faces below and above; no face lies between coincident
 * edges, whatever the winding number says. */
#include "polygon/polygon.h"

enum { LOW, HIGH };

typedef struct MonotoneVertex {
  uint32_t vertex;
  uint32_t beside[2]; /* the next ones below and above; SAT_NONE at the ends */
  uint32_t link;      /* left side of the link to the next vertex above */
} MonotoneVertex;

/* The left side of a link between two vertices of a chain: the index of a half-edge without twin,
 * or one of these. A pending diagonal has the ring on both sides and perhaps no half-edge yet; the
 * other bits are its index. */
#define OUTSIDE UINT32_MAX
#define PENDING_DIAGONAL 0x80000000u

/* The boundary of the part of a face that is not yet triangulated. The edge below is its key. */
typedef struct MonotoneChain {
  uint32_t end[2];
  uint32_t last; /* the vertex that the sweep line has met last */
} MonotoneChain;

typedef struct Triangulator {
  sat_SweepStatus status;
  sat_Triangulation mesh;
  MonotoneChain *chains; /* by the edge below */
  MonotoneVertex *chain_vertices;
  uint32_t *pending_diagonals; /* the first half-edge on each, or SAT_NONE */
  uint32_t chain_vertex_count, pending_diagonal_count;
} Triangulator;

/* ---------------------------------------------------------------- triangles */

static void set_twins(sat_Triangulation *mesh, uint32_t a, uint32_t b) {
  mesh->half_edge[a].twin = b;
  mesh->half_edge[b].twin = a;
}

/* Links a new half-edge with the other side of its edge. */
static void join_half_edge(Triangulator *work, uint32_t half_edge, uint32_t link) {
  if (link == OUTSIDE) return;
  if (!(link & PENDING_DIAGONAL)) {
    set_twins(&work->mesh, half_edge, link);
    return;
  }
  uint32_t *pending_diagonal = &work->pending_diagonals[link & ~PENDING_DIAGONAL];
  if (*pending_diagonal == SAT_NONE) *pending_diagonal = half_edge;
  else set_twins(&work->mesh, half_edge, *pending_diagonal);
}

static uint32_t new_pending_diagonal(Triangulator *work) {
  work->pending_diagonals[work->pending_diagonal_count] = SAT_NONE;
  return PENDING_DIAGONAL | work->pending_diagonal_count++;
}

/* Cuts off the triangle at the middle one of three vertices of a chain, if that corner is
 * convex. */
static bool cut_triangle(Triangulator *work, uint32_t middle) {
  MonotoneVertex *chain_vertex = &work->chain_vertices[middle];
  if (chain_vertex->beside[LOW] == SAT_NONE || chain_vertex->beside[HIGH] == SAT_NONE) return false;
  MonotoneVertex *low = &work->chain_vertices[chain_vertex->beside[LOW]],
                 *high = &work->chain_vertices[chain_vertex->beside[HIGH]];
  const sat_Vec2 *points = work->status.points;
  if (sat_orientation(points[low->vertex], points[high->vertex], points[chain_vertex->vertex]) <= 0)
    return false;
  uint32_t first = work->mesh.count;
  sat_HalfEdge *half_edge = work->mesh.half_edge + first;
  half_edge[0] = (sat_HalfEdge){low->vertex, first + 1, first + 2, SAT_NONE};
  half_edge[1] = (sat_HalfEdge){high->vertex, first + 2, first, SAT_NONE};
  half_edge[2] = (sat_HalfEdge){chain_vertex->vertex, first, first + 1, SAT_NONE};
  work->mesh.count += 3;
  join_half_edge(work, first + 1, chain_vertex->link);
  join_half_edge(work, first + 2, low->link);
  low->link = first;
  low->beside[HIGH] = chain_vertex->beside[HIGH];
  high->beside[LOW] = chain_vertex->beside[LOW];
  return true;
}

/* ---------------------------------------------------------------- chains */

static uint32_t new_chain_vertex(Triangulator *work, uint32_t vertex) {
  work->chain_vertices[work->chain_vertex_count] =
      (MonotoneVertex){vertex, {SAT_NONE, SAT_NONE}, OUTSIDE};
  return work->chain_vertex_count++;
}

/* Appends a vertex to one end of a chain, and cuts off the triangles that it sees. */
static void push_chain_vertex(Triangulator *work, MonotoneChain *chain, int end, uint32_t vertex,
                              uint32_t link) {
  uint32_t chain_vertex = new_chain_vertex(work, vertex), old = chain->end[end];
  work->chain_vertices[chain_vertex].beside[!end] = old;
  work->chain_vertices[old].beside[end] = chain_vertex;
  work->chain_vertices[end == HIGH ? old : chain_vertex].link = link;
  chain->end[end] = chain->last = chain_vertex;
  while (cut_triangle(work, work->chain_vertices[chain_vertex].beside[!end])) continue;
}

/* Closes a face that ends at a vertex, which sees all of the chain. */
static void close_chain(Triangulator *work, MonotoneChain *chain, uint32_t vertex,
                        uint32_t low_link, uint32_t high_link) {
  push_chain_vertex(work, chain, HIGH, vertex, high_link);
  uint32_t rest = work->chain_vertices[chain->end[LOW]].link; /* of the edge below */
  SAT_ASSERT(work->chain_vertices[chain->end[LOW]].beside[HIGH] == chain->end[HIGH]);
  if (rest != OUTSIDE && !(rest & PENDING_DIAGONAL)) join_half_edge(work, rest, low_link);
}

/* A vertex inside a face splits its chain at the chain vertex that it certainly sees: the part
 * above goes to another chain. */
static void split_chain(Triangulator *work, MonotoneChain *below, uint32_t vertex,
                        MonotoneChain *above) {
  MonotoneVertex *at = work->chain_vertices;
  uint32_t last = below->last, higher = at[last].beside[HIGH];
  uint32_t again = new_chain_vertex(work, at[last].vertex);
  at[again].beside[HIGH] = higher;
  at[again].link = at[last].link;
  if (higher != SAT_NONE) at[higher].beside[LOW] = again;
  at[last].beside[HIGH] = SAT_NONE;
  *above = (MonotoneChain){{again, higher == SAT_NONE ? again : below->end[HIGH]}, again};
  below->end[HIGH] = last;
  uint32_t pending_diagonal = new_pending_diagonal(work);
  push_chain_vertex(work, below, HIGH, vertex, pending_diagonal);
  push_chain_vertex(work, above, LOW, vertex, pending_diagonal);
}

/* Joins two chains, of which the first ends at the top and the other at the bottom with the same
 * vertex. */
static void merge_chains(Triangulator *work, MonotoneChain *below, const MonotoneChain *above) {
  uint32_t chain_vertex = below->end[HIGH], other = above->end[LOW];
  uint32_t higher = work->chain_vertices[other].beside[HIGH];
  work->chain_vertices[chain_vertex].beside[HIGH] = higher;
  work->chain_vertices[chain_vertex].link = work->chain_vertices[other].link;
  if (higher != SAT_NONE) work->chain_vertices[higher].beside[LOW] = chain_vertex;
  below->end[HIGH] = higher == SAT_NONE ? chain_vertex : above->end[HIGH];
  below->last = chain_vertex;
}

/* ---------------------------------------------------------------- around a vertex */

/* The lowest and the highest of the edges that lead to a point from one side, or away from it. */
typedef struct EdgeFan {
  uint32_t edge[2];
  bool alone[2];    /* no other edge lies on it */
  uint32_t link[2]; /* its sides towards the faces below and above */
} EdgeFan;

/* The next edge above that touches p and leads to p (`left`) or away from p; or SAT_NONE. */
static uint32_t next_in_fan(const Triangulator *work, uint32_t edge, sat_Vec2 p, bool left) {
  const sat_SweepStatus *status = &work->status;
  for (; sat_status_edge_touches(status, edge, p); edge = status->of[edge].beside[SAT_ABOVE]) {
    sat_Segment2 segment = sat_status_segment(status, edge);
    if (!equal_points(left ? segment.low : segment.high, p)) return edge;
  }
  return SAT_NONE;
}

/* Closes the faces between the edges that lead to a vertex (`left`), or opens those between the
 * edges that lead away from it, from the bottom up. Edges on one line count as one. */
static EdgeFan pass_fan(Triangulator *work, uint32_t lowest, uint32_t vertex, bool left) {
  const sat_SweepStatus *status = &work->status;
  sat_Vec2 p = status->points[vertex];
  EdgeFan edge_fan = {{SAT_NONE, SAT_NONE}, {false, false}, {OUTSIDE, OUTSIDE}};
  for (uint32_t low = next_in_fan(work, lowest, p, left), next; low != SAT_NONE; low = next) {
    sat_Segment2 segment = sat_status_segment(status, low);
    uint32_t high = low;
    while ((next = next_in_fan(work, status->of[high].beside[SAT_ABOVE], p, left)) != SAT_NONE &&
           sat_on_one_line(segment, sat_status_segment(status, next)))
      high = next;
    bool inside_below = status->of[low].winding == 1;
    bool both = left && inside_below && sat_winding_above(status, high) == 1;
    uint32_t link = both ? new_pending_diagonal(work) : OUTSIDE;
    if (inside_below && edge_fan.edge[HIGH] != SAT_NONE) {
      MonotoneChain *chain = &work->chains[edge_fan.edge[HIGH]];
      if (left) {
        close_chain(work, chain, vertex, edge_fan.link[HIGH], link);
      } else {
        uint32_t only = new_chain_vertex(work, vertex);
        *chain = (MonotoneChain){{only, only}, only};
      }
    }
    for (int end = edge_fan.edge[LOW] == SAT_NONE ? LOW : HIGH; end <= HIGH; end++) {
      edge_fan.edge[end] = end == LOW ? low : high;
      edge_fan.alone[end] = low == high;
      edge_fan.link[end] = link;
    }
  }
  return edge_fan;
}

/* Whether the edge towards the face continues past the vertex, so that the face has no vertex
 * there. */
static bool passes_by(const EdgeFan *to, const EdgeFan *from, int end) {
  return to->edge[end] == from->edge[end] && to->alone[end] && from->alone[end];
}

/* Extends the faces below and above all edges at a vertex, which may be one face. `chain` is the
 * former chain of the upper one. */
static void continue_faces(Triangulator *work, uint32_t below, uint32_t vertex, const EdgeFan *to,
                           const EdgeFan *from, MonotoneChain chain, bool inside_above) {
  bool inside_below = sat_winding_above(&work->status, below) == 1;
  uint32_t highest = from->edge[HIGH];
  if (to->edge[LOW] == SAT_NONE) {
    if (inside_below) split_chain(work, &work->chains[below], vertex, &work->chains[highest]);
    return;
  }
  if (inside_below && !passes_by(to, from, LOW))
    push_chain_vertex(work, &work->chains[below], HIGH, vertex, to->link[LOW]);
  if (inside_above && !passes_by(to, from, HIGH))
    push_chain_vertex(work, &chain, LOW, vertex, to->link[HIGH]);
  if (!inside_above) return;
  if (highest != SAT_NONE) work->chains[highest] = chain;
  else merge_chains(work, &work->chains[below], &chain);
}

/* ---------------------------------------------------------------- the sweep */

/* Moves the sweep line past a point with all its vertices. Where no edge ends, edges through the
 * point are found beside those that start. */
static void pass_vertices(Triangulator *work, const uint32_t *vertices, size_t count) {
  sat_SweepStatus *status = &work->status;
  uint32_t vertex = vertices[0], below;
  sat_Vec2 p = status->points[vertex];
  uint32_t ends = sat_next_edge_at(status, vertices, count, false, &(size_t){0});
  uint32_t lowest = sat_lowest_touching(status, ends, p);
  if (ends == SAT_NONE) lowest = sat_sweep_status_pass(status, vertices, count, &below);
  EdgeFan to = pass_fan(work, lowest, vertex, true);
  uint32_t highest = to.edge[HIGH];
  bool inside_above = highest != SAT_NONE && sat_winding_above(status, highest) == 1;
  MonotoneChain chain = {{SAT_NONE, SAT_NONE}, SAT_NONE};
  if (inside_above) chain = work->chains[highest];
  if (ends != SAT_NONE) lowest = sat_sweep_status_pass(status, vertices, count, &below);
  sat_record_windings(status, lowest, p);
  EdgeFan from = pass_fan(work, lowest, vertex, false);
  continue_faces(work, below, vertex, &to, &from, chain, inside_above);
}

/* The number of chain vertices. There are at most twice as many triangles as vertices: around a
 * point no more than two parts of the ring for each vertex there. Each part takes a chain vertex,
 * and so does each part that ends there. */
#define CHAIN_VERTICES 5
#define PENDING_DIAGONALS 2

size_t sat_triangulation_bytes(size_t count) {
  size_t each = 6 * sizeof(sat_HalfEdge) + sizeof(sat_StatusEdge) + sizeof(MonotoneChain) +
                CHAIN_VERTICES * sizeof(MonotoneVertex) +
                (PENDING_DIAGONALS + 2) * sizeof(uint32_t);
  return count * each;
}

sat_Triangulation sat_triangulate(const sat_Vec2 *points, size_t count, void *memory) {
  Triangulator work = {
      {points, NULL, (uint32_t)count, SAT_NONE, NULL}, {points, memory, 0}, NULL, NULL, NULL, 0, 0};
  work.status.of = (sat_StatusEdge *)(work.mesh.half_edge + sat_triangulation_most(count));
  work.chains = (MonotoneChain *)(work.status.of + count);
  work.chain_vertices = (MonotoneVertex *)(work.chains + count);
  work.pending_diagonals = (uint32_t *)(work.chain_vertices + CHAIN_VERTICES * count);
  uint32_t *order = work.pending_diagonals + PENDING_DIAGONALS * count;
  sat_sweep_order(points, count, order, order + count);
  for (size_t first = 0, next; first < count; first = next) {
    next = sat_next_position(points, order, count, first);
    pass_vertices(&work, order + first, next - first);
  }
  SAT_ASSERT(work.mesh.count <= sat_triangulation_most(count));
  SAT_ASSERT(work.chain_vertex_count <= CHAIN_VERTICES * count &&
             work.pending_diagonal_count <= PENDING_DIAGONALS * count);
  return work.mesh;
}
