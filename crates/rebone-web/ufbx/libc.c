// The functions of a C library that ufbx calls (UFBX_NO_LIBC), for a module that has none. Mathematics, strlen and copies of
// memory come from Rust's compiler_builtins.

#include <stddef.h>

double ufbx_sqrt(double x) { return __builtin_sqrt(x); }
double ufbx_fabs(double x) { return __builtin_fabs(x); }
double ufbx_floor(double x) { return __builtin_floor(x); }
double ufbx_ceil(double x) { return __builtin_ceil(x); }
double ufbx_rint(double x) { return __builtin_rint(x); }
double ufbx_copysign(double x, double y) { return __builtin_copysign(x, y); }
double ufbx_fmin(double a, double b) { return __builtin_fmin(a, b); }
double ufbx_fmax(double a, double b) { return __builtin_fmax(a, b); }
double ufbx_sin(double x) { return __builtin_sin(x); }
double ufbx_cos(double x) { return __builtin_cos(x); }
double ufbx_tan(double x) { return __builtin_tan(x); }
double ufbx_asin(double x) { return __builtin_asin(x); }
double ufbx_acos(double x) { return __builtin_acos(x); }
double ufbx_atan(double x) { return __builtin_atan(x); }
double ufbx_atan2(double y, double x) { return __builtin_atan2(y, x); }
double ufbx_pow(double x, double y) { return __builtin_pow(x, y); }
int ufbx_isnan(double x) { return x != x; }

size_t ufbx_strlen(const char *text) { return __builtin_strlen(text); }
void *ufbx_memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *ufbx_memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
void *ufbx_memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }
int ufbx_memcmp(const void *a, const void *b, size_t count) { return __builtin_memcmp(a, b, count); }

const void *ufbx_memchr(const void *bytes, int byte, size_t count) {
  const unsigned char *at = bytes;
  for (; count > 0; at++, count--) {
    if (*at == (unsigned char)byte) return at;
  }
  return NULL;
}

int ufbx_strncmp(const char *a, const char *b, size_t count) {
  for (; count > 0; a++, b++, count--) {
    if (*a != *b) return (unsigned char)*a - (unsigned char)*b;
    if (*a == 0) return 0;
  }
  return 0;
}

int ufbx_strcmp(const char *a, const char *b) { return ufbx_strncmp(a, b, (size_t)-1); }

// ufbx allocates by the functions in its options, which are Rust's: without them there is no memory.
void *ufbx_malloc(size_t size) { return (void)size, NULL; }
void *ufbx_realloc(void *old, size_t old_size, size_t size) { return (void)old, (void)old_size, (void)size, NULL; }
void ufbx_free(void *old, size_t size) { (void)old, (void)size; }
