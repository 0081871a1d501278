/* instruction_sets.h: whether there are kernels for processors with AVX beside those for any. */
#ifndef SAT_BASE_INSTRUCTION_SETS_H
#define SAT_BASE_INSTRUCTION_SETS_H

/* Not where all sources are one file, which has one instruction set: SAT_BASELINE_ONLY says so. And
 * not with gcc on Windows, where the stack is aligned to 16 bytes alone: gcc puts values of 32
 * bytes there all the same, and moves them as if they were aligned (its bug 54412). */
#if defined(__GNUC__) && defined(__x86_64__) && !defined(SAT_BASELINE_ONLY) &&                     \
    (!defined(_WIN32) || defined(__clang__))
#define SAT_AVX_KERNELS
#endif

#endif
