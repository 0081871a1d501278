/* convex_decomposition.c: splits a concave ring into few convex pieces: removes and moves diagonals
 * of a triangulation. */
#include "polygon/polygon.h"

/* The number of corners on either side at which a diagonal is tried, and the number of passes over
 * all diagonals behind one that only removes them. Measured: half as many passes leave twice as
 * many superfluous pieces. */
#define MOST_STEPS 32
#define PASSES 6

typedef sat_Triangulation Mesh;

/* ---------------------------------------------------------------- fewer pieces */

static int corner_turn(const Mesh *mesh, uint32_t before, uint32_t middle, uint32_t after) {
  return sat_orientation(mesh->points[before], mesh->points[middle], mesh->points[after]);
}

/* Whether the corner where a half-edge starts stays convex without it. Where bridges meet, the
 * inside may surround a vertex: neither of its last two edges can be removed alone. */
static bool is_removable_at(const Mesh *mesh, uint32_t edge) {
  const sat_HalfEdge *half_edge = &mesh->half_edge[edge], *twin = &mesh->half_edge[half_edge->twin];
  if (mesh->half_edge[half_edge->previous].twin == twin->next) return false;
  uint32_t before = mesh->half_edge[half_edge->previous].vertex;
  uint32_t after = mesh->half_edge[mesh->half_edge[twin->next].next].vertex;
  return corner_turn(mesh, before, half_edge->vertex, after) >= 0;
}

static void link_half_edges(Mesh *mesh, uint32_t before, uint32_t after) {
  mesh->half_edge[before].next = after;
  mesh->half_edge[after].previous = before;
}

/* Removes a diagonal, which merges the two pieces beside it. */
static void remove_diagonal(Mesh *mesh, uint32_t edge) {
  sat_HalfEdge *half_edge = &mesh->half_edge[edge], *twin = &mesh->half_edge[half_edge->twin];
  link_half_edges(mesh, half_edge->previous, twin->next);
  link_half_edges(mesh, twin->previous, half_edge->next);
  half_edge->next = twin->next = SAT_NONE;
}

static bool is_diagonal(const Mesh *mesh, uint32_t edge) {
  return mesh->half_edge[edge].twin != SAT_NONE && mesh->half_edge[edge].next != SAT_NONE;
}

/* ---------------------------------------------------------------- better diagonals */

/* Re-inserts a removed diagonal between the origins of two half-edges. */
static void insert_diagonal(Mesh *mesh, uint32_t edge, uint32_t from, uint32_t to) {
  sat_HalfEdge *of = mesh->half_edge;
  uint32_t twin = of[edge].twin, before_to = of[to].previous;
  of[edge].vertex = of[from].vertex;
  of[twin].vertex = of[to].vertex;
  link_half_edges(mesh, of[from].previous, edge);
  link_half_edges(mesh, edge, to);
  link_half_edges(mesh, before_to, twin);
  link_half_edges(mesh, twin, from);
}

/* Whether a diagonal from the origin of `from` to the origin of `to` leaves two convex corners
 * at the origin of `from`. */
static bool can_end_at(const Mesh *mesh, uint32_t from, uint32_t to) {
  const sat_HalfEdge *of = mesh->half_edge, *at = &of[from];
  uint32_t end = of[to].vertex;
  return corner_turn(mesh, of[at->previous].vertex, at->vertex, end) >= 0 &&
         corner_turn(mesh, end, at->vertex, of[at->next].vertex) >= 0;
}

static inline bool remove_superfluous(Mesh *mesh, uint32_t edge) {
  bool is_removable =
      is_removable_at(mesh, edge) && is_removable_at(mesh, mesh->half_edge[edge].twin);
  if (is_removable) remove_diagonal(mesh, edge);
  return is_removable;
}

/* Removes one of the two edges at the origin of a half-edge, if one is superfluous. */
static bool remove_adjacent_diagonal(Mesh *mesh, uint32_t edge) {
  uint32_t before = mesh->half_edge[edge].previous;
  return (is_diagonal(mesh, edge) && remove_superfluous(mesh, edge)) ||
         (is_diagonal(mesh, before) && remove_superfluous(mesh, before));
}

/* The directions in which an end of a diagonal can move along the boundary of its two pieces. */
enum { BACKWARD, FORWARD, NOWHERE };

/* Tries to end a removed diagonal from the origin of `from` at other corners than that of `*to`,
 * one after the other, until another diagonal becomes superfluous, and then returns true; else
 * `*to` is the last corner tried. */
static bool slide_in_direction(Mesh *mesh, uint32_t edge, uint32_t from, int way, uint32_t *to) {
  uint32_t twin = mesh->half_edge[edge].twin, at = *to;
  for (int steps = 0; steps < MOST_STEPS; steps++) {
    at = way == FORWARD ? mesh->half_edge[at].next : mesh->half_edge[at].previous;
    bool neighbour = at == mesh->half_edge[from].next || mesh->half_edge[at].next == from;
    if (neighbour || at == from || !can_end_at(mesh, from, at)) return false;
    insert_diagonal(mesh, edge, from, at);
    if (remove_adjacent_diagonal(mesh, at) || remove_adjacent_diagonal(mesh, twin)) return true;
    remove_diagonal(mesh, edge);
    *to = at;
  }
  return false;
}

/* Moves a diagonal that only its first corner needs. It ends at the corner of the two pieces that
 * makes another diagonal superfluous; if there is none, it ends as far as possible in the direction
 * `otherwise`, since that may help later. */
static void slide_end(Mesh *mesh, uint32_t edge, int otherwise) {
  uint32_t twin = mesh->half_edge[edge].twin, to = mesh->half_edge[edge].next;
  uint32_t from = mesh->half_edge[twin].next, end[3] = {to, to, to};
  if (!is_removable_at(mesh, twin)) return;
  remove_diagonal(mesh, edge);
  for (int way = BACKWARD; way <= FORWARD; way++)
    if (slide_in_direction(mesh, edge, from, way, &end[way])) return;
  insert_diagonal(mesh, edge, from, end[otherwise]);
}

/* ---------------------------------------------------------------- the list of pieces */

typedef struct PieceList {
  uint32_t *first;
  sat_Corner *corners;
  uint32_t piece_count, corner_count;
} PieceList;

/* Marks in `previous` of a half-edge, once the decomposition is final. */
enum { REFLEX, EXPOSED };

/* Marks the corners around a vertex, from the half-edge that leads to it along the ring to the one
 * that leads away. */
static void mark_corners(Mesh *mesh, uint32_t in) {
  sat_HalfEdge *of = mesh->half_edge;
  uint32_t out = of[in].next;
  while (of[out].twin != SAT_NONE) out = of[of[out].twin].next;
  if (corner_turn(mesh, of[in].vertex, of[out].vertex, of[of[out].next].vertex) < 0) return;
  for (uint32_t edge = of[in].next; edge != out; edge = of[of[edge].twin].next)
    of[edge].previous = EXPOSED;
  of[out].previous = EXPOSED;
}

/* Whether the corner where the next half-edge starts is strictly convex. */
static bool is_corner_behind(const Mesh *mesh, uint32_t edge) {
  const sat_HalfEdge *at = &mesh->half_edge[edge], *next = &mesh->half_edge[at->next];
  return corner_turn(mesh, at->vertex, next->vertex, mesh->half_edge[next->next].vertex) > 0;
}

/* Appends the piece to the left of a half-edge, and marks its half-edges as done. The piece
 * leaves out vertices on a straight line. */
static void list_convex_piece(Mesh *mesh, uint32_t edge, PieceList *list) {
  const sat_HalfEdge *of = mesh->half_edge;
  while (!is_corner_behind(mesh, edge)) edge = of[edge].next;
  edge = of[edge].next;
  uint32_t start = edge;
  list->first[list->piece_count++] = list->corner_count;
  sat_Corner corner = {of[edge].vertex, true, of[edge].previous == REFLEX};
  do {
    bool ends = is_corner_behind(mesh, edge);
    corner.internal = corner.internal && of[edge].twin != SAT_NONE;
    mesh->half_edge[edge].previous = SAT_NONE;
    edge = of[edge].next;
    if (!ends) continue;
    list->corners[list->corner_count++] = corner;
    corner = (sat_Corner){of[edge].vertex, true, of[edge].previous == REFLEX};
  } while (edge != start);
}

static sat_Decomposition list_pieces(Mesh *mesh, void *memory) {
  sat_Corner *corners = memory;
  PieceList list = {(uint32_t *)(corners + mesh->count), corners, 0, 0};
  /* vertices that the inside surrounds count as reflex, too */
  for (uint32_t edge = 0; edge < mesh->count; edge++) mesh->half_edge[edge].previous = REFLEX;
  for (uint32_t edge = 0; edge < mesh->count; edge++)
    if (mesh->half_edge[edge].twin == SAT_NONE) mark_corners(mesh, edge);
  for (uint32_t edge = 0; edge < mesh->count; edge++) {
    const sat_HalfEdge *half_edge = &mesh->half_edge[edge];
    if (half_edge->next != SAT_NONE && half_edge->previous != SAT_NONE)
      list_convex_piece(mesh, edge, &list);
  }
  list.first[list.piece_count] = list.corner_count;
  return (sat_Decomposition){list.piece_count, list.first, list.corners};
}

sat_Status sat_ring_decompose(const sat_Vec2 *points, size_t count, sat_Scratch *scratch,
                              sat_Decomposition *decomposition) {
  if (count > SAT_MOST_TRIANGULATED) return SAT_ENOMEM;
  void *memory = sat_scratch_reserve(scratch, sat_triangulation_bytes(count));
  if (!memory) return SAT_ENOMEM;
  Mesh mesh = sat_triangulate(points, count, memory);
  for (int pass = -1; pass < PASSES; pass++)
    for (uint32_t edge = 0; edge < mesh.count; edge++)
      if (is_diagonal(&mesh, edge) && !remove_superfluous(&mesh, edge) && pass >= 0)
        slide_end(&mesh, edge, pass % 3);
  /* The list reuses the memory of the sweep, which is larger. */
  *decomposition = list_pieces(&mesh, mesh.half_edge + sat_triangulation_most(count));
  return SAT_OK;
}
