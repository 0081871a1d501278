/* suite.c: the list of a suite's tests. */
#include "test/suite.h"

enum { MOST_TESTS = 64 };

static struct CMUnitTest tests[MOST_TESTS]; /* cmocka skips entries without a name */
static int lines[MOST_TESTS];
static size_t test_count;

/* Inserts the test by its line, since compilers call constructors in any order. */
void add_test(int line, const char *name, CMUnitTestFunction test) {
  size_t place = test_count++;
  if (place == MOST_TESTS) abort();
  for (; place > 0 && lines[place - 1] > line; place--) {
    tests[place] = tests[place - 1];
    lines[place] = lines[place - 1];
  }
  tests[place] = (struct CMUnitTest){name, test, NULL, NULL, NULL};
  lines[place] = line;
}

int run_suite(CMFixtureFunction setup, CMFixtureFunction teardown) {
  return cmocka_run_group_tests(tests, setup, teardown);
}
