/* triangulation.c: see polygon/triangulation.h.
 *
 * The line sweeps over the ring, and all that is left of it is triangulated as far as that can be.
 * What is not is, in each of the ring's faces that the line meets, bounded to the left by a chain
 * of vertices that bulges to the right everywhere: any corner of it that did not has been cut off.
 * The next vertex sees some of the chain beginning with the last vertex of it that the line has
 * met. Hertel and Mehlhorn, Fast triangulation of simple polygons, 1983.
 *
 * The ring may touch itself and run along itself. Edges that lie on each other between two vertices
 * are one bundle, and what the faces below and above it are decides what it is; there is no face
 * between its edges, whatever the winding number says. */
#include "polygon/triangulation.h"

enum { LOW, HIGH };

/* A vertex of a chain. */
typedef struct Bead {
  uint32_t vertex;
  uint32_t beside[2]; /* the next ones below and above; SAT_NONE at the ends */
  uint32_t link;      /* what is left of the link from here to the one above */
} Bead;

/* What is left of a link: a half that waits for its twin, or one of these. A seam has the ring on
 * both sides, neither of which need have a half yet: its number is in the other bits. */
#define OUTSIDE UINT32_MAX
#define SEAM 0x80000000u

/* The part of a face that is not yet triangulated, up to the line. Kept with the edge below. */
typedef struct Chain {
  uint32_t end[2];
  uint32_t last; /* the bead that the line has met last */
} Chain;

typedef struct Work {
  sat_Strands strands;
  sat_Triangulation mesh;
  Chain *chains; /* by the edge below */
  Bead *beads;
  uint32_t *seams; /* the half that came to it first, or SAT_NONE */
  uint32_t bead_count, seam_count;
} Work;

/* ---------------------------------------------------------------- triangles */

static void set_twins(sat_Triangulation *mesh, uint32_t a, uint32_t b) {
  mesh->half[a].twin = b;
  mesh->half[b].twin = a;
}

/* Tells a new half what is on the other side. */
static void join_link(Work *work, uint32_t half, uint32_t link) {
  if (link == OUTSIDE) return;
  if (!(link & SEAM)) {
    set_twins(&work->mesh, half, link);
    return;
  }
  uint32_t *seam = &work->seams[link & ~SEAM];
  if (*seam == SAT_NONE) *seam = half;
  else set_twins(&work->mesh, half, *seam);
}

static uint32_t new_seam(Work *work) {
  work->seams[work->seam_count] = SAT_NONE;
  return SEAM | work->seam_count++;
}

/* Cuts the middle one of three beads off, if it does not bulge to the right. */
static bool cut(Work *work, uint32_t middle) {
  Bead *bead = &work->beads[middle];
  if (bead->beside[LOW] == SAT_NONE || bead->beside[HIGH] == SAT_NONE) return false;
  Bead *low = &work->beads[bead->beside[LOW]], *high = &work->beads[bead->beside[HIGH]];
  const sat_Vec2 *points = work->strands.points;
  if (sat_orientation(points[low->vertex], points[high->vertex], points[bead->vertex]) <= 0)
    return false;
  uint32_t first = work->mesh.count;
  sat_Half *half = work->mesh.half + first;
  half[0] = (sat_Half){low->vertex, first + 1, first + 2, SAT_NONE};
  half[1] = (sat_Half){high->vertex, first + 2, first, SAT_NONE};
  half[2] = (sat_Half){bead->vertex, first, first + 1, SAT_NONE};
  work->mesh.count += 3;
  join_link(work, first + 1, bead->link);
  join_link(work, first + 2, low->link);
  low->link = first;
  low->beside[HIGH] = bead->beside[HIGH];
  high->beside[LOW] = bead->beside[LOW];
  return true;
}

/* ---------------------------------------------------------------- chains */

static uint32_t new_bead(Work *work, uint32_t vertex) {
  work->beads[work->bead_count] = (Bead){vertex, {SAT_NONE, SAT_NONE}, OUTSIDE};
  return work->bead_count++;
}

static Chain new_chain(Work *work, uint32_t vertex) {
  uint32_t bead = new_bead(work, vertex);
  return (Chain){{bead, bead}, bead};
}

/* Puts a vertex on one end of a chain, and cuts off what it sees. */
static void push(Work *work, Chain *chain, int end, uint32_t vertex, uint32_t link) {
  uint32_t bead = new_bead(work, vertex), old = chain->end[end];
  work->beads[bead].beside[!end] = old;
  work->beads[old].beside[end] = bead;
  work->beads[end == HIGH ? old : bead].link = link;
  chain->end[end] = chain->last = bead;
  while (cut(work, work->beads[bead].beside[!end])) continue;
}

/* A face that ends at a vertex, which sees all of the chain. */
static void close_chain(Work *work, Chain *chain, uint32_t vertex, uint32_t low_link,
                        uint32_t high_link) {
  push(work, chain, HIGH, vertex, high_link);
  uint32_t rest = work->beads[chain->end[LOW]].link; /* of the edge below */
  SAT_ASSERT(work->beads[chain->end[LOW]].beside[HIGH] == chain->end[HIGH]);
  if (rest != OUTSIDE && !(rest & SEAM)) join_link(work, rest, low_link);
}

/* A vertex within a face parts the chain at the bead that it surely sees. */
static void split_chain(Work *work, const Chain *chain, uint32_t vertex, Chain *below,
                        Chain *above) {
  uint32_t last = chain->last, again = new_bead(work, work->beads[last].vertex);
  uint32_t higher = work->beads[last].beside[HIGH];
  work->beads[again].beside[HIGH] = higher;
  work->beads[again].link = work->beads[last].link;
  if (higher != SAT_NONE) work->beads[higher].beside[LOW] = again;
  work->beads[last].beside[HIGH] = SAT_NONE;
  Chain upper = {{again, higher == SAT_NONE ? again : chain->end[HIGH]}, again};
  Chain lower = {{chain->end[LOW], last}, last};
  uint32_t seam = new_seam(work);
  push(work, &lower, HIGH, vertex, seam);
  push(work, &upper, LOW, vertex, seam);
  *below = lower;
  *above = upper;
}

/* Both have just got the same vertex, the one at the top, the other at the bottom. */
static void merge_chains(Work *work, Chain *below, const Chain *above) {
  uint32_t bead = below->end[HIGH], other = above->end[LOW];
  uint32_t higher = work->beads[other].beside[HIGH];
  work->beads[bead].beside[HIGH] = higher;
  work->beads[bead].link = work->beads[other].link;
  if (higher != SAT_NONE) work->beads[higher].beside[LOW] = bead;
  below->end[HIGH] = higher == SAT_NONE ? bead : above->end[HIGH];
  below->last = bead;
}

/* ---------------------------------------------------------------- around a vertex */

/* The lowest and the highest of the edges that lead to a point from one side, or away from it. */
typedef struct Fan {
  uint32_t edge[2];
  bool alone[2];    /* no other lies on it */
  uint32_t link[2]; /* what it is to the faces below and above */
  uint32_t through; /* one that neither starts nor ends at the point, or SAT_NONE */
} Fan;

/* One or more edges on each other. */
typedef struct Bundle {
  uint32_t low, high;
  uint32_t through; /* one that neither starts nor ends at the vertex, or SAT_NONE */
} Bundle;

/* The next edge above that touches p, or SAT_NONE. Of those that lead to p (`left`) or away. */
static uint32_t next_in_fan(const Work *work, uint32_t edge, sat_Vec2 p, bool left) {
  const sat_Strands *strands = &work->strands;
  for (; sat_strand_touches(strands, edge, p); edge = strands->of[edge].beside[SAT_ABOVE]) {
    sat_Span span = sat_span_of(strands, edge);
    if (!same_point(left ? span.low : span.high, p)) return edge;
  }
  return SAT_NONE;
}

static uint32_t edge_above(const Work *work, uint32_t edge) {
  return work->strands.of[edge].beside[SAT_ABOVE];
}

/* All edges on one line with the first one; returns the first that is not. */
static uint32_t take_bundle(const Work *work, uint32_t first, sat_Vec2 p, bool left,
                            Bundle *bundle) {
  sat_Span span = sat_span_of(&work->strands, first);
  uint32_t next = first;
  *bundle = (Bundle){first, first, SAT_NONE};
  do {
    sat_Span whole = sat_span_of(&work->strands, next);
    if (!same_point(left ? whole.high : whole.low, p)) bundle->through = next;
    bundle->high = next;
    next = next_in_fan(work, edge_above(work, next), p, left);
  } while (next != SAT_NONE && sat_on_one_line(span, sat_span_of(&work->strands, next)));
  return next;
}

static void note_bundle(Fan *fan, const Bundle *bundle, uint32_t link) {
  bool alone = bundle->low == bundle->high;
  if (fan->edge[LOW] == SAT_NONE) {
    fan->edge[LOW] = bundle->low;
    fan->alone[LOW] = alone;
    fan->link[LOW] = link;
  }
  fan->edge[HIGH] = bundle->high;
  fan->alone[HIGH] = alone;
  fan->link[HIGH] = link;
  if (bundle->through != SAT_NONE) fan->through = bundle->through;
}

/* Closes the faces between the edges that lead to a vertex. */
static Fan close_fan(Work *work, uint32_t lowest, uint32_t vertex) {
  sat_Vec2 p = work->strands.points[vertex];
  Fan fan = {{SAT_NONE, SAT_NONE}, {false, false}, {OUTSIDE, OUTSIDE}, SAT_NONE};
  Bundle bundle;
  uint32_t edge = next_in_fan(work, lowest, p, true);
  while (edge != SAT_NONE) {
    uint32_t next = take_bundle(work, edge, p, true, &bundle);
    bool inside_below = work->strands.of[bundle.low].winding == 1;
    bool inside_above = sat_winding_above(&work->strands, bundle.high) == 1;
    uint32_t link = inside_below && inside_above ? new_seam(work) : OUTSIDE;
    if (inside_below && fan.edge[HIGH] != SAT_NONE)
      close_chain(work, &work->chains[fan.edge[HIGH]], vertex, fan.link[HIGH], link);
    note_bundle(&fan, &bundle, link);
    edge = next;
  }
  return fan;
}

/* Opens the faces between the edges that lead away from a vertex, given the edge below all of
 * them. */
static Fan open_fan(Work *work, uint32_t below, uint32_t lowest, uint32_t vertex) {
  sat_Strands *strands = &work->strands;
  sat_Vec2 p = strands->points[vertex];
  Fan fan = {{SAT_NONE, SAT_NONE}, {false, false}, {OUTSIDE, OUTSIDE}, SAT_NONE};
  Bundle bundle;
  int winding = sat_winding_above(strands, below);
  uint32_t edge = lowest == SAT_NONE ? SAT_NONE : next_in_fan(work, lowest, p, false);
  while (edge != SAT_NONE) {
    uint32_t next = take_bundle(work, edge, p, false, &bundle);
    if (winding == 1 && fan.edge[HIGH] != SAT_NONE)
      work->chains[fan.edge[HIGH]] = new_chain(work, vertex);
    for (; edge != next && sat_strand_touches(strands, edge, p); edge = edge_above(work, edge)) {
      strands->of[edge].winding = winding;
      winding += sat_span_of(strands, edge).direction;
    }
    note_bundle(&fan, &bundle, OUTSIDE);
    edge = next;
  }
  return fan;
}

/* Whether the vertex stands on an edge that goes on, on the other side than the face, so that the
 * face has no vertex there. */
static bool passes_by(const Fan *to, const Fan *from, int end) {
  return to->edge[end] == from->edge[end] && to->alone[end] && from->alone[end];
}

/* The faces below and above all edges at a vertex, which may be one. `chain` is what the upper one
 * had. */
static void go_on(Work *work, uint32_t below, uint32_t vertex, const Fan *to, const Fan *from,
                  Chain chain, bool inside_above) {
  bool inside_below = sat_winding_above(&work->strands, below) == 1;
  uint32_t highest = from->edge[HIGH];
  if (to->edge[LOW] == SAT_NONE) {
    if (inside_below)
      split_chain(work, &work->chains[below], vertex, &work->chains[below], &work->chains[highest]);
    return;
  }
  if (inside_below && !passes_by(to, from, LOW))
    push(work, &work->chains[below], HIGH, vertex, to->link[LOW]);
  if (inside_above && !passes_by(to, from, HIGH)) push(work, &chain, LOW, vertex, to->link[HIGH]);
  if (!inside_above) return;
  if (highest != SAT_NONE) work->chains[highest] = chain;
  else merge_chains(work, &work->chains[below], &chain);
}

/* ---------------------------------------------------------------- the sweep */

/* From an edge that touches p down to the lowest that does. */
static uint32_t lowest_at(const Work *work, uint32_t edge, sat_Vec2 p) {
  const sat_Strands *strands = &work->strands;
  while (edge != SAT_NONE && sat_strand_touches(strands, strands->of[edge].beside[SAT_BELOW], p))
    edge = strands->of[edge].beside[SAT_BELOW];
  return edge;
}

/* Puts in the edges that start at a point, or takes out those that end there. Returns one of them.
 */
static uint32_t change_strands(sat_Strands *strands, const uint32_t *vertices, size_t count,
                               bool start) {
  sat_Vec2 p = strands->points[vertices[0]];
  uint32_t any = SAT_NONE;
  for (size_t k = 0; k < 2 * count; k++) {
    uint32_t edge = sat_edge_at(strands, vertices, k);
    sat_Span span = sat_span_of(strands, edge);
    if (!same_point(start ? span.low : span.high, p)) continue;
    if (start) sat_strands_insert(strands, edge);
    else sat_strands_take_out(strands, edge);
    any = edge;
  }
  return any;
}

static uint32_t any_that_ends(const sat_Strands *strands, const uint32_t *vertices, size_t count) {
  for (size_t k = 0; k < 2 * count; k++) {
    uint32_t edge = sat_edge_at(strands, vertices, k);
    if (same_point(sat_span_of(strands, edge).high, strands->points[vertices[0]])) return edge;
  }
  return SAT_NONE;
}

/* Takes the line past a point with all the vertices that are there. Where no edge ends, those that
 * go through are found beside those that start. */
static void pass(Work *work, const uint32_t *vertices, size_t count) {
  sat_Strands *strands = &work->strands;
  uint32_t vertex = vertices[0], ends = any_that_ends(strands, vertices, count), starts = SAT_NONE;
  sat_Vec2 p = strands->points[vertex];
  if (ends == SAT_NONE) starts = change_strands(strands, vertices, count, true);
  uint32_t lowest = lowest_at(work, ends == SAT_NONE ? starts : ends, p);
  uint32_t below = strands->of[lowest].beside[SAT_BELOW];
  Fan to = close_fan(work, lowest, vertex);
  uint32_t highest = to.edge[HIGH];
  bool inside_above = highest != SAT_NONE && sat_winding_above(strands, highest) == 1;
  Chain chain = {{SAT_NONE, SAT_NONE}, SAT_NONE};
  if (inside_above) chain = work->chains[highest];
  if (ends != SAT_NONE) {
    change_strands(strands, vertices, count, false);
    starts = change_strands(strands, vertices, count, true);
  }
  lowest = lowest_at(work, starts == SAT_NONE ? to.through : starts, p);
  Fan from = open_fan(work, below, lowest, vertex);
  go_on(work, below, vertex, &to, &from, chain, inside_above);
}

/* Twice as many triangles as vertices at most: around a point no more than two parts of the ring
 * for each vertex there. Each of them takes a bead, and so does what ends there. */
#define BEADS 5
#define SEAMS 2

size_t sat_triangulation_bytes(size_t count) {
  size_t each = 6 * sizeof(sat_Half) + sizeof(sat_Strand) + sizeof(Chain) + BEADS * sizeof(Bead) +
                (SEAMS + 2) * sizeof(uint32_t);
  return count * each;
}

sat_Triangulation sat_triangulate(const sat_Vec2 *points, size_t count, void *memory) {
  Work work = {{points, NULL, (uint32_t)count, SAT_NONE}, {memory, 0}, NULL, NULL, NULL, 0, 0};
  work.strands.of = (sat_Strand *)(work.mesh.half + sat_triangulation_most(count));
  work.chains = (Chain *)(work.strands.of + count);
  work.beads = (Bead *)(work.chains + count);
  work.seams = (uint32_t *)(work.beads + BEADS * count);
  uint32_t *order = work.seams + SEAMS * count;
  order = sat_sweep_order(points, count, order, order + count);
  for (size_t first = 0, next; first < count; first = next) {
    for (next = first + 1; next < count && same_point(points[order[next]], points[order[first]]);)
      next++;
    pass(&work, order + first, next - first);
  }
  SAT_ASSERT(work.mesh.count <= sat_triangulation_most(count));
  SAT_ASSERT(work.bead_count <= BEADS * count && work.seam_count <= SEAMS * count);
  return work.mesh;
}
