/* narrowphase.c: two convex shapes: do they meet, and how do they part? Ours beside its peers.
 *
 *   narrowphase [times.csv]
 *
 * The times are written to a table, and to that file or one beside the program. Before anything is
 * timed every peer answers every pair, and its answers are compared with what is true. */
#include "closest_point_sat.h"
#include "peer.h"

#include <math.h>
#include <stdlib.h>

#define PAIRS 4096
#define FEW_PAIRS 512
/* Of many-cornered shapes so many pairs as have this many corners together: the same share of the
 * caches. */
#define CORNERS 16384

static const bench_Class classes[] = {{"triangle", 3, false, false},
                                      {"box", 4, false, false},
                                      {"hexagon", 6, false, false},
                                      {"octagon", 8, false, false},
                                      {"octagon-circle", 8, true, false}};
#define CLASSES (sizeof classes / sizeof classes[0])

/* Shapes of many vertices: ellipses and the like are regular, more or less; what was drawn by hand
 * is not. */
static const size_t regular_corners[] = {3,  4,  6,  8,   12,  16,  24,  32,
                                         48, 64, 96, 128, 256, 512, 1024};
static const size_t irregular_corners[] = {8, 16, 32, 64, 256, 1024};
#define REGULARS (sizeof regular_corners / sizeof regular_corners[0])
#define IRREGULARS (sizeof irregular_corners / sizeof irregular_corners[0])

/* The first is ours. */
static const bench_Peer *const peers[] = {&bench_sat, &bench_textbook, &bench_box2d3,
                                          &bench_closest_point};
enum { SAT, TEXTBOOK, BOX2D3, CLOSEST_POINT, PEERS };

static size_t pairs_for(size_t corners) {
  return CORNERS / corners < PAIRS ? CORNERS / corners : PAIRS;
}

static bool takes_part(size_t peer, const bench_Scene *scene) {
  if (peer == CLOSEST_POINT) return scene->b[0].count > 0; /* it knows polygons only */
  return scene->vertices <= peers[peer]->most_vertices;
}

/* ---------------------------------------------------------------- do they agree? */

static double turned_depth(const bench_Scene *scene, size_t i, double turn) {
  if (turn == 0) return scene->depth[i];
  bench_Polygon *a = &scene->a[i], *b = &scene->b[i];
  bench_polygon_place(a, a->angle + turn);
  bench_polygon_place(b, b->angle + turn);
  double depth = textbook_depth(a, b);
  bench_polygon_place(a, a->angle);
  bench_polygon_place(b, b->angle);
  return depth;
}

/* A peer's answers that differ: the wrong ones, and those that its skin accounts for. */
typedef struct Faults {
  size_t asked, within_skin, wrong;
  double worst; /* how far a depth is off, relative to it where it is above 1 */
} Faults;

static void judge(Faults *faults, bool answer, double depth, const bench_Peer *peer) {
  faults->asked++;
  if (answer == (depth >= 0)) return;
  if (fabs(depth) <= peer->skin + peer->precise) faults->within_skin++;
  else faults->wrong++;
}

/* Both questions at rest, then the vector after a turn. */
static void question(const bench_Peer *peer, const bench_Scene *scene, Faults *faults) {
  void *state = peer->open(scene);
  for (size_t i = 0; i < scene->count; i++) {
    judge(faults, peer->meets(state, i), scene->depth[i], peer);
    for (int k = 0; k < 2; k++) {
      double depth = turned_depth(scene, i, k * BENCH_TURN);
      double answer = peer->depth(state, i, k * BENCH_TURN);
      judge(faults, answer >= 0, depth, peer);
      if (answer >= 0 && depth >= 0)
        faults->worst = fmax(faults->worst, fabs(answer - depth) / fmax(1, depth));
    }
  }
  peer->close(state);
}

static void question_about(bench_Class kind, bench_Mix mix, size_t pairs, Faults faults[PEERS]) {
  bench_Scene *scene = bench_scene_create(kind, mix, pairs);
  for (size_t peer = SAT; peer < CLOSEST_POINT; peer++)
    if (takes_part(peer, scene)) question(peers[peer], scene, &faults[peer]);
  bench_scene_destroy(scene);
}

static bench_Class corners_class(size_t corners, bool regular) {
  return (bench_Class){"n-gon", corners, false, regular};
}

/* Whether nothing but a peer's skin and precision tells its answers from what is true. The
 * closest-point algorithm errs by design and has a table of its own. */
static bool agree(void) {
  Faults faults[PEERS] = {{0}};
  bool good = true;
  for (size_t k = 0; k < CLASSES; k++)
    for (bench_Mix mix = BENCH_HITS; mix <= BENCH_MISSES; mix++)
      question_about(classes[k], mix, PAIRS, faults);
  for (size_t k = 0; k < REGULARS; k++)
    question_about(corners_class(regular_corners[k], true), BENCH_HITS,
                   pairs_for(regular_corners[k]) / 4, faults);
  for (size_t k = 0; k < IRREGULARS; k++)
    question_about(corners_class(irregular_corners[k], false), BENCH_HITS,
                   pairs_for(irregular_corners[k]) / 4, faults);
  for (size_t i = SAT; i < CLOSEST_POINT; i++) {
    if (!faults[i].asked) continue;
    printf(
        "%-9s %zu answers, %zu wrong beside %zu within its skin of %g; depths off by up to %.1e\n",
        peers[i]->name, faults[i].asked, faults[i].wrong, faults[i].within_skin, peers[i]->skin,
        faults[i].worst);
    good = good && faults[i].wrong == 0 && faults[i].worst <= peers[i]->precise &&
           (peers[i]->skin > 0 || faults[i].within_skin == 0);
  }
  return good;
}

/* ---------------------------------------------------------------- the tables */

/* A column: a peer, or another way of one. */
typedef struct Column {
  size_t peer;
  bench_Pass *pass;
  const char *name;
} Column;

/* A row of a table, which has its heading before the first one. */
static void measure(bench_Row row, bench_Class kind, bench_Mix mix, size_t pairs, size_t answers,
                    const Column *columns, size_t count, FILE *csv) {
  bench_Scene *scene = bench_scene_create(kind, mix, pairs);
  bench_Contestant *list = bench_allocate(count, sizeof *list);
  for (size_t i = 0; i < count; i++) {
    const bench_Peer *peer = peers[columns[i].peer];
    list[i].name = columns[i].name ? columns[i].name : peer->name;
    if (!columns[i].pass || !takes_part(columns[i].peer, scene)) continue;
    list[i].pass = columns[i].pass;
    list[i].state = peer->open(scene);
  }
  static const char *section;
  if (section != row.section) bench_write_heading(row.section, list, count);
  section = row.section;
  bench_race(list, count, 0, answers * scene->count);
  row.n = kind.vertices;
  row.mix = bench_mix_name(mix);
  row.unit = 1;
  bench_write_row(row, list, count, csv);
  for (size_t i = 0; i < count; i++)
    if (list[i].state) peers[columns[i].peer]->close(list[i].state);
  free(list);
  bench_scene_destroy(scene);
}

static void measure_classes(const char *section, bench_Mix first, size_t pairs, size_t answers,
                            const Column *columns, size_t count, FILE *csv) {
  for (size_t k = 0; k < CLASSES; k++)
    for (int mix = (int)first; mix >= (pairs < PAIRS ? (int)first : 0); mix--)
      measure((bench_Row){.section = section, .kind = classes[k].name}, classes[k], (bench_Mix)mix,
              pairs, answers, columns, count, csv);
}

static void measure_corners(const char *section, const size_t *corners, size_t count, bool regular,
                            FILE *csv) {
  const Column columns[] = {{SAT, bench_sat.collide, NULL},
                            {TEXTBOOK, bench_textbook.collide, NULL},
                            {BOX2D3, bench_box2d3.collide, NULL}};
  for (size_t k = 0; k < count; k++) {
    char name[32];
    snprintf(name, sizeof name, "%zu-gon", corners[k]);
    measure((bench_Row){.section = section, .kind = name}, corners_class(corners[k], regular),
            BENCH_HITS, pairs_for(corners[k]), 1, columns, 3, csv);
  }
}

static void measure_all(FILE *csv) {
  const Column collide[] = {{SAT, bench_sat.collide, NULL},
                            {TEXTBOOK, bench_textbook.collide, NULL},
                            {BOX2D3, bench_box2d3.collide, NULL},
                            {SAT, bench_sat_contacts, "sat contacts"}};
  const Column turn[] = {{SAT, bench_sat.turn, NULL},
                         {TEXTBOOK, bench_textbook.turn, NULL},
                         {BOX2D3, bench_box2d3.turn, NULL}};
  const Column overlaps[] = {{SAT, bench_sat.overlaps, NULL},
                             {TEXTBOOK, bench_textbook.overlaps, NULL},
                             {BOX2D3, bench_box2d3.overlaps, "b2ShapeDistance"},
                             {BOX2D3, bench_box2d3.collide, "b2Collide"},
                             {CLOSEST_POINT, bench_closest_point.overlaps, NULL}};
  puts("ns a pair, times ours");
  measure_classes("the vector, at rest", BENCH_HALF, PAIRS, 1, collide, 4, csv);
  measure_classes("the vector, after both have turned", BENCH_HALF, PAIRS, 2, turn, 3, csv);
  measure_classes("yes or no", BENCH_MISSES, PAIRS, 1, overlaps, 5, csv);
  /* Few stay in the caches: a box of ours takes 496 bytes, what the textbook reads of it 120. */
  measure_classes("yes or no of few pairs", BENCH_MISSES, FEW_PAIRS, 1, overlaps, 2, csv);
  measure_corners("the vector of regular n-gons", regular_corners, REGULARS, true, csv);
  measure_corners("the vector of irregular n-gons", irregular_corners, IRREGULARS, false, csv);
}

/* ---------------------------------------------------------------- how often the closest points err */

static const char *const readings[] = {"farthest along the line", "formula (5) to the letter",
                                       "section 4: crossed edges"};

static double percent(size_t part, size_t all) {
  return all ? 100.0 * (double)part / (double)all : 0;
}

/* The article's figure 6 has three situations: apart, the line of the centres shows it (a); apart,
 * it does not (b); and polygons that meet. */
static void write_errors(bench_Class kind, closest_Reading reading) {
  size_t asked[3] = {0, 0, 0}, wrong[3] = {0, 0, 0};
  for (bench_Mix mix = BENCH_HITS; mix <= BENCH_MISSES; mix = (bench_Mix)(mix + BENCH_MISSES)) {
    bench_Scene *scene = bench_scene_create(kind, mix, PAIRS);
    for (size_t i = 0; i < scene->count; i++) {
      const bench_Polygon *a = &scene->a[i], *b = &scene->b[i];
      size_t situation = mix == BENCH_HITS ? 2 : closest_line_parts(a, b) ? 0 : 1;
      asked[situation]++;
      wrong[situation] += closest_point_sat(a, b, reading) != (mix == BENCH_HITS);
    }
    bench_scene_destroy(scene);
  }
  printf("%-16s %-26s %11.2f %% %8.2f %% of %4zu %8.2f %% of %4zu %8.2f %%\n", kind.name,
         readings[reading], percent(wrong[0] + wrong[1], asked[0] + asked[1]),
         percent(wrong[0], asked[0]), asked[0], percent(wrong[1], asked[1]), asked[1],
         percent(wrong[2], asked[2]));
}

/* The article's figures, as far as its words describe them. */
typedef struct Figure {
  const char *name;
  bool meet;
  size_t counts[2];
  sat_Vec2 points[2][6];
} Figure;

static const Figure figures[] = {
    {"2: an axis parts them",
     false,
     {4, 3},
     {{{0, 0}, {4, 0}, {4, 3}, {0, 3}}, {{6, 1}, {9, 0}, {8, 4}}}},
    {"4: a corner points at the other",
     false,
     {5, 4},
     {{{0, 0}, {4, -1}, {6, 2}, {3, 5}, {0, 4}}, {{7, 2}, {10, 0}, {12, 3}, {9, 5}}}},
    {"6 (a): the centres' line parts them",
     false,
     {4, 5},
     {{{0, 0}, {3, 0}, {3, 3}, {0, 3}}, {{5, 2}, {7, 1}, {9, 2}, {8, 5}, {6, 5}}}},
    {"6 (b): it does not, an edge does",
     false,
     {4, 3},
     {{{0, 0}, {10, 0}, {10, 2}, {0, 2}}, {{8, 2.5}, {12, 6}, {7, 6}}}},
    {"6 (b), but the edge is farther away",
     false,
     {4, 4},
     {{{0, -4}, {2, -2}, {0, 4}, {-1, 0}}, {{5, 1}, {5, 2}, {-2, 8}, {1, 3}}}},
    {"they meet", true, {4, 3}, {{{0, 0}, {4, 0}, {4, 3}, {0, 3}}, {{3, 1}, {8, 0}, {7, 4}}}}};

static void write_figure(const Figure *figure) {
  bench_Polygon shapes[2];
  sat_Vec2 points[2][6];
  for (size_t s = 0; s < 2; s++) {
    for (size_t i = 0; i < figure->counts[s]; i++) points[s][i] = figure->points[s][i];
    bench_Polygon shape = {
        figure->counts[s], 0, sat_ring_centroid(points[s], figure->counts[s]), 0, NULL, points[s]};
    shapes[s] = shape;
  }
  if (textbook_overlaps(&shapes[0], &shapes[1]) != figure->meet)
    printf("the figure is drawn wrong: ");
  printf("%-38s", figure->name);
  for (closest_Reading reading = CLOSEST_FARTHEST; reading <= CLOSEST_CROSSED;
       reading = (closest_Reading)(reading + 1))
    printf(" %-8s",
           closest_point_sat(&shapes[0], &shapes[1], reading) == figure->meet ? "right" : "wrong");
  printf("\n");
}

static void measure_errors(void) {
  printf("\nHow often the closest-point algorithm is wrong, by three readings of its article\n"
         "%-16s %-26s %13s %18s %18s %10s\n",
         "shape", "which points are closest", "near misses", "figure 6 (a)", "figure 6 (b)",
         "hits");
  for (size_t k = 0; k < CLASSES && !classes[k].against_circle; k++)
    for (int reading = CLOSEST_FARTHEST; reading <= CLOSEST_CROSSED; reading++)
      write_errors(classes[k], (closest_Reading)reading);
  printf("\n%-38s farthest formula  crossed\n", "its figures");
  for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) write_figure(&figures[i]);
}

/* ---------------------------------------------------------------- main */

int main(int count, char **arguments) {
  printf("compiler %s\nDo they agree? %d pairs of each shape and mix, at rest and turned\n",
         __VERSION__, PAIRS);
  if (!agree()) {
    puts("Some answers nothing accounts for: no times.");
    return 1;
  }
  FILE *csv = bench_open_times(count, arguments);
  measure_all(csv);
  measure_errors();
  fclose(csv);
  return 0;
}
