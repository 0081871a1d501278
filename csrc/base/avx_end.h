/* avx_end.h: restores the instruction set that base/avx_begin.h has replaced. */
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
