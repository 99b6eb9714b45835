/* Loads damaged FBX files with ufbx, whose parts are compiled with sanitizers: harness RUNS SEED FILE...
 * Options and calls are those of crates/rebone-skeleton/src/fbx.rs. Undefined behaviour is printed and goes on. */
#include "ufbx.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 256, MAX_EDITS = 12, MAX_CHUNK = 4096, MAX_FRAMES = 20 };

typedef struct {
    unsigned char *bytes;
    size_t size;
} File;

static uint64_t state;

static uint64_t below(uint64_t count) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return count ? state % count : 0;
}

static File read_file(const char *path) {
    File file = {0};
    FILE *in = fopen(path, "rb");
    if (!in || fseek(in, 0, SEEK_END)) exit(2);
    file.size = (size_t)ftell(in);
    rewind(in);
    file.bytes = malloc(file.size + 1);
    if (!file.bytes || fread(file.bytes, 1, file.size, in) != file.size) exit(2);
    fclose(in);
    return file;
}

/* Replaces `count` bytes at `at` by those of another place. */
static void splice(File *own, size_t at, size_t count, const unsigned char *from, size_t added) {
    size_t rest = own->size - at - count;
    unsigned char *bytes = malloc(at + added + rest + 1);
    memcpy(bytes, own->bytes, at);
    memcpy(bytes + at, from, added);
    memcpy(bytes + at + added, own->bytes + at + count, rest);
    free(own->bytes);
    own->bytes = bytes;
    own->size = at + added + rest;
}

static void damage(File *own, const File *files, size_t count) {
    static const uint32_t words[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000};
    for (uint64_t edits = 1 + below(MAX_EDITS); edits > 0 && own->size > 8; edits--) {
        size_t at = (size_t)below(own->size - 4);
        size_t length = (size_t)below(own->size - at < MAX_CHUNK ? own->size - at : MAX_CHUNK);
        const File *other = &files[below(count)];
        size_t from = (size_t)below(other->size);
        size_t more = other->size - from < length ? other->size - from : length;
        switch (below(8)) {
        case 0: case 1: case 2: own->bytes[at] ^= (unsigned char)(1u << below(8)); break;
        case 3: memcpy(own->bytes + at, &words[below(6)], 4); break;
        case 4: splice(own, at, length, other->bytes + from, more); break;
        case 5: splice(own, at, length, own->bytes, 0); break;
        case 6: own->bytes[at] = (unsigned char)below(256); break;
        default: if (below(8) == 0) own->size = at; break;
        }
    }
}

static int load(const File *file) {
    ufbx_load_opts opts = {0};
    opts.temp_allocator.memory_limit = opts.result_allocator.memory_limit = 200 * file->size + (64u << 20);
    opts.ignore_embedded = opts.skip_skin_vertices = opts.skip_mesh_parts = true;
    opts.node_depth_limit = 1000;
    opts.inherit_mode_handling = UFBX_INHERIT_MODE_HANDLING_COMPENSATE;
    opts.space_conversion = UFBX_SPACE_CONVERSION_ADJUST_TRANSFORMS;
    opts.target_axes = ufbx_axes_right_handed_y_up;
    opts.target_unit_meters = 1.0f;
    ufbx_scene *scene = ufbx_load_memory(file->bytes, file->size, &opts, NULL);
    if (!scene) return 0;
    for (size_t k = 0; k < scene->anim_stacks.count; k++) {
        const ufbx_anim_stack *stack = scene->anim_stacks.data[k];
        for (int frame = 0; frame < MAX_FRAMES; frame++)
            for (size_t node = 0; node < scene->nodes.count && node < 100; node++)
                ufbx_evaluate_transform(stack->anim, scene->nodes.data[node], stack->time_begin + frame / 30.0);
    }
    ufbx_free_scene(scene);
    return 1;
}

int main(int argc, char **argv) {
    static File files[MAX_FILES];
    size_t count = 0;
    if (argc < 4) return 2;
    for (int k = 3; k < argc && count < MAX_FILES; k++) files[count++] = read_file(argv[k]);
    uint64_t runs = strtoull(argv[1], NULL, 10), seed = strtoull(argv[2], NULL, 10), read = 0;
    for (size_t k = 0; k < count; k++) read += (uint64_t)load(&files[k]);
    printf("%llu of %zu files are read\n", (unsigned long long)read, count);
    read = 0;
    for (uint64_t run = 0; run < runs; run++) {
        state = (seed * 1000003 + run + 1) * 0x9e3779b97f4a7c15u;
        File own = {malloc(1), 0};
        const File *from = &files[below(count)];
        splice(&own, 0, 0, from->bytes, from->size);
        damage(&own, files, count);
        /* The bytes end where the allocation does: a read behind them is seen. */
        File exact = {malloc(own.size), own.size};
        if (own.size) memcpy(exact.bytes, own.bytes, own.size);
        if (run % 1000 == 0) printf("run %llu\n", (unsigned long long)run), fflush(stdout);
        read += (uint64_t)load(&exact);
        free(exact.bytes);
        free(own.bytes);
    }
    printf("%llu runs, %llu are read\n", (unsigned long long)runs, (unsigned long long)read);
    return 0;
}
