/* suite.h: cmocka with the headers that it needs, the registration of tests, and a check that
 * names its seed. */
#ifndef SAT_TEST_SUITE_H
#define SAT_TEST_SUITE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Begins the definition of a test, which run_suite runs. No test uses the state that cmocka
 * passes. */
#define TEST(name)                                                                                 \
  static void name(void **state);                                                                  \
  __attribute__((constructor)) static void add_##name(void) { add_test(__LINE__, #name, name); }   \
  static void name(void **state __attribute__((unused)))

/* Adds a test of the suite's file, before main. */
void add_test(int line, const char *name, CMUnitTestFunction test);

/* Runs the tests in the order of their lines, between a setup and a teardown, which may be NULL.
 * Returns the number of failures. */
int run_suite(CMFixtureFunction setup, CMFixtureFunction teardown);

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Fails a test, naming the seed, unless the condition holds. fail_msg does not return, which the
 * call of abort tells analyzers. */
#define CHECK_SEED(seed, condition)                                                                \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fail_msg("with seed %llu: %s", (unsigned long long)(seed), #condition);                      \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

#endif
