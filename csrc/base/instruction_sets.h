/* instruction_sets.h: whether there are kernels for processors with AVX beside those for any. */
#ifndef SAT_BASE_INSTRUCTION_SETS_H
#define SAT_BASE_INSTRUCTION_SETS_H

/* Two builds have no kernels for AVX. SAT_BASELINE_ONLY marks the one whose sources are all in one
 * file, which has one instruction set. gcc on Windows aligns the stack to 16 bytes and yet moves
 * values of 32 bytes there as if they were aligned (bug 54412 of gcc). */
#if defined(__GNUC__) && defined(__x86_64__) && !defined(SAT_BASELINE_ONLY) &&                     \
    (!defined(_WIN32) || defined(__clang__))
#define SAT_AVX_KERNELS
#endif

#endif
