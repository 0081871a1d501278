/* turn.c: one turn of a circle and of polygons, beside a prototype that does the least there is to
 * do: libm's sine and cosine, and coordinates in arrays of their own that a compiler makes vectors
 * of. The prototype knows no scale, mirror or quarter turn, and no edge that has melted. */
#include "common.h"
#include "sat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PI 3.14159265358979323846

enum { SHAPES = 4096, MOST = 8, ROUNDS = 40 };

typedef struct Prototype {
  double angle, cosine, sine;
  double local_x[MOST], local_y[MOST], x[MOST + 1], y[MOST + 1];
  double normal_x[MOST], normal_y[MOST], offset[MOST], box[4];
} Prototype;

/* The shapes of one kind, made twice. */
typedef struct Crowd {
  size_t vertices, stride;
  unsigned char *blocks;
  Prototype *prototypes;
  double *angles;
} Crowd;

static sat_Shape *shape_at(const Crowd *crowd, size_t i) {
  return (sat_Shape *)(void *)(crowd->blocks + i * crowd->stride);
}

static void turn_prototype(Prototype *p, size_t count, double angle) {
  double c = p->cosine = cos(angle), s = p->sine = sin(angle);
  p->angle = angle;
  if (count == 1) return;
  for (size_t i = 0; i < count; i++) {
    p->x[i] = p->local_x[i] * c - p->local_y[i] * s;
    p->y[i] = p->local_x[i] * s + p->local_y[i] * c;
  }
  p->x[count] = p->x[0];
  p->y[count] = p->y[0];
  for (size_t i = 0; i < count; i++) {
    double dx = p->x[i + 1] - p->x[i], dy = p->y[i + 1] - p->y[i];
    double inverse = 1 / sqrt(dx * dx + dy * dy);
    p->normal_x[i] = dy * inverse;
    p->normal_y[i] = -dx * inverse;
    p->offset[i] = p->normal_x[i] * p->x[i] + p->normal_y[i] * p->y[i];
  }
  double box[4] = {p->x[0], p->y[0], p->x[0], p->y[0]};
  for (size_t i = 1; i < count; i++) {
    box[0] = p->x[i] < box[0] ? p->x[i] : box[0];
    box[1] = p->y[i] < box[1] ? p->y[i] : box[1];
    box[2] = p->x[i] > box[2] ? p->x[i] : box[2];
    box[3] = p->y[i] > box[3] ? p->y[i] : box[3];
  }
  for (int i = 0; i < 4; i++) p->box[i] = box[i];
}

static Crowd make_crowd(size_t vertices) {
  Crowd crowd = {vertices, (sat_shape_bytes(vertices) + 15) / 16 * 16, NULL, NULL, NULL};
  uint64_t state = vertices;
  crowd.blocks = bench_allocate(SHAPES, crowd.stride);
  crowd.prototypes = bench_allocate(SHAPES, sizeof *crowd.prototypes);
  crowd.angles = bench_allocate(SHAPES, sizeof *crowd.angles);
  for (size_t i = 0; i < SHAPES; i++) {
    sat_Vec2 points[MOST],
        center = {bench_between(&state, -50, 50), bench_between(&state, -50, 50)};
    for (size_t k = 0; k < vertices; k++) {
      double angle = 2 * PI * (double)k / (double)vertices, size = vertices > 1 ? 2 : 0;
      points[k].x = center.x + (crowd.prototypes[i].local_x[k] = size * cos(angle));
      points[k].y = center.y + (crowd.prototypes[i].local_y[k] = size * sin(angle));
    }
    if (sat_shape_init(shape_at(&crowd, i), points, vertices, vertices == 1) != SAT_OK) abort();
    crowd.angles[i] = bench_between(&state, -6, 6);
  }
  return crowd;
}

static double pass(const Crowd *crowd, bool prototype, size_t round) {
  clock_t start = clock();
  for (size_t times = 0; times < 8; times++) {
    for (size_t i = 0; i < SHAPES; i++) {
      double angle = crowd->angles[(i + round + times) % SHAPES];
      if (prototype) turn_prototype(&crowd->prototypes[i], crowd->vertices, angle);
      else sat_shape_set_rotation(shape_at(crowd, i), angle);
    }
  }
  return (double)(clock() - start) * (1e9 / CLOCKS_PER_SEC) / (8 * SHAPES);
}

int main(void) {
  const size_t counts[] = {1, 3, 4, 6, 8};
  printf("One turn, ns: the least of %d rounds\n%8s %8s %10s %8s\n", ROUNDS, "vertices", "sat",
         "prototype", "ratio");
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    Crowd crowd = make_crowd(counts[k]);
    double least[2] = {HUGE_VAL, HUGE_VAL};
    for (size_t round = 0; round < ROUNDS; round++)
      for (int prototype = 0; prototype < 2; prototype++)
        least[prototype] = fmin(least[prototype], pass(&crowd, prototype, round));
    printf("%8zu %8.1f %10.1f %7.2fx\n", counts[k], least[0], least[1], least[0] / least[1]);
    free(crowd.blocks);
    free(crowd.prototypes);
    free(crowd.angles);
  }
  return 0;
}
