/* crowd.c: the layouts of boxes, their motion, and the questions about them. */
#include "crowd.h"

#define PI BENCH_PI

/* Neighbours of an item on the average. */
#define NEIGHBORS 2.5
/* Coordinates below 8192 that are multiples of this are floats. */
#define GRAIN 0x1p-11

const char *bench_layout_name(bench_Layout layout) {
  static const char *const names[] = {"uniform", "clustered", "sizes 1:100"};
  return names[layout];
}

static double grained(double value) { return round(value / GRAIN) * GRAIN; }

/* ---------------------------------------------------------------- layouts */

/* Two boxes that lie anywhere overlap when one lies within the other grown by it: the area for one
 * item to have so many neighbours follows from the mean of that. */
static double area_an_item(bench_Layout layout, double *size) {
  *size = 1;
  if (layout != BENCH_SIZES) return 4 / NEIGHBORS;
  double mean = (10 - 0.1) / log(100), mean_of_squares = (100 - 0.01) / (2 * log(100));
  *size = mean;
  return (2 * mean_of_squares + 2 * mean * mean) / NEIGHBORS;
}

static sat_Rectangle make_box(bench_Layout layout, double x, double y, Random *state) {
  double w = random_real(state, 0.5, 1.5), h = random_real(state, 0.5, 1.5);
  if (layout == BENCH_SIZES) w = h = 0.1 * pow(100, random_real(state, 0, 1));
  w = grained(w);
  h = grained(h);
  return (sat_Rectangle){grained(x - w / 2), grained(y - h / 2), w, h};
}

static double inside(double at, double w, double width) {
  if (at < 0) return 0;
  return at + w > width ? width - w : at;
}

static void scatter(bench_Crowd *crowd, Random *state) {
  for (size_t i = 0; i < crowd->count; i++) {
    sat_Vec2 at = bench_anywhere(state, 0, crowd->width);
    crowd->boxes[i] = make_box(crowd->layout, at.x, at.y, state);
  }
}

/* Box and Muller, A note on the generation of random normal deviates, 1958. */
static sat_Vec2 deviate(Random *state) {
  double radius = sqrt(-2 * log(1 - random_real(state, 0, 1)));
  return bench_polar(radius, random_real(state, 0, 2 * PI));
}

/* Round heaps, each about as dense as the uniform scene where its items are; one may be four times
 * as dense as another. */
static void heap(bench_Crowd *crowd, Random *state) {
  size_t clusters = crowd->count / 1000 < 8 ? 8 : crowd->count / 1000;
  double each = (double)crowd->count / (double)clusters;
  sat_Vec2 *middles = bench_allocate(clusters, sizeof *middles);
  double *spreads = bench_allocate(clusters, sizeof *spreads);
  for (size_t k = 0; k < clusters; k++) {
    sat_Vec2 part = bench_anywhere(state, 0.05, 0.95);
    middles[k] = (sat_Vec2){part.x * crowd->width, part.y * crowd->width};
    spreads[k] = sqrt(each / (PI * NEIGHBORS)) * random_real(state, 0.7, 1.4);
  }
  for (size_t i = 0; i < crowd->count; i++) {
    size_t k = random_bits(state) % clusters;
    sat_Vec2 off = deviate(state);
    double x = middles[k].x + spreads[k] * off.x, y = middles[k].y + spreads[k] * off.y;
    crowd->boxes[i] = make_box(crowd->layout, x, y, state);
  }
}

static void choose_steps(bench_Crowd *crowd, Random *state) {
  for (size_t i = 0; i < crowd->count; i++) {
    double angle = random_real(state, 0, 2 * PI), length = 0.01 * crowd->boxes[i].w;
    crowd->steps[i].x = grained(length * cos(angle));
    crowd->steps[i].y = grained(length * sin(angle));
  }
}

/* ---------------------------------------------------------------- questions */

static sat_Rectangle window_around(const bench_Crowd *crowd, double side, Random *state) {
  const sat_Rectangle *box = &crowd->boxes[random_bits(state) % crowd->count];
  double half = grained(side / 2);
  return (sat_Rectangle){box->x - half, box->y - half, 2 * half, 2 * half};
}

/* Between the edges of the boxes: a ray that only reaches one with its end is a hit for us, and
 * none for Chipmunk. */
static double between_grains(double value) { return grained(value) + GRAIN / 2; }

static sat_Vec2 anywhere(double width, Random *state) {
  sat_Vec2 at = bench_anywhere(state, 0, width);
  return (sat_Vec2){between_grains(at.x), between_grains(at.y)};
}

static void make_questions(bench_Crowd *crowd) {
  Random state = {2};
  crowd->small = bench_allocate(BENCH_QUESTIONS, sizeof *crowd->small);
  crowd->large = bench_allocate(BENCH_LARGE_QUESTIONS, sizeof *crowd->large);
  crowd->rays = bench_allocate(BENCH_QUESTIONS, sizeof *crowd->rays);
  for (size_t i = 0; i < BENCH_LARGE_QUESTIONS; i++)
    crowd->large[i] = window_around(crowd, crowd->width / 10, &state);
  for (size_t i = 0; i < BENCH_QUESTIONS; i++) {
    crowd->small[i] = window_around(crowd, 2 * crowd->size, &state);
    bench_Segment *ray = &crowd->rays[i];
    double angle = random_real(&state, 0, 2 * PI), length = crowd->width / 4;
    ray->from = anywhere(crowd->width, &state);
    ray->to.x = between_grains(ray->from.x + length * cos(angle));
    ray->to.y = between_grains(ray->from.y + length * sin(angle));
  }
}

/* ---------------------------------------------------------------- crowds */

bench_Crowd *bench_crowd_create(bench_Layout layout, size_t count) {
  bench_Crowd *crowd = bench_allocate(1, sizeof *crowd);
  Random state = {1};
  *crowd = (bench_Crowd){.layout = layout, .count = count, .share = 1};
  crowd->boxes = bench_allocate(count, sizeof *crowd->boxes);
  crowd->next = bench_allocate(count, sizeof *crowd->next);
  crowd->steps = bench_allocate(count, sizeof *crowd->steps);
  crowd->moved = bench_allocate(count, sizeof *crowd->moved);
  double area = area_an_item(layout, &crowd->size) * (double)count;
  crowd->width = ceil(sqrt(area) * (layout == BENCH_CLUSTERED ? 4 : 1));
  if (layout == BENCH_CLUSTERED) heap(crowd, &state);
  else scatter(crowd, &state);
  for (size_t i = 0; i < count; i++) {
    sat_Rectangle *box = &crowd->boxes[i];
    box->x = inside(box->x, box->w, crowd->width);
    box->y = inside(box->y, box->h, crowd->width);
  }
  choose_steps(crowd, &state);
  make_questions(crowd);
  return crowd;
}

/* ---------------------------------------------------------------- motion */

static sat_Rectangle step(bench_Crowd *crowd, size_t i) {
  sat_Rectangle box = crowd->boxes[i];
  sat_Vec2 *by = &crowd->steps[i];
  double width = crowd->width;
  if (box.x + by->x < 0 || (box.x + box.w + by->x > width)) by->x = -by->x;
  if (box.y + by->y < 0 || (box.y + box.h + by->y > width)) by->y = -by->y;
  box.x += by->x;
  box.y += by->y;
  return box;
}

void bench_crowd_move(bench_Crowd *crowd) {
  size_t groups = (size_t)round(1 / crowd->share), turn = crowd->frame++ % groups;
  crowd->moved_count = 0;
  for (size_t i = 0; i < crowd->count; i++) {
    if (groups > 1 && ((uint32_t)i * 2654435769u >> 12) % groups != turn) continue;
    crowd->boxes[i] = step(crowd, i);
    crowd->moved[crowd->moved_count++] = (uint32_t)i;
  }
}

void bench_crowd_plan(bench_Crowd *crowd) {
  for (size_t i = 0; i < crowd->count; i++) crowd->next[i] = step(crowd, i);
}
