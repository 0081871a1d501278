/* narrowphase.c: two convex shapes: do they meet, and how do they part? Ours beside its peers.
 *
 *   narrowphase [times.csv]
 *
 * The times are written to a table, and to that file or one beside the program. Before anything is
 * timed every peer answers every pair, and its answers are compared with what is true. */
#include "closest_point_sat.h"
#include "contest.h"
#include "textbook.h"

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
static const bench_Peer *const peers[] = {&bench_sat,    &bench_textbook, &bench_box2d,
                                          &bench_box2d3, &bench_chipmunk, &bench_closest_point};
enum { SAT, TEXTBOOK, BOX2D, BOX2D3, CHIPMUNK, CLOSEST_POINT, PEERS };

/* ---------------------------------------------------------------- the field */

/* A scene, and what each peer has made of it. */
typedef struct Field {
  bench_Scene *scene;
  void *states[PEERS];
} Field;

static size_t pairs_for(size_t corners) {
  return CORNERS / corners < PAIRS ? CORNERS / corners : PAIRS;
}

static bool takes_part(size_t peer, const bench_Scene *scene) {
  if (peer == CLOSEST_POINT) return scene->b[0].count > 0; /* it knows polygons only */
  return scene->vertices <= peers[peer]->most_vertices;
}

static Field open_field(bench_Class kind, bench_Mix mix, size_t count) {
  Field field = {bench_scene_create(kind, mix, count), {NULL}};
  for (size_t i = 0; i < PEERS; i++)
    if (takes_part(i, field.scene)) field.states[i] = peers[i]->open(field.scene);
  return field;
}

static void close_field(Field *field) {
  for (size_t i = 0; i < PEERS; i++)
    if (field->states[i]) peers[i]->close(field->states[i]);
  bench_scene_destroy(field->scene);
}

static bench_Contestant contestant(const Field *field, size_t peer, bench_Pass *pass) {
  bench_Contestant made = {
      peers[peer]->name, field->states[peer] ? pass : NULL, field->states[peer], {0, 0}, 0};
  return made;
}

/* Another way of the same peer. */
static bench_Contestant another(const Field *field, size_t peer, const char *name,
                                bench_Pass *pass) {
  bench_Contestant made = contestant(field, peer, pass);
  made.name = name;
  return made;
}

/* ---------------------------------------------------------------- do they agree? */

/* What is wrong with a peer's answers. */
typedef struct Faults {
  size_t asked, within_skin, wrong, depths, unlike, unsure;
  double worst;
} Faults;

/* A depth below 0 is a gap. Those that its skin accounts for are told apart from the rest. */
static void judge(Faults *faults, bool answer, double depth, const bench_Peer *peer) {
  faults->asked++;
  if (answer == (depth >= 0)) return;
  if (fabs(depth) <= peer->skin + peer->precise) faults->within_skin++;
  else faults->wrong++;
}

static void judge_depth(Faults *faults, double answer, double depth, size_t vertices,
                        const bench_Peer *peer) {
  if (answer < 0 || depth < 0) return;
  double off = fabs(answer - depth);
  bool unlike = off > peer->precise * fmax(1, depth), unsure = vertices > peer->sure;
  faults->depths++;
  faults->unlike += unlike && !unsure;
  faults->unsure += unlike && unsure;
  if (!unsure) faults->worst = fmax(faults->worst, off);
}

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

/* Both questions at rest, then the vector after a turn. */
static void question(const Field *field, size_t peer, Faults *faults) {
  const bench_Scene *scene = field->scene;
  void *state = peers[peer]->open(scene);
  for (size_t i = 0; i < scene->count; i++) {
    judge(faults, peers[peer]->meets(state, i), scene->depth[i], peers[peer]);
    for (int k = 0; peers[peer]->depth && k < 2; k++) {
      double depth = turned_depth(scene, i, k * BENCH_TURN),
             answer = peers[peer]->depth(state, i, k * BENCH_TURN);
      judge(faults, answer >= 0, depth, peers[peer]);
      judge_depth(faults, answer, depth, scene->vertices, peers[peer]);
    }
  }
  peers[peer]->close(state);
}

/* Returns how many answers nothing accounts for. The closest-point algorithm errs by design and has
 * a table of its own. */
static size_t write_faults(const bench_Peer *peer, const Faults *faults) {
  printf("%-9s %zu answers, %zu wrong", peer->name, faults->asked, faults->wrong);
  if (peer->skin > 0)
    printf(" beside %zu with a gap within its skin of %g", faults->within_skin, peer->skin);
  printf("; %zu depths, %zu off by more than %g, at worst %.1e", faults->depths, faults->unlike,
         peer->precise, faults->worst);
  if (faults->unsure)
    printf(", beside %zu of more than %zu vertices, where it gives up", faults->unsure, peer->sure);
  printf("\n");
  return faults->wrong + faults->unlike + (peer->skin > 0 ? 0 : faults->within_skin);
}

static void question_about(bench_Class kind, bench_Mix mix, size_t pairs, Faults faults[PEERS]) {
  Field field = {bench_scene_create(kind, mix, pairs), {NULL}};
  for (size_t peer = 0; peer < CLOSEST_POINT; peer++)
    if (takes_part(peer, field.scene)) question(&field, peer, &faults[peer]);
  bench_scene_destroy(field.scene);
}

static bench_Class corners_class(size_t corners, bool regular) {
  bench_Class kind = {"n-gon", corners, false, regular};
  return kind;
}

/* Of many-cornered shapes a few pairs will do. */
static size_t compare_answers(void) {
  Faults faults[PEERS] = {{0, 0, 0, 0, 0, 0, 0}};
  size_t unexplained = 0;
  printf("Do they agree? %d pairs of each shape and mix, at rest and turned\n", PAIRS);
  for (size_t k = 0; k < CLASSES; k++)
    for (bench_Mix mix = BENCH_HITS; mix <= BENCH_MISSES; mix++)
      question_about(classes[k], mix, PAIRS, faults);
  for (size_t k = 0; k < REGULARS; k++)
    question_about(corners_class(regular_corners[k], true), BENCH_HITS,
                   pairs_for(regular_corners[k]) / 4, faults);
  for (size_t k = 0; k < IRREGULARS; k++)
    question_about(corners_class(irregular_corners[k], false), BENCH_HITS,
                   pairs_for(irregular_corners[k]) / 4, faults);
  for (size_t peer = 0; peer < CLOSEST_POINT; peer++)
    if (faults[peer].asked) unexplained += write_faults(peers[peer], &faults[peer]);
  return unexplained;
}

/* ---------------------------------------------------------------- the tables */

static void measure_collide(bool turning, FILE *csv) {
  for (size_t k = 0; k < CLASSES; k++) {
    for (int mix = BENCH_HALF; mix >= BENCH_HITS; mix--) {
      Field field = open_field(classes[k], (bench_Mix)mix, PAIRS);
      bench_Contestant row[PEERS];
      size_t count = 0;
      for (size_t i = SAT; i <= CHIPMUNK; i++)
        row[count++] = contestant(&field, i, turning ? peers[i]->turn : peers[i]->collide);
      if (!turning) row[count++] = another(&field, SAT, "sat contacts", bench_sat_contacts);
      if (k == 0 && mix == BENCH_HALF)
        bench_write_heading(
            turning ? "Minimum translation vector, both shapes turn before: ns a pair, times ours"
                    : "Minimum translation vector, shapes at rest: ns a pair, times ours",
            row, count);
      bench_contest(row, count, (turning ? 2 : 1) * field.scene->count);
      bench_Row about = {turning ? "turning" : "collide", classes[k].name,
                         bench_mix_name((bench_Mix)mix), classes[k].vertices};
      bench_write_row(about, row, count, csv);
      close_field(&field);
    }
  }
}

static void measure_overlaps(FILE *csv) {
  for (size_t k = 0; k < CLASSES; k++) {
    for (int mix = BENCH_MISSES; mix >= BENCH_HITS; mix--) {
      Field field = open_field(classes[k], (bench_Mix)mix, PAIRS);
      bench_Contestant row[] = {contestant(&field, SAT, bench_sat.overlaps),
                                contestant(&field, TEXTBOOK, bench_textbook.overlaps),
                                another(&field, BOX2D, "b2TestOverlap", bench_box2d.overlaps),
                                another(&field, BOX2D, "b2Collide", bench_box2d.collide),
                                another(&field, BOX2D3, "b2ShapeDistance", bench_box2d3.overlaps),
                                contestant(&field, CHIPMUNK, bench_chipmunk.overlaps),
                                contestant(&field, CLOSEST_POINT, bench_closest_point.overlaps)};
      size_t count = sizeof row / sizeof row[0];
      if (k == 0 && mix == BENCH_MISSES)
        bench_write_heading("Yes or no, shapes at rest: ns a pair, times ours", row, count);
      bench_contest(row, count, field.scene->count);
      bench_Row about = {"overlaps", classes[k].name, bench_mix_name((bench_Mix)mix),
                         classes[k].vertices};
      bench_write_row(about, row, count, csv);
      close_field(&field);
    }
  }
}

/* Near misses of few pairs, whose shapes stay in the caches: a box of ours takes 496 bytes, the
 * polygon that the textbook reads 120. */
static void measure_few_misses(FILE *csv) {
  for (size_t k = 0; k < CLASSES; k++) {
    Field field = open_field(classes[k], BENCH_MISSES, FEW_PAIRS);
    bench_Contestant row[] = {contestant(&field, SAT, bench_sat.overlaps),
                              contestant(&field, TEXTBOOK, bench_textbook.overlaps)};
    if (k == 0) bench_write_heading("Yes or no, few pairs: ns a pair, times ours", row, 2);
    bench_contest(row, 2, field.scene->count);
    bench_Row about = {"overlaps of few", classes[k].name, "misses", classes[k].vertices};
    bench_write_row(about, row, 2, csv);
    close_field(&field);
  }
}

/* Of pairs that are apart: for Box2D and us, since the others have no such question. */
static void measure_apart(bool casting, FILE *csv) {
  for (size_t k = 0; k < CLASSES; k++) {
    Field field = open_field(classes[k], BENCH_MISSES, PAIRS);
    const size_t askers[] = {SAT, BOX2D, BOX2D3};
    bench_Contestant row[3];
    for (size_t i = 0; i < 3; i++) {
      const bench_Peer *peer = peers[askers[i]];
      row[i] = contestant(&field, askers[i], casting ? peer->cast : peer->distance);
    }
    if (k == 0)
      bench_write_heading(casting ? "Cast from centre to centre, ns a pair, times ours"
                                  : "Distance and closest points, ns a pair, times ours",
                          row, 3);
    bench_contest(row, 3, field.scene->count);
    bench_Row about = {casting ? "cast" : "distance", classes[k].name, "misses",
                       classes[k].vertices};
    bench_write_row(about, row, 3, csv);
    close_field(&field);
  }
}

static void measure_corners(const size_t *corners, size_t count, bool regular, FILE *csv) {
  for (size_t k = 0; k < count; k++) {
    char name[32];
    snprintf(name, sizeof name, "%zu-gon", corners[k]);
    Field field = open_field(corners_class(corners[k], regular), BENCH_HITS, pairs_for(corners[k]));
    bench_Contestant row[PEERS];
    for (size_t i = SAT; i <= CHIPMUNK; i++) row[i] = contestant(&field, i, peers[i]->collide);
    if (k == 0)
      bench_write_heading(regular ? "Minimum translation vector of regular n-gons, hits"
                                  : "Minimum translation vector of irregular n-gons, hits",
                          row, CHIPMUNK + 1);
    bench_contest(row, CHIPMUNK + 1, field.scene->count);
    bench_Row about = {regular ? "regular" : "irregular", name, "hits", corners[k]};
    bench_write_row(about, row, CHIPMUNK + 1, csv);
    close_field(&field);
  }
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
  printf("compiler %s\n", __VERSION__);
  if (compare_answers() > 0) {
    puts("Some answers nothing accounts for: no times.");
    return 1;
  }
  FILE *csv = bench_open_csv(count, arguments);
  bench_write_csv_heading(csv);
  measure_collide(false, csv);
  measure_collide(true, csv);
  measure_overlaps(csv);
  measure_few_misses(csv);
  measure_apart(false, csv);
  measure_apart(true, csv);
  measure_corners(regular_corners, REGULARS, true, csv);
  measure_corners(irregular_corners, IRREGULARS, false, csv);
  measure_errors();
  fclose(csv);
  return 0;
}
