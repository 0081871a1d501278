/* snap_rounding.c: cuts edges where they meet and rounds the cuts to a grid, until none cross.
 *
 * The plane is divided into pixels, the unit squares around the points of whole coordinates, each
 * with its left and its lower side. A pixel is hot if an end of an edge or a crossing of two lies
 * in it, and each edge is bent through the middles of all hot pixels that it passes. No edge moves
 * past a vertex so, and edges that would cross run together. Hobby, Practical segment intersection
 * with finite precision output, 1999.
 *
 * A bent edge may pass other hot pixels than before, so rounds go on until one finds neither a
 * crossing nor an edge to be bent. They end: the pixels that a rising edge passes rise, those that
 * a falling edge passes fall, so that bending keeps the sum of all |dx| + |dy|, and makes more
 * edges of it, each of which has 1 at least. No more are needed where each hot pixel is far from
 * all edges that are not bent through it: edges and points then stay in their order. */
#include "base/double_double.h"
#include "base/heap.h"
#include "polygon/polygon.h"

#define MOST_EDGES 1000000u
/* The most edges that are read in lists. Of long edges side by side each reads all others, and a
 * call cannot be interrupted. */
#define MOST_LOOKS 2000000000u
/* A pixel so near to an edge, in pixels along x and y, may be passed once all edges are bent: a
 * bent edge and the middles of the pixels that an edge passes are within 0.71 of it. Where two
 * edges are bent through a pixel, the next pixel of one may be within 3.6 of the other, which is
 * then bent through it too, or the round is not the last. */
#define NEAR_PIXEL 4

/* ---------------------------------------------------------------- edges under the sweep line */

/* A vertical line sweeps the plane, which is cut into horizontal bands of about equally many
 * points. The edges that the line meets are in lists: each in the list of the band where it
 * begins, and in those of the fewest nodes of a segment tree over the bands that cover its own.
 * Bentley, Solutions to Klee's rectangle problems, 1977. An edge that has ended goes when its list
 * is read. All lists are in one: one that is full moves behind the others, with twice the room. */
typedef struct BandList {
  uint32_t first, count, room;
} BandList;

typedef struct BandEntry {
  sat_Vec2 low, high; /* the ends of the edge */
  uint32_t edge;
} BandEntry;

/* A pixel through which an edge is bent: stops follow each other by x, then by y, which is turned
 * round for a falling edge. */
typedef struct Stop {
  double x, y;
  uint32_t edge, pixel;
} Stop;

typedef SAT_LIST(uint32_t) IndexList;

typedef struct SnapRounder {
  sat_Arrangement *plane;
  SAT_LIST(sat_Vec2) hot;    /* a pixel for each point, then those of crossings */
  SAT_LIST(sat_Vec2) pixels; /* all hot ones, in the order of the sweep */
  SAT_LIST(sat_PlaneEdge) bent;
  SAT_LIST(Stop) stops;
  SAT_LIST(Stop) stops_by_edge;
  SAT_LIST(BandEntry) entries;
  SAT_LIST(double) bounds;  /* between the bands */
  SAT_LIST(BandList) lists; /* of the tree's nodes, then of the bands */
  IndexList rank;           /* the index among `pixels` of each in `hot` */
  IndexList order, spare, found;
  uint32_t bands;
  uint64_t looks;
  bool unsure; /* another round may find what this one did not */
} SnapRounder;

/* Makes a list empty, with room for that many elements. */
#define ROOM_FOR(list, most) ((list)->count = 0, SAT_LIST_RESERVE(list, most) == SAT_OK)

#define IS_LARGER(a, b) (*(a) > *(b))
SAT_DEFINE_SORT(double, bounds, IS_LARGER)

static uint32_t band_of(const SnapRounder *work, double y) {
  const double *bounds = work->bounds.at;
  uint32_t band = 0;
  for (uint32_t half = work->bands / 2; half > 0; half /= 2)
    band += bounds[band + half - 1] <= y ? half : 0;
  return band;
}

/* Empties all lists, and sets the bounds of the bands by a sample of the points. */
static sat_Status start_sweep(SnapRounder *work) {
  const sat_Vec2 *points = work->plane->points.at;
  uint64_t count = work->plane->points.count, edges = work->plane->edges.count;
  uint32_t bands = 1;
  while (bands < 1024 && 8 * (uint64_t)bands * bands < edges) bands *= 2;
  uint32_t samples = 8 * bands;
  if (!ROOM_FOR(&work->bounds, samples) || !ROOM_FOR(&work->lists, 3 * (size_t)bands) ||
      !ROOM_FOR(&work->found, edges))
    return SAT_ENOMEM;
  for (uint32_t i = 0; i < samples; i++) work->bounds.at[i] = points[i * count / samples].y;
  bounds_sort(work->bounds.at, samples);
  for (uint32_t i = 1; i < bands; i++) work->bounds.at[i - 1] = work->bounds.at[8 * (size_t)i];
  for (uint32_t i = 0; i < 3 * bands; i++) work->lists.at[i] = (BandList){0, 0, 0};
  work->bands = bands;
  work->entries.count = 0;
  return SAT_OK;
}

static void get_ends(const SnapRounder *work, uint32_t edge, sat_Vec2 ends[2]) {
  const sat_PlaneEdge *of = &work->plane->edges.at[edge];
  ends[0] = work->plane->points.at[of->low];
  ends[1] = work->plane->points.at[of->high];
}

static sat_Status push_entry(SnapRounder *work, uint32_t list, const BandEntry *entry) {
  BandList *to = &work->lists.at[list];
  if (to->count == to->room) {
    uint32_t room = to->room ? 2 * to->room : 4;
    if (SAT_LIST_RESERVE(&work->entries, room)) return SAT_ENOMEM;
    BandEntry *entries = work->entries.at;
    memcpy(entries + work->entries.count, entries + to->first, to->count * sizeof *entries);
    *to = (BandList){(uint32_t)work->entries.count, to->count, room};
    work->entries.count += room;
  }
  work->entries.at[to->first + to->count++] = *entry;
  return SAT_OK;
}

static sat_Status enter_edge(SnapRounder *work, uint32_t edge) {
  sat_Vec2 ends[2];
  get_ends(work, edge, ends);
  BandEntry entry = {ends[0], ends[1], edge};
  uint32_t bands = work->bands, first = band_of(work, min2(ends[0].y, ends[1].y) - NEAR_PIXEL);
  uint32_t low = first + bands;
  uint32_t high = band_of(work, max2(ends[0].y, ends[1].y) + NEAR_PIXEL) + bands + 1;
  sat_Status status = push_entry(work, 2 * bands + first, &entry);
  for (; low < high && !status; low /= 2, high /= 2) {
    if (low % 2) status = push_entry(work, low++, &entry);
    if (high % 2 && !status) status = push_entry(work, --high, &entry);
  }
  return status;
}

/* A segment or a point, beside which edges are looked for, and what it spans along y. */
typedef struct BandQuery {
  sat_Vec2 from, to;
  double bottom, top;
} BandQuery;

/* Writes the edges of a list whose boxes and whose lines come near a query, and drops those that
 * have ended before it. Returns the end of what is written. */
static uint32_t *read_list(SnapRounder *work, uint32_t list, const BandQuery *near,
                           uint32_t *found) {
  BandList *of = &work->lists.at[list];
  if (of->count == 0) return found; /* before the first entry there is no memory */
  BandEntry *entry = work->entries.at + of->first, *end = entry + of->count;
  while (entry < end) {
    sat_Vec2 low = entry->low, high = entry->high, along = sub(high, low);
    if (high.x + NEAR_PIXEL < near->from.x) {
      *entry = *--end;
      continue;
    }
    double from = cross(along, sub(near->from, low)), to = cross(along, sub(near->to, low));
    double bottom = min2(low.y, high.y) - NEAR_PIXEL, top = max2(low.y, high.y) + NEAR_PIXEL;
    double most = NEAR_PIXEL * (along.x + fabs(along.y));
    double right = min2(from, to), left = max2(from, to);
    *found = entry++->edge;
    found += (bottom <= near->top) & (top >= near->bottom) & (right <= most) & (left >= -most);
  }
  of->count = (uint32_t)(end - (work->entries.at + of->first));
  work->looks += of->count;
  return found;
}

/* Finds the edges that may come near a segment, at most once each: those that begin in the band of
 * its lower end or pass it, and those that begin in one above. NULL: too many have been read. */
static const uint32_t *find_edges(SnapRounder *work, sat_Vec2 from, sat_Vec2 to) {
  BandQuery near = {from, to, min2(from.y, to.y), max2(from.y, to.y)};
  uint32_t first = band_of(work, near.bottom);
  uint32_t last = from.y == to.y ? first : band_of(work, near.top);
  uint32_t *found = work->found.at, bands = work->bands;
  for (uint32_t node = first + bands; node > 0; node /= 2)
    found = read_list(work, node, &near, found);
  for (uint32_t band = first + 1; band <= last; band++)
    found = read_list(work, 2 * bands + band, &near, found);
  return work->looks > MOST_LOOKS ? NULL : found;
}

/* ---------------------------------------------------------------- crossings */

static sat_DoubleDouble exact_cross(sat_Vec2 a, sat_Vec2 b) {
  sat_DoubleDouble left = two_product(a.x, b.y), right = two_product(a.y, b.x);
  sat_DoubleDouble sum = two_sum(left.high, -right.high);
  return two_sum(sum.high, sum.low + (left.low - right.low));
}

static double round_on_edge(double from, double to, sat_DoubleDouble t) {
  sat_DoubleDouble way = two_product(t.high, to - from), sum = two_sum(from, way.high);
  double whole = floor(sum.high);
  return whole + floor(sum.high - whole + (sum.low + way.low + t.low * (to - from)) + 0.5);
}

/* The pixel of the crossing of two edges. On the grid a quotient of 106 bits leaves no pixel but
 * the right one, unless the crossing lies next to a side of it. Ends that are not yet rounded have
 * rounded differences, of which less may be left than of the crossing: a wrong pixel costs a
 * round. */
static sat_Vec2 crossing_pixel(const sat_Vec2 a[2], const sat_Vec2 b[2]) {
  sat_Vec2 along = sub(a[1], a[0]);
  sat_DoubleDouble before = exact_cross(along, sub(b[0], a[0]));
  sat_DoubleDouble behind = exact_cross(along, sub(b[1], a[0]));
  sat_DoubleDouble whole = two_sum(before.high, -behind.high);
  whole = two_sum(whole.high, whole.low + (before.low - behind.low));
  double quotient = before.high / whole.high;
  sat_DoubleDouble t = {clamp(quotient, 0, 1), 0}, back = two_product(t.high, whole.high);
  if (t.high == quotient)
    t.low = (before.high - back.high - back.low + before.low - t.high * whole.low) / whole.high;
  return vec2(round_on_edge(b[0].x, b[1].x, t), round_on_edge(b[0].y, b[1].y, t));
}

static bool edges_cross(const sat_Vec2 a[2], const sat_Vec2 b[2]) {
  int side = sat_orientation(a[0], a[1], b[0]);
  if (side == 0 || sat_orientation(a[0], a[1], b[1]) != -side) return false;
  side = sat_orientation(b[0], b[1], a[0]);
  return side != 0 && sat_orientation(b[0], b[1], a[1]) == -side;
}

/* Whether a pixel that is near the line of an edge is not beyond its ends. The right and the upper
 * side are not the pixel's own: an edge that begins on them would be led back. */
static bool is_beside_edge(const sat_Vec2 ends[2], sat_Vec2 pixel) {
  return pixel.x > ends[0].x - 0.5 && pixel.x <= ends[1].x + 0.5 &&
         pixel.y > min2(ends[0].y, ends[1].y) - 0.5 && pixel.y <= max2(ends[0].y, ends[1].y) + 0.5;
}

static sat_Status add_stop(SnapRounder *work, uint32_t edge, uint32_t pixel, sat_Vec2 at) {
  if (work->plane->edges.count + work->stops.count >= 2 * (size_t)MOST_EDGES) return SAT_EMANY;
  sat_Vec2 ends[2];
  get_ends(work, edge, ends);
  double y = ends[1].y < ends[0].y ? -at.y : at.y;
  return SAT_LIST_ADD(&work->stops, (Stop){at.x, y, edge, pixel});
}

/* Makes the pixel of a crossing hot, unless it is that of the last crossing on one of the edges:
 * many edges may cross in one place. */
static sat_Status heat_crossing(SnapRounder *work, uint32_t a, uint32_t b, sat_Vec2 pixel) {
  uint32_t *last = work->order.at;
  const sat_Vec2 *hot = work->hot.at;
  uint32_t at = (uint32_t)work->hot.count;
  if (last[a] != SAT_NONE && equal_points(hot[last[a]], pixel)) at = last[a];
  else if (last[b] != SAT_NONE && equal_points(hot[last[b]], pixel)) at = last[b];
  else if (SAT_LIST_ADD(&work->hot, pixel)) return SAT_ENOMEM;
  for (int i = 0; i < 2; i++, a = b) {
    sat_Status status = last[a] == at ? SAT_OK : add_stop(work, a, at, pixel);
    if (status) return status;
    last[a] = at;
  }
  return work->plane->edges.count + work->stops.count > MOST_EDGES ? SAT_EMANY : SAT_OK;
}

static sat_Status heat_crossings(SnapRounder *work) {
  const sat_PlaneEdge *edges = work->plane->edges.at;
  uint32_t count = (uint32_t)work->plane->edges.count;
  if (!ROOM_FOR(&work->order, count)) return SAT_ENOMEM;
  for (uint32_t i = 0; i < count; i++) work->order.at[i] = SAT_NONE;
  sat_Status status = start_sweep(work);
  for (uint32_t i = 0; i < count && !status; i++) {
    sat_Vec2 ends[2], others[2];
    get_ends(work, i, ends);
    const uint32_t *end = find_edges(work, ends[0], ends[1]);
    if (!end) return SAT_EMANY;
    for (const uint32_t *at = work->found.at; at < end && !status; at++) {
      const sat_PlaneEdge *a = &edges[i], *b = &edges[*at];
      if (a->low == b->low || a->low == b->high || a->high == b->high) continue;
      get_ends(work, *at, others);
      if (!edges_cross(others, ends)) continue;
      sat_Vec2 pixel = crossing_pixel(others, ends);
      work->unsure = work->unsure || !is_beside_edge(others, pixel);
      status = heat_crossing(work, i, *at, pixel);
    }
    if (!status) status = enter_edge(work, i);
  }
  return status;
}

/* ---------------------------------------------------------------- hot pixels */

/* Whether an edge meets a pixel, which is not beyond its ends: of the two corners on either side of
 * it, both sides of the pixel at the upper ones and at the right ones are not the pixel's own. */
static bool passes_pixel(const sat_Vec2 ends[2], sat_Vec2 pixel) {
  bool rises = ends[1].y > ends[0].y;
  sat_Vec2 half = vec2(rises ? -0.5 : 0.5, 0.5);
  if (sat_orientation(ends[0], ends[1], add(pixel, half)) <= 0) return false;
  return sat_orientation(ends[0], ends[1], sub(pixel, half)) < (rises ? 0 : 1);
}

static sat_Status order_pixels(SnapRounder *work) {
  size_t count = work->hot.count;
  if (!ROOM_FOR(&work->order, count) || !ROOM_FOR(&work->spare, count) ||
      !ROOM_FOR(&work->rank, count) || !ROOM_FOR(&work->pixels, count))
    return SAT_ENOMEM;
  const sat_Vec2 *hot = work->hot.at;
  sat_Vec2 *pixels = work->pixels.at;
  const uint32_t *order = work->order.at;
  sat_sweep_order(hot, count, work->order.at, work->spare.at);
  uint32_t last = SAT_NONE;
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || !equal_points(hot[order[i]], pixels[last])) pixels[++last] = hot[order[i]];
    work->rank.at[order[i]] = last;
  }
  work->pixels.count = last + (size_t)1;
  return SAT_OK;
}

/* Finds the edges that pass hot pixels, and whether one is near a pixel that it does not pass. */
static sat_Status find_passed(SnapRounder *work) {
  const sat_PlaneEdge *edges = work->plane->edges.at;
  uint32_t count = (uint32_t)work->plane->edges.count, next = 0;
  const uint32_t *rank = work->rank.at;
  sat_Status status = start_sweep(work);
  for (uint32_t pixel = 0; pixel < work->pixels.count && !status; pixel++) {
    sat_Vec2 at = work->pixels.at[pixel], ends[2];
    for (; next < count && work->plane->points.at[edges[next].low].x - NEAR_PIXEL <= at.x; next++)
      if (!status) status = enter_edge(work, next);
    const uint32_t *end = find_edges(work, at, at);
    if (!end) return SAT_EMANY;
    for (const uint32_t *k = work->found.at; k < end && !status; k++) {
      if (rank[edges[*k].low] == pixel || rank[edges[*k].high] == pixel) continue;
      get_ends(work, *k, ends);
      if (is_beside_edge(ends, at) && passes_pixel(ends, at))
        status = add_stop(work, *k, pixel, at);
      else work->unsure = true;
    }
  }
  return status;
}

/* ---------------------------------------------------------------- bent edges */

#define IS_FARTHER(a, b) ((a)->x > (b)->x || ((a)->x == (b)->x && (a)->y > (b)->y))
SAT_DEFINE_SORT(Stop, stops, IS_FARTHER)

#define EDGE_OF(stop) (stop).edge
#define LOW_OF(plane_edge) (plane_edge).low
#define HIGH_OF(plane_edge) (plane_edge).high

/* Sorts the stops by edge, then along it. The stops of edge k end at the returned index k. */
static const uint32_t *order_stops(SnapRounder *work) {
  size_t edges = work->plane->edges.count, count = work->stops.count;
  if (!ROOM_FOR(&work->order, edges + 1) || !ROOM_FOR(&work->stops_by_edge, count + 1)) return NULL;
  uint32_t *end = work->order.at;
  Stop *sorted = work->stops_by_edge.at;
  SAT_COUNTING_SORT(work->stops.at, count, sorted, end, edges, EDGE_OF);
  for (size_t i = 0, first = 0; i < edges; first = end[i++])
    stops_sort(sorted + first, end[i] - first);
  return end;
}

static void push_bent(SnapRounder *work, uint32_t from, uint32_t to, const int32_t winding[2]) {
  if (from == to) return;
  sat_PlaneEdge edge = {from, to, {winding[0], winding[1]}};
  if (from > to) edge = (sat_PlaneEdge){to, from, {-winding[0], -winding[1]}};
  work->bent.at[work->bent.count++] = edge;
}

static sat_Status bend_edges(SnapRounder *work) {
  const sat_PlaneEdge *edges = work->plane->edges.at;
  size_t count = work->plane->edges.count;
  const uint32_t *end = order_stops(work), *rank = work->rank.at;
  if (!end || !ROOM_FOR(&work->bent, count + work->stops.count)) return SAT_ENOMEM;
  const Stop *stop = work->stops_by_edge.at;
  for (size_t i = 0; i < count; i++) {
    uint32_t from = rank[edges[i].low], to = rank[edges[i].high];
    for (; stop < work->stops_by_edge.at + end[i]; stop++) {
      uint32_t pixel = stop->pixel;
      if (pixel == to) continue;
      push_bent(work, from, pixel, edges[i].winding);
      from = pixel;
    }
    push_bent(work, from, to, edges[i].winding);
  }
  return SAT_OK;
}

/* Makes the pixels that are ends of edges the points of the plane, which has room for all. */
static void keep_points(SnapRounder *work, uint32_t *place) {
  sat_PlaneEdge *edges = work->plane->edges.at;
  uint32_t kept = 0;
  for (size_t i = 0; i < work->pixels.count; i++) place[i] = SAT_NONE;
  for (size_t i = 0; i < work->plane->edges.count; i++)
    place[edges[i].low] = place[edges[i].high] = 0;
  for (size_t i = 0; i < work->pixels.count; i++) {
    if (place[i] == SAT_NONE) continue;
    work->plane->points.at[kept] = work->pixels.at[i];
    place[i] = kept++;
  }
  for (size_t i = 0; i < work->plane->edges.count; i++) {
    edges[i].low = place[edges[i].low];
    edges[i].high = place[edges[i].high];
  }
  work->plane->points.count = kept;
}

/* Makes the bent edges and their pixels the edges and points of the plane: equal edges become one,
 * and those go whose windings add up to nothing. */
static sat_Status join_edges(SnapRounder *work) {
  size_t count = work->bent.count, points = work->pixels.count, kept = 0;
  if (!ROOM_FOR(&work->order, points + 1) || !ROOM_FOR(&work->plane->edges, count))
    return SAT_ENOMEM;
  sat_PlaneEdge *edges = work->plane->edges.at, *bent = work->bent.at;
  uint32_t *place = work->order.at;
  SAT_COUNTING_SORT(bent, count, edges, place, points, HIGH_OF);
  SAT_COUNTING_SORT(edges, count, bent, place, points, LOW_OF);
  for (size_t i = 0; i < count;) {
    sat_PlaneEdge edge = bent[i];
    for (i++; i < count && bent[i].low == edge.low && bent[i].high == edge.high; i++) {
      edge.winding[0] += bent[i].winding[0];
      edge.winding[1] += bent[i].winding[1];
    }
    if (edge.winding[0] || edge.winding[1]) edges[kept++] = edge;
  }
  work->plane->edges.count = kept;
  if (!ROOM_FOR(&work->plane->points, points)) return SAT_ENOMEM;
  keep_points(work, place);
  return kept > MOST_EDGES ? SAT_EMANY : SAT_OK;
}

/* ---------------------------------------------------------------- rounds */

static sat_Status heat_points(SnapRounder *work, bool rounds, bool *moved) {
  size_t count = work->plane->points.count;
  if (!ROOM_FOR(&work->hot, count)) return SAT_ENOMEM;
  for (; work->hot.count < count; work->hot.count++) {
    sat_Vec2 point = work->plane->points.at[work->hot.count], pixel = point;
    if (rounds) pixel = vec2(floor(point.x + 0.5), floor(point.y + 0.5));
    *moved = *moved || !equal_points(pixel, point);
    work->hot.at[work->hot.count] = pixel;
  }
  work->stops.count = 0;
  return SAT_OK;
}

static sat_Status snap_until_apart(SnapRounder *work) {
  bool moved = true;
  work->unsure = true;
  sat_Status status = heat_points(work, false, &moved); /* only sorts points and edges */
  if (!status) status = order_pixels(work);
  while (!status && moved) {
    status = bend_edges(work);
    if (!status) status = join_edges(work);
    if (status || !work->unsure || work->plane->edges.count == 0) break;
    moved = work->unsure = false;
    status = heat_points(work, true, &moved);
    if (!status) status = heat_crossings(work);
    if (!status) status = order_pixels(work);
    for (size_t i = 0; !status && i < work->stops.count; i++)
      work->stops.at[i].pixel = work->rank.at[work->stops.at[i].pixel];
    if (!status) status = find_passed(work);
    moved = moved || work->stops.count > 0;
  }
  return status;
}

/* clang-format off */
#define ROUNDER_LISTS(X) \
  X(hot) X(pixels) X(bent) X(stops) X(stops_by_edge) X(entries) X(bounds) X(lists) X(rank) \
  X(order) X(spare) X(found)
/* clang-format on */

sat_Status sat_snap_round(sat_Arrangement *plane) {
  SnapRounder work = {.plane = plane};
#define SET_ROUNDER_ALLOCATOR(list) work.list.allocator = plane->points.allocator;
  ROUNDER_LISTS(SET_ROUNDER_ALLOCATOR)
  sat_Status status = plane->points.count > 0 ? snap_until_apart(&work) : SAT_OK;
#define FREE_ROUNDER_LIST(list) SAT_LIST_FREE(&work.list);
  ROUNDER_LISTS(FREE_ROUNDER_LIST)
  return status;
}
