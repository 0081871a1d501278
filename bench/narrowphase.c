/* narrowphase.c: two convex shapes, each question beside its peers.
 *
 *   narrowphase        all rows, and how often the closest-point algorithm errs
 *   narrowphase WORD   the rows whose section or name has that word; `closest points` are the errors
 *
 * Before a row is timed every peer answers every pair, and its answers are compared with ours. */
#include "pairs.h"

#include <stdlib.h>
#include <string.h>

/* Of many-cornered shapes so many pairs as have this many corners together: the same share of the
 * caches. */
enum { PAIRS = 1024, CORNERS = 16384, PAIRS_THAT_ERR = 4096 };

/* The first is ours. */
static const bench_Peer *const peers[] = {&bench_sat, &bench_plain, &bench_textbook, &bench_box2d3,
                                          &bench_cute_c2};
enum { SAT, PLAIN, TEXTBOOK, BOX2D3, PEERS = sizeof peers / sizeof *peers };

typedef struct Row {
  const char *name;
  bench_Class class;
  bench_Question question;
  double goal; /* in times of the plain kernel */
} Row;

/* The numbers of vertices, or 0, and the goals. */
#define POLYGONS(name, n, mix, question, goal)                                                     \
  { name, {BENCH_POLYGON, BENCH_POLYGON, n, BENCH_##mix}, BENCH_##question, goal }
#define PAIR(name, a, b, mix, question, goal)                                                      \
  { name, {BENCH_##a, BENCH_##b, 0, BENCH_##mix}, BENCH_##question, goal }
#define RAY(name, b, n, goal)                                                                      \
  { name, {BENCH_POINT, BENCH_##b, n, BENCH_APART}, BENCH_RAY, goal }

static const Row plain_pairs[] = {
    PAIR("circles", CIRCLE, CIRCLE, HITS, COLLIDE, 2),
    PAIR("circles", CIRCLE, CIRCLE, HALF, COLLIDE, 4.5),
    PAIR("circles: overlaps", CIRCLE, CIRCLE, HALF, OVERLAPS, 3),
    PAIR("circles: contacts", CIRCLE, CIRCLE, HITS, CONTACTS, 2.4),
    PAIR("capsule and circle", CAPSULE, CIRCLE, HITS, COLLIDE, 3.3),
    PAIR("capsule and circle", CAPSULE, CIRCLE, HALF, COLLIDE, 0),
    PAIR("capsules", CAPSULE, CAPSULE, HITS, COLLIDE, 3.4),
    PAIR("capsules", CAPSULE, CAPSULE, HALF, COLLIDE, 0),
    PAIR("upright boxes", UPRIGHT, UPRIGHT, HITS, COLLIDE, 3.4),
    PAIR("upright boxes", UPRIGHT, UPRIGHT, HALF, COLLIDE, 3.4),
    PAIR("upright boxes: overlaps", UPRIGHT, UPRIGHT, HALF, OVERLAPS, 3),
    PAIR("upright boxes: contacts", UPRIGHT, UPRIGHT, HITS, CONTACTS, 3.7),
    PAIR("box and circle", UPRIGHT, CIRCLE, HITS, COLLIDE, 0.7),
    PAIR("box and circle", UPRIGHT, CIRCLE, HALF, COLLIDE, 0.7),
    PAIR("box and circle: overlaps", UPRIGHT, CIRCLE, HALF, OVERLAPS, 0.95),
    PAIR("side by side", UPRIGHT, UPRIGHT, SIDES, COLLIDE, 4.8),
    PAIR("side by side: overlaps", UPRIGHT, UPRIGHT, SIDES, OVERLAPS, 6),
    PAIR("side by side: contacts", UPRIGHT, UPRIGHT, SIDES, CONTACTS, 4.8),
    PAIR("side by side: distance", UPRIGHT, UPRIGHT, SIDES, DISTANCE, 1.2),
    PAIR("corner to corner", UPRIGHT, UPRIGHT, CORNERS, COLLIDE, 9.5),
    PAIR("corner: overlaps", UPRIGHT, UPRIGHT, CORNERS, OVERLAPS, 7),
    PAIR("circle beside a box", UPRIGHT, CIRCLE, SIDES, COLLIDE, 2.6),
    PAIR("circle beside a circle", CIRCLE, CIRCLE, SIDES, COLLIDE, 2)};

static const Row at_rest[] = {
    POLYGONS("triangles", 3, HITS, COLLIDE, 0.67),
    POLYGONS("triangles", 3, HALF, COLLIDE, 0),
    POLYGONS("boxes", 4, HITS, COLLIDE, 0.53),
    POLYGONS("boxes", 4, HALF, COLLIDE, 0.72),
    POLYGONS("hexagons", 6, HITS, COLLIDE, 0.56),
    POLYGONS("hexagons", 6, HALF, COLLIDE, 0),
    POLYGONS("octagons", 8, HITS, COLLIDE, 0.41),
    POLYGONS("octagons", 8, HALF, COLLIDE, 0.32),
    {"octagon and circle", {BENCH_POLYGON, BENCH_CIRCLE, 8, BENCH_HITS}, BENCH_COLLIDE, 0},
    {"octagon and circle", {BENCH_POLYGON, BENCH_CIRCLE, 8, BENCH_HALF}, BENCH_COLLIDE, 0},
    POLYGONS("boxes: contacts", 4, HITS, CONTACTS, 1.4),
    POLYGONS("hexagons: contacts", 6, HITS, CONTACTS, 1),
    POLYGONS("octagons: contacts", 8, HITS, CONTACTS, 0)};

static const Row turned[] = {
    POLYGONS("triangles", 3, HITS, TURNED, 0),
    POLYGONS("boxes", 4, HITS, TURNED, 0),
    POLYGONS("hexagons", 6, HITS, TURNED, 0),
    POLYGONS("octagons", 8, HITS, TURNED, 0),
    {"octagon and circle", {BENCH_POLYGON, BENCH_CIRCLE, 8, BENCH_HITS}, BENCH_TURNED, 0}};

static const Row yes_or_no[] = {
    POLYGONS("triangles", 3, HALF, OVERLAPS, 0),
    POLYGONS("triangles", 3, MISSES, OVERLAPS, 0),
    POLYGONS("boxes", 4, HALF, OVERLAPS, 1.25),
    POLYGONS("boxes", 4, MISSES, OVERLAPS, 0),
    POLYGONS("hexagons", 6, HALF, OVERLAPS, 0),
    POLYGONS("hexagons", 6, MISSES, OVERLAPS, 0),
    POLYGONS("octagons", 8, HALF, OVERLAPS, 0.42),
    POLYGONS("octagons", 8, MISSES, OVERLAPS, 0),
    {"octagon and circle", {BENCH_POLYGON, BENCH_CIRCLE, 8, BENCH_HALF}, BENCH_OVERLAPS, 0}};

static const Row rays[] = {RAY("circle", CIRCLE, 0, 5.4),   RAY("capsule", CAPSULE, 0, 2.8),
                           RAY("segment", SEGMENT, 0, 8),   RAY("upright box", UPRIGHT, 0, 8),
                           RAY("box", POLYGON, 4, 4.4),     RAY("triangle", POLYGON, 3, 5),
                           RAY("hexagon", POLYGON, 6, 3.9), RAY("octagon", POLYGON, 8, 3.4)};

static const Row distances[] = {PAIR("circles", CIRCLE, CIRCLE, APART, DISTANCE, 9.8),
                                PAIR("capsules", CAPSULE, CAPSULE, APART, DISTANCE, 7.8),
                                PAIR("upright boxes", UPRIGHT, UPRIGHT, APART, DISTANCE, 0.75),
                                PAIR("box and circle", UPRIGHT, CIRCLE, APART, DISTANCE, 10.4),
                                POLYGONS("boxes", 4, APART, DISTANCE, 1.9),
                                POLYGONS("hexagons", 6, APART, DISTANCE, 1.45),
                                POLYGONS("octagons", 8, APART, DISTANCE, 1.15)};

static const Row casts[] = {PAIR("circles", CIRCLE, CIRCLE, APART, CAST, 6.9),
                            PAIR("upright boxes", UPRIGHT, UPRIGHT, APART, CAST, 4.2),
                            POLYGONS("boxes", 4, APART, CAST, 2.9),
                            POLYGONS("hexagons", 6, APART, CAST, 1.55),
                            POLYGONS("octagons", 8, APART, CAST, 1.05),
                            POLYGONS("equal boxes", 4, ALIKE, CAST, 0),
                            POLYGONS("equal hexagons", 6, ALIKE, CAST, 0)};

/* Shapes of many vertices: ellipses and the like are regular, more or less; what was drawn by hand
 * is not. */
static const size_t regular_corners[] = {3,  4,  6,  8,   12,  16,  24,  32,
                                         48, 64, 96, 128, 256, 512, 1024};
static const size_t irregular_corners[] = {8, 16, 32, 64, 256, 1024};

/* ---------------------------------------------------------------- do they agree? */

/* Depths, and less than 0: how far the shapes of a pair are apart; or fractions of motions. */
static void find_truth(void *ours, bench_Question question, bench_Class class, size_t count,
                       double *truth) {
  double *gaps = bench_allocate(count, sizeof *gaps);
  bool overlap = question <= BENCH_CONTACTS;
  bench_ask_of(&bench_sat, class, overlap ? BENCH_COLLIDE : question)(ours, truth);
  if (overlap) bench_ask_of(&bench_sat, class, BENCH_DISTANCE)(ours, gaps);
  for (size_t i = 0; i < count; i++)
    if (overlap && truth[i] < 0) truth[i] = -gaps[i];
}

/* Of crossing capsules the textbooks' depth ends at the radii. */
static bool agrees(const bench_Peer *peer, const Row *row, double truth, double answer) {
  bool yes = answer >= 0,
       crossing = row->class.b == BENCH_CAPSULE && row->question == BENCH_COLLIDE;
  if (yes != (truth >= 0)) {
    return fmin(fabs(truth), fabs(answer)) <= peer->skin + peer->precise;
  }
  if (!yes || crossing || row->question == BENCH_OVERLAPS) return true;
  return fabs(answer - truth) <= peer->precise * fmax(1, truth);
}

static size_t count_faults(const bench_Peer *peer, const Row *row, void *state, void *ours,
                           size_t count, double *worst) {
  double *truth = bench_allocate(2 * count, sizeof *truth), *answers = truth + count;
  size_t faults = 0;
  *worst = 0;
  find_truth(ours, row->question, row->class, count, truth);
  bench_ask_of(peer, row->class, row->question)(state, answers);
  for (size_t i = 0; i < count; i++) {
    faults += !agrees(peer, row, truth[i], answers[i]);
    if (truth[i] >= 0 && answers[i] >= 0 && row->question != BENCH_OVERLAPS)
      *worst = fmax(*worst, fabs(answers[i] - truth[i]));
  }
  return faults;
}

/* ---------------------------------------------------------------- the tables */

typedef struct Side {
  bench_Ask *ask;
  void *state;
  double *answers;
  size_t count;
} Side;

static bench_Sum run(void *opened) {
  Side *side = opened;
  bench_Sum sum = {0};
  side->ask(side->state, side->answers);
  return sum;
}

static void sum_up(bench_Contestant *one, const Side *side) {
  one->sum = (bench_Sum){0};
  for (size_t i = 0; i < side->count; i++) {
    if (side->answers[i] < 0) continue;
    one->sum.hits++;
    one->sum.depths += side->answers[i];
  }
}

static bool takes_part(const bench_Peer *peer, const Row *row) {
  return !peer->missing && row->class.vertices <= peer->most_vertices &&
         bench_ask_of(peer, row->class, row->question);
}

/* Writes the goal behind a row, and the peers that err beyond their precision; an error of doubles
 * ends the program. */
static void write_note(const Row *row, const bench_Contestant *list, const Side *sides, char *note,
                       size_t size) {
  size_t used = 0;
  double ratio = list[SAT].ns / list[PLAIN].ns, worst;
  *note = 0;
  if (row->goal > 0)
    used += (size_t)snprintf(note, size, "   %.2f of plain, goal %g%s", ratio, row->goal,
                             ratio > row->goal ? " *" : "");
  for (size_t i = PLAIN; i < PEERS; i++) {
    if (!sides[i].ask) continue;
    size_t faults =
        count_faults(peers[i], row, sides[i].state, sides[SAT].state, sides[i].count, &worst);
    if (faults == 0) continue;
    used += (size_t)snprintf(note + used, size - used, "   %s differs in %zu of %zu, by up to %.2g",
                             peers[i]->name, faults, sides[i].count, worst);
    if (i >= BOX2D3) continue;
    fprintf(stderr, "%s%s\n", row->name, note);
    exit(1);
  }
}

static void measure(const char *section, const Row *row, FILE *csv) {
  static const char *const mixes[] = {"hits",    "half",  "misses", "touch",
                                      "corners", "apart", "alike"};
  size_t mark = bench_mark(), n = row->class.vertices;
  size_t pairs = n * PAIRS > CORNERS ? CORNERS / n : PAIRS;
  bench_Scene *scene = bench_scene_create(row->class, pairs);
  bench_Contestant list[PEERS] = {{0}};
  Side sides[PEERS] = {{0}};
  for (size_t i = 0; i < PEERS; i++) {
    list[i].name = peers[i]->name;
    if (!takes_part(peers[i], row)) continue;
    sides[i] = (Side){bench_ask_of(peers[i], row->class, row->question), peers[i]->open(scene),
                      bench_allocate(pairs, sizeof(double)), pairs};
    list[i].pass = run;
    list[i].state = &sides[i];
  }
  static const char *last;
  if (last != section) bench_write_heading(section, list, PEERS);
  last = section;
  bench_race(list, PEERS, 0, (row->question == BENCH_TURNED ? 2 : 1) * pairs);
  for (size_t i = 0; i < PEERS; i++)
    if (sides[i].ask) sum_up(&list[i], &sides[i]);
  char note[512];
  write_note(row, list, sides, note, sizeof note);
  bench_write_row((bench_Row){section, row->name, mixes[row->class.mix], n, 1, note}, list, PEERS,
                  csv);
  bench_release(mark);
}

static void measure_corners(const char *section, const char *word, bench_Kind kind,
                            const size_t *corners, size_t count, FILE *csv) {
  for (size_t i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "%zu-gons", corners[i]);
    Row row = {name, {kind, kind, corners[i], BENCH_HITS}, BENCH_COLLIDE, 0};
    if (strstr(section, word)) measure(section, &row, csv);
  }
}

#define TABLE(rows) rows, sizeof rows / sizeof *rows
static void measure_all(const char *word, FILE *csv) {
  static const struct {
    const char *section;
    const Row *rows;
    size_t count;
  } tables[] = {{"plain pairs", TABLE(plain_pairs)},
                {"the vector, at rest", TABLE(at_rest)},
                {"the vector, after both have turned", TABLE(turned)},
                {"yes or no", TABLE(yes_or_no)},
                {"rays", TABLE(rays)},
                {"distances", TABLE(distances)},
                {"casts", TABLE(casts)}};
  for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
    for (size_t i = 0; i < tables[k].count; i++)
      if (strstr(tables[k].section, word) || strstr(tables[k].rows[i].name, word))
        measure(tables[k].section, &tables[k].rows[i], csv);
  measure_corners("the vector of regular n-gons", word, BENCH_REGULAR, TABLE(regular_corners), csv);
  measure_corners("the vector of irregular n-gons", word, BENCH_POLYGON, TABLE(irregular_corners),
                  csv);
}

/* ---------------------------------------------------------------- how often the closest points err */

/* Among pairs that just miss each other, or among pairs that meet. */
static double percent_wrong(size_t vertices, closest_Reading reading, bool meet) {
  size_t mark = bench_mark(), wrong = 0;
  bench_Class class = {BENCH_POLYGON, BENCH_POLYGON, vertices, meet ? BENCH_HITS : BENCH_MISSES};
  bench_Scene *scene = bench_scene_create(class, PAIRS_THAT_ERR);
  for (size_t i = 0; i < scene->count; i++)
    wrong += closest_point_sat(&scene->a[i], &scene->b[i], reading) != meet;
  bench_release(mark);
  return 100.0 * (double)wrong / PAIRS_THAT_ERR;
}

static void measure_errors(void) {
  static const char *const readings[] = {"farthest along the line", "formula (5) to the letter",
                                         "section 4: crossed edges"};
  static const size_t corners[] = {3, 4, 6, 8};
  printf("\nHow often the closest-point algorithm is wrong, by three readings of its article\n"
         "%-10s %-26s %13s %10s\n",
         "shape", "which points are closest", "near misses", "hits");
  for (size_t k = 0; k < sizeof corners / sizeof *corners; k++)
    for (int i = CLOSEST_FARTHEST; i <= CLOSEST_CROSSED; i++)
      printf("%zu-gons    %-26s %11.2f %% %8.2f %%\n", corners[k], readings[i],
             percent_wrong(corners[k], (closest_Reading)i, false),
             percent_wrong(corners[k], (closest_Reading)i, true));
}

/* ---------------------------------------------------------------- main */

int main(int count, char **arguments) {
  FILE *csv = bench_open_times(1, arguments);
  printf("compiler %s; ns a pair, and how many times ours\n", __VERSION__);
  for (size_t i = 0; i < PEERS; i++)
    if (peers[i]->missing)
      printf("%s is missing: %s=folder names it\n", peers[i]->name, peers[i]->missing);
  const char *word = count > 1 ? arguments[1] : "";
  measure_all(word, csv);
  if (strstr("closest points", word)) measure_errors();
  fclose(csv);
  return 0;
}
