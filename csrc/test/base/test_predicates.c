/* test_predicates.c: the exact signs of cross products, and the accuracy of sines and cosines. */
#include "base/predicates.h"
#include "test/random.h"
#include "test/suite.h"

#include <string.h>

__extension__ typedef __int128 Wide;

/* ---------------------------------------------------------------- predicates */

typedef struct Point {
  int64_t x, y;
} Point;

static int sign_of(Wide number) { return (number > 0) - (number < 0); }

static int wide_orientation(Point a, Point b, Point c) {
  Wide left = (Wide)(b.x - a.x) * (c.y - a.y), right = (Wide)(b.y - a.y) * (c.x - a.x);
  return sign_of(left - right);
}

static sat_Vec2 scaled(Point p, double scale) {
  return vec2((double)p.x * scale, (double)p.y * scale);
}

/* A whole number that a double holds. With more than 52 bits, the difference of two often needs
 * two doubles. */
static int64_t random_coordinate(Random *random, int bits) {
  int64_t limit = (int64_t)1 << (bits < 52 ? bits : 52);
  int64_t shift = bits > 52 ? random_integer(random, 0, bits - 52) : 0;
  return random_integer(random, -limit, limit) * ((int64_t)1 << shift);
}

static Point random_point(Random *random, int bits) {
  Point p;
  p.x = random_coordinate(random, bits);
  p.y = random_coordinate(random, bits);
  return p;
}

/* A whole point near a line, often on it. */
static Point point_near_line(Random *random, Point a, Point b) {
  int64_t pieces = random_integer(random, 1, 8), piece = random_integer(random, -8, 8);
  Point c = {a.x + (b.x - a.x) / pieces * piece, a.y + (b.y - a.y) / pieces * piece};
  c.x += random_integer(random, 0, 3) == 0 ? random_integer(random, -1, 1) : 0;
  c.y += random_integer(random, 0, 3) == 0 ? random_integer(random, -1, 1) : 0;
  return c;
}

TEST(orientation_has_the_exact_sign_for_points_near_a_line) {
  int on_line = 0;
  for (uint64_t seed = 1; seed <= rounds(200000); seed++) {
    Random random = {seed};
    int bits = (int)random_integer(&random, 2, 48);
    Point a = random_point(&random, bits), b = random_point(&random, bits);
    Point c = point_near_line(&random, a, b);
    double scale = ldexp(1, (int)random_integer(&random, -140, -10));
    int expected = wide_orientation(a, b, c);
    on_line += expected == 0;
    CHECK_SEED(seed,
               sat_orientation(scaled(a, scale), scaled(b, scale), scaled(c, scale)) == expected);
  }
  assert_in_range(on_line, rounds(200000) / 20, rounds(200000) * 19 / 20);
}

TEST(orientation_has_the_exact_sign_where_differences_round) {
  for (uint64_t seed = 1; seed <= rounds(200000); seed++) {
    Random random = {seed};
    Point a = random_point(&random, 60), b = random_point(&random, 60);
    Point c = random_integer(&random, 0, 1) ? random_point(&random, 60) : a;
    c.x = random_integer(&random, 0, 1) ? c.x : b.x;
    int expected = wide_orientation(a, b, c);
    double scale = 0x1p-14;
    CHECK_SEED(seed,
               sat_orientation(scaled(a, scale), scaled(b, scale), scaled(c, scale)) == expected);
  }
}

/* Shewchuk's picture: near a point of a line through two distant points, orientation tells every
 * step of the last place apart. */
TEST(orientation_sees_a_step_of_the_last_place) {
  for (int i = 0; i < 64; i++) {
    for (int j = 0; j < 64; j++) {
      sat_Vec2 p = vec2(0.5 + i * 0x1p-53, 0.5 + j * 0x1p-53);
      int expected = (p.y > p.x) - (p.y < p.x);
      assert_int_equal(sat_orientation(vec2(12, 12), vec2(24, 24), p), expected);
      assert_int_equal(sat_orientation(vec2(24, 24), vec2(12, 12), p), -expected);
      assert_int_equal(sat_orientation(p, vec2(12, 12), vec2(24, 24)), expected);
    }
  }
}

TEST(orientation_is_exact_for_the_largest_and_for_tiny_coordinates) {
  const double sizes[] = {SAT_LIMIT, 1, 1e-140, 1e-160, 1e-250};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    double s = sizes[i], more = nextafter(s, 2 * SAT_LIMIT), less = nextafter(s, 0);
    assert_int_equal(sat_orientation(vec2(-s, -s), vec2(s, s), vec2(0, 0)), 0);
    assert_int_equal(sat_orientation(vec2(-s, -s), vec2(s, s), vec2(less, less)), 0);
    assert_int_equal(sat_orientation(vec2(-s, -s), vec2(less, s), vec2(0, 0)), -1);
    assert_int_equal(sat_orientation(vec2(-s, -s), vec2(s, less), vec2(0, 0)), 1);
    assert_int_equal(sat_orientation(vec2(0, 0), vec2(s, s), vec2(s, more)), 1);
  }
}

TEST(the_sign_of_a_cross_product_of_sums_is_exact) {
  for (uint64_t seed = 1; seed <= rounds(100000); seed++) {
    Random random = {seed};
    Point u[2], w[4];
    for (int i = 0; i < 2; i++) u[i] = random_point(&random, 59);
    for (int i = 0; i < 4; i++) w[i] = random_point(&random, 59);
    /* Nearly parallel vectors: w adds up to u but for a step of 256. */
    if (random_integer(&random, 0, 1)) {
      w[0] = u[0];
      w[1] = u[1];
      w[3] = w[2];
      w[3].x += random_integer(&random, -1, 1) * 256;
    }
    sat_Vec2 du[2], dw[4];
    for (int i = 0; i < 2; i++) du[i] = scaled(u[i], 0x1p-14);
    for (int i = 0; i < 4; i++) dw[i] = scaled(w[i], 0x1p-14);
    w[3] = (Point){(int64_t)ldexp(dw[3].x, 14), w[3].y}; /* the number that the double holds */
    Wide left = (Wide)(u[0].x - u[1].x) * (w[0].y - w[1].y + w[2].y - w[3].y);
    Wide right = (Wide)(u[0].y - u[1].y) * (w[0].x - w[1].x + w[2].x - w[3].x);
    CHECK_SEED(seed, sat_exact_cross_sign(du, dw) == sign_of(left - right));
  }
}

/* ---------------------------------------------------------------- sine and cosine */

/* The distance from the true value in units of the last place. */
static double error_of(double value, long double expected) {
  double unit = nextafter(fabs((double)expected), 2) - fabs((double)expected);
  return (double)(fabsl((long double)value - expected) / (long double)unit);
}

/* A tiny, moderate or huge angle, or one near a multiple of a quarter turn. */
static double random_angle(Random *random) {
  double sign = random_integer(random, 0, 1) ? 1 : -1;
  switch (random_integer(random, 0, 4)) {
  case 0: return random_real(random, -10, 10);
  case 4: return random_real(random, -0x1p21, 0x1p21);
  case 1: return sign * pow(10, random_real(random, -20, 15));
  case 2: return sign * random_real(random, 1e14, SAT_LIMIT);
  default: {
    double angle = floor(pow(10, random_real(random, 0, 14.7))) * 1.5707963267948966;
    for (int64_t step = random_integer(random, 0, 9); step > 0; step--) angle = nextafter(angle, 0);
    return sign * angle;
  }
  }
}

static bool is_quarter(double sine, double cosine) {
  return (sine == 0 && fabs(cosine) == 1) || (fabs(sine) == 1 && cosine == 0);
}

/* Whether the long double functions of libm are accurate enough to measure with. Those of
 * mingw-w64 reduce large angles by a short pi. */
static bool is_libm_exact(void) {
  volatile long double angle = SAT_LIMIT;
  return fabsl(sinl(angle) - 0.858272793170235835524L) < 0x1p-50L;
}

TEST(sine_and_cosine_are_within_one_unit_in_the_last_place) {
  if (!is_libm_exact()) skip();
  for (uint64_t seed = 1; seed <= rounds(100000); seed++) {
    Random random = {seed};
    double angle = random_angle(&random), sine, cosine;
    sat_sine_cosine(angle, &sine, &cosine);
    long double expected_sine = sinl((long double)angle),
                expected_cosine = cosl((long double)angle);
    if (is_quarter(sine, cosine) && angle != 0) {
      long double small = fminl(fabsl(expected_sine), fabsl(expected_cosine));
      CHECK_SEED(seed, fabs(angle) < 1e-7 ||
                           asinl(small) <= (long double)fabs(angle) * 0x1p-52L * 1.0000001L);
    } else {
      CHECK_SEED(seed, error_of(sine, expected_sine) <= 1);
      CHECK_SEED(seed, error_of(cosine, expected_cosine) <= 1);
    }
  }
}

/* Sines and cosines of 106 bits, from a computation with 400 bits. The angles have all sizes,
 * lie on both sides of the limit of large angles, and some are close to quarter turns. */
static const struct ExactArc {
  double angle, sine[2], cosine[2];
} exact_arcs[] = {
    {0x1.fe47f41a28567p0,
     {0x1.d2fafda275ff2p-1, 0x1.810579795b258p-55},
     {-0x1.a3df6aa927c1ep-2, -0x1.389b2089aeda5p-56}},
    {0x1.2fd600df28325p1,
     {0x1.63a39b5583619p-1, -0x1.380b069ec730bp-55},
     {-0x1.7053bb902c5eep-1, -0x1.a53c7b4c28437p-57}},
    {0x1.45b616bcf36ccp1,
     {0x1.1fd10cd6c7a52p-1, -0x1.52e261e1b7c4ap-55},
     {-0x1.a771e6874d75cp-1, -0x1.65737b8fff9dap-55}},
    {0x1.8207132b15da4p1,
     {0x1.00dc810da7144p-3, -0x1.bb0bffd9e1371p-57},
     {-0x1.fbf502e7796f2p-1, -0x1.381a9cf97c329p-55}},
    {0x1.ce7c41bf66b8cp12,
     {-0x1.ef62e04873600p-1, -0x1.7f86035a4547dp-55},
     {-0x1.02bd349a1c4fep-2, -0x1.b7362835b81ecp-56}},
    {0x1.203bdd2abbcefp13,
     {-0x1.d8f4d1d489a5ep-3, 0x1.b31770882d678p-57},
     {0x1.f228fe925c39dp-1, 0x1.3a2391481cc90p-55}},
    {0x1.24f71bbf7eb8cp8,
     {-0x1.6e44b0f7914b2p-1, 0x1.098fe95a78facp-55},
     {-0x1.65c24ee798831p-1, -0x1.91dec4f385a56p-55}},
    {0x1.fffffffffffffp19,
     {0x1.526ccb2de52a8p-2, 0x1.504f1937c75e9p-59},
     {0x1.e33ada9352c61p-1, 0x1.89a9b70444bdep-57}},
    {0x1p20,
     {0x1.526ccb2fc8656p-2, -0x1.312bfebafe1dfp-56},
     {0x1.e33ada92fe2aep-1, -0x1.420bfaf737b2dp-57}},
    {0x1.ce39c1206042bp33,
     {0x1.4e57e74f6ee2fp-3, 0x1.fc8eee3281ddep-58},
     {0x1.f9218e61cbf6cp-1, -0x1.b77f8a01d27afp-55}},
    {0x1.19326c30b7f26p48,
     {0x1.beb1b8317a3e7p-3, -0x1.3cc0162b3d8cbp-57},
     {-0x1.f3ac43d983cbfp-1, -0x1.ba727e5e36112p-56}},
    {0x1.42bb37b53ceb1p39,
     {-0x1.6378a62775eacp-2, -0x1.1e4bd981ce2bcp-57},
     {-0x1.e02912218a88ep-1, 0x1.ad62cc5d13eccp-55}},
    {0x1.d29f0fb78a587p46,
     {-0x1.8a3297fdba119p-1, 0x1.283dd0b11a779p-55},
     {0x1.46bac6a0ff273p-1, 0x1.b59dff2d666d0p-64}},
    {0x1.c6bf526340000p49,
     {0x1.b76f88136cebap-1, -0x1.b5acbdcf56c2ap-56},
     {-0x1.06c154609d33fp-1, 0x1.ea7fabcd955c1p-55}},
    {0x1.921fb54442d1ep0,
     {0x1p0, -0x1.062285278dc8ep-100},
     {-0x1.6e59d9cceba40p-50, 0x1.b839a252049e0p-104}},
    {0x1.2d97c7f3321d7p2,
     {-0x1p0, 0x1.6f97aea2ebb0cp-97},
     {0x1.32c36359b0bb0p-48, -0x1.4a2b39bd83876p-102}},
    {0x1.88b2f704a9410p10,
     {0x1.92c3beb21e1e2p-40, 0x1.485edd4975654p-96},
     {0x1p0, -0x1.3cd5ac49bbfebp-80}},
    {0x1.ffffc2f4c1f76p19,
     {-0x1p0, 0x1.f3115285afca4p-62},
     {0x1.f97e12ffa9714p-31, -0x1.63eb4e6672bc4p-85}},
    {0x1.7681ccc729719p30,
     {-0x1.fffffffffdf5ap-1, -0x1.9bfd90a98417ep-55},
     {0x1.6dadf99ea7187p-20, -0x1.44bc13f8f8c34p-74}},
    {0x1.ac96db1f36c63p49,
     {0x1.58873fb928ce5p-1, 0x1.4bbdbfb9bcdc2p-57},
     {-0x1.7abd866d27c34p-1, -0x1.63a6e89376a3ep-55}},
};

static double error_beyond(double value, const double exact[2]) {
  double unit = nextafter(fabs(exact[0]), 2) - fabs(exact[0]);
  return fabs((value - exact[0]) - exact[1]) / unit;
}

TEST(sine_and_cosine_are_within_one_unit_of_known_values) {
  for (size_t i = 0; i < sizeof exact_arcs / sizeof *exact_arcs; i++) {
    const struct ExactArc *arc = &exact_arcs[i];
    double sine, cosine;
    sat_sine_cosine(arc->angle, &sine, &cosine);
    CHECK_SEED(i, error_beyond(sine, arc->sine) <= 1);
    CHECK_SEED(i, error_beyond(cosine, arc->cosine) <= 1);
  }
}

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

TEST(sine_is_odd_and_cosine_even_bit_for_bit) {
  for (uint64_t seed = 1; seed <= rounds(20000); seed++) {
    Random random = {seed};
    double angle = seed > 1 ? random_angle(&random) : 0, sine, cosine, back_sine, back_cosine;
    sat_sine_cosine(angle, &sine, &cosine);
    sat_sine_cosine(-angle, &back_sine, &back_cosine);
    CHECK_SEED(seed, same_bits(sine, -back_sine));
    CHECK_SEED(seed, same_bits(cosine, back_cosine));
  }
}

TEST(the_angle_0_has_sine_0_and_cosine_1) {
  double sine, cosine;
  sat_sine_cosine(0, &sine, &cosine);
  assert_true(same_bits(sine, 0));
  assert_true(same_bits(cosine, 1));
}

TEST(quarter_turns_are_exact_however_they_were_reached) {
  const double pi = 3.141592653589793, sines[4] = {0, 1, 0, -1};
  for (int k = 1; k <= 100000; k++) {
    const double angles[] = {k * (pi / 2), k * pi / 2, k * 90 * (pi / 180)};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
      double sine, cosine;
      sat_sine_cosine(angles[i], &sine, &cosine);
      assert_true(same_bits(sine, sines[k % 4]));
      assert_true(same_bits(cosine, sines[(k + 1) % 4]));
    }
  }
}

TEST(an_angle_beside_a_quarter_turn_is_not_one) {
  const double quarter = 1.5707963267948966;
  for (int k = 1; k <= 1000; k++) {
    double sine, cosine;
    sat_sine_cosine(k * quarter * (1 + 0x1p-50), &sine, &cosine);
    assert_false(is_quarter(sine, cosine));
    sat_sine_cosine(k * quarter * (1 - 0x1p-50), &sine, &cosine);
    assert_false(is_quarter(sine, cosine));
  }
  double sine, cosine;
  sat_sine_cosine(1e-300, &sine, &cosine);
  assert_true(same_bits(sine, 1e-300));
}

/* The hash of many results, which every compiler and machine must reproduce. */
TEST(sines_and_cosines_have_the_same_bits_everywhere) {
  uint64_t hash = 14695981039346656037u;
  Random random = {1};
  for (int i = 0; i < 100000; i++) {
    double results[2], size = i % 2 ? 10 : SAT_LIMIT;
    sat_sine_cosine(random_real(&random, -size, size), &results[0], &results[1]);
    for (int k = 0; k < 2; k++) {
      uint64_t bits;
      memcpy(&bits, &results[k], sizeof bits);
      hash = (hash ^ bits) * 1099511628211u;
    }
  }
  assert_int_equal(hash, UINT64_C(0x53b2099a92608a6c));
}

int main(void) { return run_suite(NULL, NULL); }
