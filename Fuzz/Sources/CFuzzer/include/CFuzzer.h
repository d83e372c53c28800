#include <stddef.h>
#include <stdint.h>

// What libFuzzer's own main function does (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library").
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *data, size_t size));

// Its own changes of bytes.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maximum);
