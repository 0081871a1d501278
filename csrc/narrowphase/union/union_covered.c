/* union_covered.c: a circle around the origin that many differences cover.
 *
 * First the differences that contain the origin are measured along rays from it, in sectors that
 * are halved until one difference covers a triangle of each. Where that circle does not reach the
 * boundary of the union, a quadtree of squares finds the nearest one that no single difference
 * covers. */
#include "base/hash.h"
#include "narrowphase/union/union_differences.h"

/* Squares are halved this often at least, and at most, and about so many differences are tried on
 * each. */
#define LEAST_HALVINGS 4
#define MOST_HALVINGS 13
#define SAMPLED_DIFFERENCES 512
/* The halvings end after this many tests for each difference. */
#define SQUARE_TESTS 16
/* A quarter turn is halved at most this often, with at most so many tests for each difference. */
#define SECTOR_HALVINGS 24
#define SECTOR_TESTS 100
/* Each round of measuring takes differences that extend less far, by this factor. */
#define NEEDED_EXTENT 0.98
/* Extents beyond this many search radii do not matter: a triangle of two such sides covers a
 * quarter of the circle. */
#define ENOUGH_EXTENT 2
#define SURELY (1 - SAT_COVERED_MARGIN)

/* ---------------------------------------------------------------- squares */

/* The corner that is farthest from the origin. */
static sat_Vec2 far_corner(const sat_Square *square) {
  sat_Vec2 low = square->low, high = square->high;
  return vec2(low.x + high.x < 0 ? low.x : high.x, low.y + high.y < 0 ? low.y : high.y);
}

/* Whether a square is inside a difference beyond rounding: its corners are. */
static bool covers_square(sat_UnionSearch *search, uint32_t index, const sat_Square *square) {
  sat_Difference *difference = &search->differences[index];
  search->cover_tests++;
  sat_Vec2 low = square->low, high = square->high, far = far_corner(square);
  sat_Vec2 near = sub(add(low, high), far);
  sat_Vec2 corners[4] = {far, vec2(far.x, near.y), vec2(near.x, far.y), near};
  const sat_Boundary *boundary = ensure_boundary(search, difference);
  double inside = -2 * boundary->error_bound - SAT_BOUNDARY_ROUNDINGS * search->rounding;
  if (boundary->degenerate) return false;
  for (uint32_t i = 0; i < 4; i++)
    if (sat_boundary_signed_distance(boundary, corners[i], inside) >= inside) return false;
  return true;
}

/* A random step, so that a walk over all boxes has about as many steps as there are samples. */
static uint32_t random_step(sat_UnionSearch *search) {
  return 1 +
         (next_random(&search->random) >> 8) % (search->box_count / (SAMPLED_DIFFERENCES / 2) + 1);
}

/* Whether a single difference covers a whole square, as far as a sample of them shows. */
static bool is_square_covered(sat_UnionSearch *search, const sat_Square *square) {
  sat_Vec2 middle = mul(add(square->low, square->high), 0.5);
  uint32_t *cached_covers = cached_cover(search, middle);
  sat_Square whole = {square->high,
                      square->low}; /* a box that is near it holds all of the square */
  for (int i = 0; i < NEIGHBOR_SQUARES; i++) {
    uint32_t index = neighbor_cover(search, cached_covers, i);
    if (!covers_square(search, index, square)) continue;
    *cached_covers = index;
    return true;
  }
  for (uint32_t i = next_box_near(search, random_step(search), &whole); i < search->box_count;
       i = next_box_near(search, i + random_step(search), &whole)) {
    if (!covers_square(search, search->boxes[i].difference, square)) continue;
    *cached_covers = search->boxes[i].difference;
    return true;
  }
  return false;
}

/* Lowers the free distance to the nearest square that no difference covers, once it is too small to
 * be halved. Nearer quarters come first. */
static void find_free_square(sat_UnionSearch *search, const sat_Square *square, uint32_t halvings) {
  sat_Vec2 low = square->low, high = square->high, middle = mul(add(low, high), 0.5);
  double near = length(vector_to_box((sat_Box){low, high}));
  if (near >= search->free_distance || length(far_corner(square)) <= search->covered_radius) return;
  if (is_square_covered(search, square)) return;
  if (halvings == 0) {
    search->free_distance = near;
    return;
  }
  bool right = middle.x < 0, up = middle.y < 0;
  for (uint32_t i = 0; i < 4; i++) {
    bool at_right = right != (i & 1), at_top = up != (i >> 1);
    sat_Square quarter = {vec2(at_right ? middle.x : low.x, at_top ? middle.y : low.y),
                          vec2(at_right ? high.x : middle.x, at_top ? high.y : middle.y)};
    find_free_square(search, &quarter, halvings - 1);
  }
}

/* ---------------------------------------------------------------- extents along rays */

/* A part of a quarter turn: `codes` entries of the table of covers from `code` on. One difference
 * covers the triangle from the origin to points in both directions that is as high as `height`. */
typedef struct Sector {
  sat_Vec2 from, to;
  double height;
  uint32_t cover;
  uint32_t code, codes;
} Sector;

/* The length of a ray from the origin inside a circle. */
static double circle_extent(sat_Vec2 center, double radius, sat_Vec2 along) {
  double off = cross(center, along), square = radius * radius - off * off;
  return square > 0 ? max2(dot(center, along) + sqrt(square), 0) : 0;
}

/* A point deeper inside a difference than this is inside it beyond rounding. */
static double margin_of(const sat_UnionSearch *search, const sat_Boundary *boundary) {
  return 2 * boundary->error_bound + SAT_BOUNDARY_ROUNDINGS * search->rounding;
}

/* The greatest length of the ray inside a circle about a corner. */
static double corner_extent(const sat_Boundary *boundary, sat_Vec2 along, double margin) {
  double most = 0;
  for (uint32_t i = 0; i < boundary->count; i++)
    most = max2(most,
                circle_extent(boundary->boundary_edges[i].start, boundary->radius - margin, along));
  return most;
}

/* A difference that contains the origin, as rays are measured in it: the polar points of its facets
 * are their normals over the origin's depth below them. A difference of one corner has none. They
 * are packed, since each of thousands of differences is measured along dozens of rays. */
typedef struct PolarPoints {
  uint32_t difference, count;
  double radius;
  sat_Vec2 points[];
} PolarPoints;

/* The polar points at a place of a list. The memory of the candidates is not in use yet. */
static PolarPoints *polar_points(const sat_UnionSearch *search, uint32_t place) {
  return (PolarPoints *)(void *)((sat_Vec2 *)(void *)search->candidates + place);
}

/* Whether the origin is inside a difference by more than rounding; if so, its polar points are
 * listed. */
static bool list_polar_points(sat_UnionSearch *search, sat_Difference *difference,
                              PolarPoints *polar) {
  const sat_Boundary *boundary = ensure_boundary(search, difference);
  uint32_t index = (uint32_t)(difference - search->differences);
  double margin = margin_of(search, boundary);
  if (boundary->degenerate ||
      sat_boundary_signed_distance(boundary, vec2(0, 0), -margin) >= -margin)
    return false;
  *polar = (PolarPoints){index, boundary->count > 1 ? boundary->count : 0, boundary->radius};
  for (uint32_t i = 0; i < polar->count; i++) {
    const sat_BoundaryEdge *edge = &boundary->boundary_edges[i];
    polar->points[i] = mul(edge->normal, 1 / (boundary->radius - edge->separation - margin));
  }
  return true;
}

/* The rays in two directions, and the inverse lengths for which they are inside the facets of a
 * difference, moved out by the radius. */
typedef struct TwoRays {
  sat_Vec2 along[2];
  double slope[2];
} TwoRays;

/* A ray is inside all facets as far as inside that whose polar point is farthest along it. */
static void measure_facets(const PolarPoints *polar, TwoRays *rays) {
  double2 x = double2_of(rays->along[0].x, rays->along[1].x),
          y = double2_of(rays->along[0].y, rays->along[1].y), most = double2_of(0, 0);
  for (uint32_t i = 0; i < polar->count; i++) {
    double2 point = double2_load(&polar->points[i]);
    most = double2_max(most, double2_add(double2_mul(double2_both_x(point), x),
                                         double2_mul(double2_both_y(point), y)));
  }
  double2_split(most, &rays->slope[0], &rays->slope[1]);
}

/* The facet by which a ray leaves all of them. */
static uint32_t last_facet(const PolarPoints *polar, const TwoRays *rays, int ray) {
  uint32_t last = 0;
  while (last + 1 < polar->count && dot(polar->points[last], rays->along[ray]) != rays->slope[ray])
    last++;
  return last;
}

/* The length of a ray from the origin inside a difference that has polar points, by more than
 * rounding, or that from which on lengths do not matter. A rounded difference lies inside its
 * facets moved out by the radius, and where the ray leaves those beyond an edge's ends, a circle
 * about a corner decides. */
static double extent_along(sat_UnionSearch *search, const PolarPoints *polar, const TwoRays *rays,
                           int ray) {
  double extent = min2(1 / rays->slope[ray], ENOUGH_EXTENT * search->search_radius);
  if (polar->radius == 0) return extent;
  sat_Vec2 along = rays->along[ray];
  const sat_Boundary *boundary = ensure_boundary(search, &search->differences[polar->difference]);
  const sat_BoundaryEdge *edge = &boundary->boundary_edges[last_facet(polar, rays, ray)];
  double at = along_boundary_edge(edge, mul(along, 1 / rays->slope[ray]));
  bool beside_edge = polar->count > 0 && at >= 0 && at <= edge->length;
  return beside_edge ? extent
                     : min2(extent, corner_extent(boundary, along, margin_of(search, boundary)));
}

/* An upper bound of the distance from the origin to a difference's corners between two
 * directions. */
static double farthest_between(const sat_Boundary *boundary, const Sector *sector) {
  double square = 0;
  for (uint32_t i = 0; i < boundary->count; i++) {
    sat_Vec2 corner = boundary->boundary_edges[i].start;
    bool between = cross(sector->from, corner) >= 0 && cross(corner, sector->to) >= 0;
    if (between) square = max2(square, dot(corner, corner));
  }
  return square > 0 ? sqrt(square) + boundary->radius : 0;
}

/* ---------------------------------------------------------------- sectors */

static const sat_Vec2 axis_directions[5] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};

/* The search for the direction in which the differences that contain the origin extend least. A
 * direction is a point of the square |x| + |y| = 1. */
typedef struct SectorSearch {
  sat_UnionSearch *search;
  double least; /* the least extent so far */
  sat_Vec2 direction;
  double sure;   /* the least height of the triangles that are not halved any more */
  double needed; /* differences that extend less far are left out */
  uint64_t tests;
} SectorSearch;

/* The distance of the origin from a segment. */
static double triangle_height(sat_Vec2 from, sat_Vec2 to) {
  sat_Vec2 along = sub(to, from);
  if (dot(from, along) >= 0) return length(from);
  if (dot(to, along) <= 0) return length(to);
  return cross(from, to) / length(along);
}

static void note_extent(SectorSearch *sectors, double extent, sat_Vec2 direction) {
  if (extent >= sectors->least) return;
  sectors->least = extent;
  sectors->direction = direction;
}

/* Whether the corners of a sharp difference between two rays are nearer than `least`: the facets by
 * which the rays leave it, and those in between, meet there. */
static bool corners_are_within(const PolarPoints *polar, const TwoRays *rays, double least) {
  uint32_t last = last_facet(polar, rays, 1);
  for (uint32_t i = last_facet(polar, rays, 0), next; i != last; i = next) {
    next = i + 1 < polar->count ? i + 1 : 0;
    double turn = cross(polar->points[i], polar->points[next]);
    sat_Vec2 between = sub(polar->points[next], polar->points[i]);
    if (turn < 0 || dot(between, between) > least * least * (turn * turn)) return false;
  }
  return true;
}

/* Moves the listed differences that extend less far than another one in all of the sector behind
 * the others, and returns the number of those. */
static uint32_t measure_sector(SectorSearch *sectors, Sector *sector, uint32_t *list,
                               uint32_t count) {
  sat_UnionSearch *search = sectors->search;
  TwoRays rays = {
      {mul(sector->from, 1 / length(sector->from)), mul(sector->to, 1 / length(sector->to))},
      {0, 0}};
  double most = 0;
  uint32_t left = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t place = list[i];
    const PolarPoints *polar = polar_points(search, place);
    measure_facets(polar, &rays);
    double first = extent_along(search, polar, &rays, 0),
           last = extent_along(search, polar, &rays, 1);
    double height = min2(first, last);
    most = max2(most, last);
    if (height > sector->height) /* the triangle may be as high as both rays are long */
      height = triangle_height(mul(rays.along[0], first), mul(rays.along[1], last));
    if (height > sector->height) {
      sector->height = height;
      sector->cover = polar->difference;
    }
    double least = max2(sector->height, sectors->needed);
    if (first < least && last < least &&
        (polar->radius > 0
             ? farthest_between(ensure_boundary(search, &search->differences[polar->difference]),
                                sector) < least
             : corners_are_within(polar, &rays, least)))
      continue;
    list[i] = list[left];
    list[left++] = place;
  }
  sectors->tests += count;
  note_extent(sectors, most, rays.along[1]);
  return left;
}

/* Halves a sector until one difference covers a triangle of each part that is as high as the least
 * extent. */
static void halve_sector(SectorSearch *sectors, Sector sector, uint32_t *list, uint32_t count,
                         int halvings) {
  count = measure_sector(sectors, &sector, list, count);
  bool enough = sector.height >= sectors->least * SURELY;
  if (enough || halvings == 0 ||
      sectors->tests > SECTOR_TESTS * (uint64_t)sectors->search->box_count) {
    if (!enough) sectors->sure = min2(sectors->sure, sector.height);
    for (uint32_t i = 0; i < sector.codes; i++)
      sectors->search->sector_covers[sector.code + i] = sector.cover;
    return;
  }
  Sector second = sector;
  sector.to = second.from = mul(add(sector.from, sector.to), 0.5);
  second.codes = sector.codes - sector.codes / 2;
  sector.codes /= 2;
  second.code += sector.codes;
  halve_sector(sectors, sector, list, count, halvings - 1);
  halve_sector(sectors, second, list, count, halvings - 1);
}

/* Lists the places of the polar points of the differences that contain the origin: of a random
 * share of these where the memory of the first candidates, which is not in use yet, has no room for
 * all. A circle that some cover is only smaller. The result must not depend on how much memory an
 * earlier search has left. */
static uint32_t list_about_origin(sat_UnionSearch *search, uint32_t *list) {
  enum { HEAD = sizeof(PolarPoints) / sizeof(sat_Vec2) };
  sat_NearWalk walk = {{{0, 0}, {0, 0}}, 0};
  uint32_t count = 0, place = 0;
  uint64_t candidates = search->candidate_capacity < SAT_FIRST_CANDIDATES
                            ? search->candidate_capacity
                            : SAT_FIRST_CANDIDATES;
  uint64_t room = candidates * (sizeof(sat_Candidate) / sizeof(sat_Vec2));
  double share = (double)room / ((double)search->edge_capacity + HEAD * search->box_count);
  for (sat_Difference *difference; (difference = next_difference(search, &walk)) != NULL;) {
    uint64_t units = HEAD + max_boundary_edges(search, difference->piece_index);
    PolarPoints *polar = polar_points(search, place);
    if (place + units > room) break;
    if (next_random(&search->random) > share * 0x1p32) continue;
    if (!list_polar_points(search, difference, polar)) continue;
    list[count++] = place;
    place += HEAD + polar->count;
  }
  return count;
}

/* The greatest extent of the listed differences in one direction. */
static double max_extent(sat_UnionSearch *search, const uint32_t *list, uint32_t count,
                         sat_Vec2 along) {
  TwoRays rays = {{along, along}, {0, 0}};
  double most = 0;
  for (uint32_t i = 0; i < count; i++) {
    const PolarPoints *polar = polar_points(search, list[i]);
    measure_facets(polar, &rays);
    most = max2(most, extent_along(search, polar, &rays, 0));
  }
  return most;
}

/* The least extent of the listed differences, or a little less. */
static double least_extent(SectorSearch *sectors, uint32_t *list, uint32_t count) {
  uint32_t codes = sectors->search->sector_codes;
  sectors->sure = sectors->least = sectors->search->search_radius;
  for (uint32_t i = 0; i < 4; i++) {
    Sector quarter = {axis_directions[i],
                      axis_directions[i + 1],
                      0,
                      sectors->search->deepest_difference,
                      i * codes,
                      codes};
    halve_sector(sectors, quarter, list, count, SECTOR_HALVINGS);
  }
  return min2(sectors->sure, sectors->least * SURELY);
}

/* Finds the circle that the differences which contain the origin cover. Returns whether a point at
 * its rim is free. The memory of the keys is not in use yet. */
static bool cover_about_origin(sat_UnionSearch *search) {
  uint32_t *list = (uint32_t *)(void *)search->keys, count = list_about_origin(search, list);
  SectorSearch sectors = {.search = search, .needed = search->search_radius};
  for (uint32_t i = 0; i < 4; i++)
    sectors.needed = min2(sectors.needed, max_extent(search, list, count, axis_directions[i]));
  uint64_t most = SECTOR_TESTS * (uint64_t)search->box_count;
  do {
    sectors.needed *= NEEDED_EXTENT;
    search->covered_radius = max2(search->covered_radius, least_extent(&sectors, list, count));
    if (sectors.least < sectors.needed) /* for want of a difference that was left out */
      sectors.needed = min2(sectors.needed, max_extent(search, list, count, sectors.direction));
  } while (search->covered_radius < sectors.needed && sectors.tests < most);
  return sectors.least < search->search_radius &&
         !sat_union_holds(search, mul(sectors.direction, sectors.least / SURELY));
}

/* ---------------------------------------------------------------- the circle */

void sat_union_find_covered_circle(sat_UnionSearch *search) {
  sat_Square all = square_about(vec2(0, 0), search->search_radius);
  search->covered_radius = search->searched_radius * SURELY;
  search->cover_tests = 0;
  if (!search->indexed || search->touch_only) return;
  bool is_largest = cover_about_origin(search); /* of the circles that open differences cover */
  if (is_largest && search->searched_radius == 0) return;
  for (uint32_t halvings = LEAST_HALVINGS; halvings <= MOST_HALVINGS; halvings++) {
    search->free_distance = search->search_radius;
    find_free_square(search, &all, halvings);
    search->covered_radius = max2(search->covered_radius, search->free_distance * SURELY);
    if (search->free_distance >= search->search_radius ||
        search->cover_tests > SQUARE_TESTS * (uint64_t)search->box_count)
      return;
  }
}
