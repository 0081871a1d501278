/* No <assert.h>: what is released asserts nothing. */
#define assert(condition) ((void)0)
