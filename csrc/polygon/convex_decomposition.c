/* convex_decomposition.c: a concave ring as few convex pieces. */
#include "base/vec2.h"

#include "base/memory.h"
#include "polygon/triangulation.h"

/* How many other corners on either side a diagonal is tried at, and how often all of them are. By
 * measurement: half as many passes leave twice as many pieces too many. */
#define MOST_STEPS 32
#define PASSES 6

typedef struct Mesh {
  const sat_Vec2 *points;
  sat_Half *half;
  uint32_t count;
} Mesh;

/* ---------------------------------------------------------------- fewer pieces */

static int turn(const Mesh *mesh, uint32_t before, uint32_t middle, uint32_t after) {
  return sat_orientation(mesh->points[before], mesh->points[middle], mesh->points[after]);
}

/* Whether the corner where a half starts stays convex without it. Where bridges meet there may be
 * a vertex with nothing but inside around it: of the last two edges there neither can go alone. */
static bool is_free_at(const Mesh *mesh, uint32_t edge) {
  const sat_Half *half = &mesh->half[edge], *twin = &mesh->half[half->twin];
  if (mesh->half[half->previous].twin == twin->next) return false;
  uint32_t before = mesh->half[half->previous].vertex;
  uint32_t after = mesh->half[mesh->half[twin->next].next].vertex;
  return turn(mesh, before, half->vertex, after) >= 0;
}

static bool is_free(const Mesh *mesh, uint32_t edge) {
  return is_free_at(mesh, edge) && is_free_at(mesh, mesh->half[edge].twin);
}

static void link_halves(Mesh *mesh, uint32_t before, uint32_t after) {
  mesh->half[before].next = after;
  mesh->half[after].previous = before;
}

/* Makes one piece of the two beside a diagonal. */
static void take_away(Mesh *mesh, uint32_t edge) {
  sat_Half *half = &mesh->half[edge], *twin = &mesh->half[half->twin];
  link_halves(mesh, half->previous, twin->next);
  link_halves(mesh, twin->previous, half->next);
  half->next = twin->next = SAT_NONE;
}

static bool is_diagonal(const Mesh *mesh, uint32_t edge) {
  return mesh->half[edge].twin != SAT_NONE && mesh->half[edge].next != SAT_NONE;
}

static void merge_pieces(Mesh *mesh) {
  for (uint32_t edge = 0; edge < mesh->count; edge++)
    if (is_diagonal(mesh, edge) && is_free(mesh, edge)) take_away(mesh, edge);
}

/* ---------------------------------------------------------------- better diagonals */

/* Puts a diagonal that has been taken away between the corners where two halves start. */
static void put_between(Mesh *mesh, uint32_t edge, uint32_t from, uint32_t to) {
  uint32_t twin = mesh->half[edge].twin;
  mesh->half[edge].vertex = mesh->half[from].vertex;
  mesh->half[twin].vertex = mesh->half[to].vertex;
  uint32_t before_from = mesh->half[from].previous, before_to = mesh->half[to].previous;
  link_halves(mesh, before_from, edge);
  link_halves(mesh, edge, to);
  link_halves(mesh, before_to, twin);
  link_halves(mesh, twin, from);
}

/* Whether the corner where `from` starts, which needs a diagonal, is convex on both sides of one to
 * the vertex where `to` starts. */
static bool would_do(const Mesh *mesh, uint32_t from, uint32_t to) {
  const sat_Half *half = &mesh->half[from];
  uint32_t before = mesh->half[half->previous].vertex, after = mesh->half[half->next].vertex,
           end = mesh->half[to].vertex;
  return turn(mesh, before, half->vertex, end) >= 0 && turn(mesh, end, half->vertex, after) >= 0;
}

/* Whether one of the two edges at the corner where a half starts is free, and takes it away. */
static bool take_beside(Mesh *mesh, uint32_t edge) {
  uint32_t before = mesh->half[edge].previous;
  if (is_diagonal(mesh, edge) && is_free(mesh, edge)) take_away(mesh, edge);
  else if (is_diagonal(mesh, before) && is_free(mesh, before)) take_away(mesh, before);
  else return false;
  return true;
}

/* The ways a diagonal's end can go along the outline of its two pieces. */
enum { BACK, FORTH, NOWHERE };

/* The diagonal being moved: taken away, between the corners where `from` and `to` start. */
typedef struct Slide {
  uint32_t edge, from, to;
} Slide;

/* Tries to end a diagonal at other corners, one after the other, until that makes another one
 * needless. Then returns true, and else leaves in `farthest` the last corner tried. */
static bool slide_one_way(Mesh *mesh, const Slide *slide, int way, uint32_t *farthest) {
  uint32_t edge = slide->edge, twin = mesh->half[edge].twin, at = slide->to;
  for (int steps = 0; steps < MOST_STEPS; steps++) {
    at = way == FORTH ? mesh->half[at].next : mesh->half[at].previous;
    bool neighbour = at == mesh->half[slide->from].next || mesh->half[at].next == slide->from;
    if (neighbour || at == slide->from || !would_do(mesh, slide->from, at)) return false;
    put_between(mesh, edge, slide->from, at);
    if (take_beside(mesh, at) || take_beside(mesh, twin)) return true;
    take_away(mesh, edge);
    *farthest = at;
  }
  return false;
}

/* A diagonal that only the corner where it starts needs may as well end at another corner of the
 * two pieces. If that makes no other one needless it ends as far as it can go `astray`, since what
 * helps nobody now may help later. */
static void slide_end(Mesh *mesh, uint32_t edge, int astray) {
  uint32_t twin = mesh->half[edge].twin;
  if (!is_free_at(mesh, twin)) return;
  Slide slide = {edge, mesh->half[twin].next, mesh->half[edge].next};
  uint32_t end[3] = {slide.to, slide.to, slide.to};
  take_away(mesh, edge);
  for (int way = BACK; way <= FORTH; way++)
    if (slide_one_way(mesh, &slide, way, &end[way])) return;
  put_between(mesh, edge, slide.from, end[astray]);
}

static void slide_diagonals(Mesh *mesh) {
  for (int pass = 0; pass < PASSES; pass++) {
    for (uint32_t edge = 0; edge < mesh->count; edge++) {
      if (!is_diagonal(mesh, edge)) continue;
      if (is_free(mesh, edge)) take_away(mesh, edge);
      else slide_end(mesh, edge, pass % 3);
    }
  }
}

/* ---------------------------------------------------------------- the list of pieces */

typedef struct List {
  uint32_t *first;
  sat_Corner *corners;
  uint32_t pieces, count;
} List;

/* From a half on to the first that starts at a corner. */
static uint32_t first_corner(const Mesh *mesh, uint32_t edge) {
  for (;;) {
    const sat_Half *half = &mesh->half[edge], *next = &mesh->half[half->next];
    if (turn(mesh, half->vertex, next->vertex, mesh->half[next->next].vertex) > 0)
      return half->next;
    edge = half->next;
  }
}

/* What `previous` says of each half once nobody walks that way any more. */
enum { BURIED, SHOWN };

/* The corners about a vertex, from the half that comes in along the ring to the one that goes
 * out. */
static void mark_corners(Mesh *mesh, uint32_t in) {
  uint32_t first = mesh->half[in].next, out = first;
  while (mesh->half[out].twin != SAT_NONE) out = mesh->half[mesh->half[out].twin].next;
  uint32_t after = mesh->half[mesh->half[out].next].vertex;
  if (turn(mesh, mesh->half[in].vertex, mesh->half[out].vertex, after) < 0) return;
  for (uint32_t edge = first; edge != out; edge = mesh->half[mesh->half[edge].twin].next)
    mesh->half[edge].previous = SHOWN;
  mesh->half[out].previous = SHOWN;
}

/* Those with nothing but inside around them stay buried. */
static void mark_all_corners(Mesh *mesh) {
  for (uint32_t edge = 0; edge < mesh->count; edge++) mesh->half[edge].previous = BURIED;
  for (uint32_t edge = 0; edge < mesh->count; edge++)
    if (mesh->half[edge].twin == SAT_NONE) mark_corners(mesh, edge);
}

/* Appends the piece left of a half, and marks its halves as done. Vertices on a straight line are
 * left out. */
static void add_piece(Mesh *mesh, uint32_t any, List *list) {
  uint32_t start = first_corner(mesh, any), edge = start;
  list->first[list->pieces++] = list->count;
  sat_Corner corner = {mesh->half[start].vertex, true, mesh->half[start].previous == BURIED};
  do {
    sat_Half *half = &mesh->half[edge], *next = &mesh->half[half->next];
    corner.inner = corner.inner && half->twin != SAT_NONE;
    if (turn(mesh, half->vertex, next->vertex, mesh->half[next->next].vertex) > 0) {
      list->corners[list->count++] = corner;
      corner = (sat_Corner){next->vertex, true, next->previous == BURIED};
    }
    half->previous = SAT_NONE;
    edge = half->next;
  } while (edge != start);
}

static sat_Pieces list_pieces(Mesh *mesh, void *memory) {
  sat_Corner *corners = memory;
  List list = {(uint32_t *)(corners + mesh->count), corners, 0, 0};
  mark_all_corners(mesh);
  for (uint32_t edge = 0; edge < mesh->count; edge++) {
    const sat_Half *half = &mesh->half[edge];
    if (half->next != SAT_NONE && half->previous != SAT_NONE) add_piece(mesh, edge, &list);
  }
  list.first[list.pieces] = list.count;
  return (sat_Pieces){list.pieces, list.first, list.corners};
}

sat_Status sat_ring_decompose(const sat_Vec2 *points, size_t count, sat_Scratch *scratch,
                              sat_Pieces *pieces) {
  if (count > SAT_MOST_TRIANGULATED) return SAT_ENOMEM;
  void *memory = sat_scratch_reserve(scratch, sat_triangulation_bytes(count));
  if (!memory) return SAT_ENOMEM;
  sat_Triangulation triangles = sat_triangulate(points, count, memory);
  Mesh mesh = {points, triangles.half, triangles.count};
  merge_pieces(&mesh);
  slide_diagonals(&mesh);
  /* The sweep's own memory, which is more than the list takes, is free again. */
  *pieces = list_pieces(&mesh, triangles.half + sat_triangulation_most(count));
  return SAT_OK;
}
