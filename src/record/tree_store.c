#include "record/tree_store.h"

#include "base/tmon_tags.h"
#include "record/guard.h"
#include "record/header.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK ((size_t)256 << 10)

static size_t bytes_for(uint32_t slots)
{
    return DP_TREE_PAGE + (size_t)slots * sizeof(struct dp_tree_slot);
}

/* The first slots come with the header in one chunk. */
static uint32_t slots_in(size_t bytes)
{
    return (uint32_t)((bytes - DP_TREE_PAGE) / sizeof(struct dp_tree_slot));
}

/* Zeros first: a full disk is an error here, and would be a signal at a store. */
static int fill(int fd, off_t at, size_t n)
{
    static const char zeros[16384];
    struct dp_quiet quiet;
    size_t done = 0;
    ssize_t wrote = 1;

    dp_quiet_begin(&quiet);
    while (done < n && wrote > 0) {
        size_t part = n - done < sizeof zeros ? n - done : sizeof zeros;

        wrote = pwrite(fd, zeros, part, at + (off_t)done);
        if (wrote < 0 && errno == EINTR)
            wrote = 1;
        else if (wrote > 0)
            done += (size_t)wrote;
    }
    dp_quiet_end(&quiet, done < n);
    return done == n ? 0 : -1;
}

/* The file is ours and as long as we made it: it may grow by a chunk. */
static int extend(struct dp_tree *tree)
{
    struct stat st;

    if (dp_own_fd(&tree->file) != 0 || fstat(tree->file.fd, &st) != 0)
        return -1;
    if (st.st_size < (off_t)tree->mapped) {
        tree->lost = 1;
        return -1;
    }
    return fill(tree->file.fd, (off_t)tree->mapped, CHUNK);
}

static int map_chunk(struct dp_tree *tree)
{
    char *at = (char *)tree->header + tree->mapped;
    int flags = MAP_FIXED | (tree->is_file ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS);

    if (tree->is_file && extend(tree) != 0)
        return -1;
    if (mmap(at, CHUNK, PROT_READ | PROT_WRITE, flags, tree->is_file ? tree->file.fd : -1,
             tree->is_file ? (off_t)tree->mapped : 0) == MAP_FAILED)
        return -1;
    tree->mapped += CHUNK;
    tree->room = slots_in(tree->mapped);
    return 0;
}

static size_t reserved(const struct dp_tree *tree)
{
    size_t bytes = bytes_for(tree->most);

    return (bytes + CHUNK - 1) / CHUNK * CHUNK;
}

static void open_beside(struct dp_tree *tree, const struct dp_recorder *recorder)
{
    char path[sizeof tree->file.path];
    int fd;

    if (!recorder->output.regular || recorder->options.portable)
        return;
    snprintf(path, sizeof path, "%s.tree", recorder->output.path);
    unlink(path);
    fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    tree->is_file = fd >= 0 && dp_own_take(&tree->file, fd, path) == 0;
}

int dp_tree_store_open(struct dp_tree *tree, const struct dp_recorder *recorder)
{
    void *base = mmap(NULL, reserved(tree), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                      -1, 0);

    if (base == MAP_FAILED)
        return -1;
    tree->header = base;
    tree->slots = (struct dp_tree_slot *)(void *)((char *)base + DP_TREE_PAGE);
    tree->file.fd = -1;
    open_beside(tree, recorder);
    if (tree->is_file)
        dp_guard_watch(base, &tree->mapped, &tree->lost);
    if (map_chunk(tree) != 0) {
        dp_tree_store_remove(tree);
        if (map_chunk(tree) != 0) {
            munmap(base, reserved(tree));
            return -1;
        }
    }
    memcpy(tree->header->magic, DP_TREE_MAGIC, sizeof tree->header->magic);
    tree->header->order = DP_TREE_ORDER;
    tree->header->node_size = sizeof(struct dp_tree_slot);
    memcpy(tree->header->id, recorder->output.id, sizeof recorder->output.id);
    return 0;
}

int dp_tree_store_grow(struct dp_tree *tree)
{
    int saved = errno, result;

    if (tree->mapped + CHUNK > reserved(tree))
        return -1;
    result = map_chunk(tree);
    errno = saved;
    return result;
}

void dp_tree_store_remove(struct dp_tree *tree)
{
    if (!tree->is_file)
        return;
    dp_guard_unwatch((const char *)tree->header);
    dp_own_unlink(&tree->file);
    dp_own_close(&tree->file);
    tree->is_file = 0;
}

void dp_tree_store_close(struct dp_tree *tree)
{
    dp_guard_unwatch((const char *)tree->header);
    munmap(tree->header, reserved(tree));
    dp_own_close(&tree->file);
}

/* What is needed to write nodes: ids without the extensions, and the profile's ticks. */
struct writer {
    const struct dp_tree *tree;
    struct dp_window *window;
    uint32_t *ids;
    uint64_t scale; /* ticks of the tree's clock in one of the profile's */
    const struct dp_site *sites;
};

static char *put_number(char *to, int64_t value)
{
    return to + sprintf(to, "%" PRId64 " ", value < 0 ? (int64_t)0 : value);
}

static char *put_hist(char *to, const struct writer *writer, const struct dp_tree_slot *slot)
{
    const struct dp_tree *tree = writer->tree;
    uint64_t buckets[DP_TREE_BUCKETS + DP_TREE_WIDE + 1] = {0};
    const char *comma = "";
    int i, any = 0;

    for (i = 0; i < (int)(DP_TREE_BUCKETS + DP_TREE_WIDE); i++) {
        uint64_t n = i < DP_TREE_BUCKETS ? slot->bucket[i] : 0;
        uint64_t low = i ? (uint64_t)1 << (i - 1) : 0;
        int to_bucket;

        if (i >= DP_TREE_BUCKETS && slot->wide)
            n = ((const struct dp_tree_extension *)&tree->slots[slot->wide])
                    ->bucket[i - DP_TREE_BUCKETS];
        low /= writer->scale;
        to_bucket = low ? 64 - __builtin_clzll(low) : 0;
        buckets[to_bucket] += n;
    }
    for (i = 0; i < (int)(DP_TREE_BUCKETS + DP_TREE_WIDE); i++) {
        if (!buckets[i])
            continue;
        to += sprintf(to, "%s%d:%" PRIu64, comma, i, buckets[i]);
        comma = ",";
        any = 1;
    }
    return any ? to : to + sprintf(to, "-");
}

static char *put_times(char *to, const struct writer *writer, const struct dp_tree_slot *slot)
{
    int64_t scale = (int64_t)writer->scale;
    int64_t real = (int64_t)((double)slot->real * writer->tree->header->ticks + 0.5);
    int64_t user = real - slot->wait - slot->sys;
    int64_t sys = slot->sys;

    if (user < 0) { /* what the kernel said later than the counter */
        sys += user;
        user = 0;
    }
    to = put_number(to, user / scale);
    to = put_number(to, sys / scale);
    return put_number(to, real / scale);
}

static void write_node(const struct writer *writer, uint32_t index, const char *const *sites)
{
    const struct dp_tree *tree = writer->tree;
    const struct dp_tree_slot *slot = &tree->slots[index];
    const struct dp_sub *sub = index ? tree->subs[slot->sub] : NULL;
    const char *site = sites[slot->site];
    char line[2048], *s = line;

    s += sprintf(s, "%u %u ", writer->ids[index], writer->ids[slot->parent]);
    dp_window_line_begins(writer->window);
    dp_window_put(writer->window, line, (size_t)(s - line));
    if (site) {
        dp_window_put(writer->window, site, strlen(site));
        s = line + sprintf(line, ":%u ", slot->line);
    } else {
        s = line + sprintf(line, "- ");
    }
    s = put_number(s, (int64_t)slot->calls);
    s = put_times(s, writer, slot);
    if (slot->min > slot->max)
        s += sprintf(s, "- - ");
    else
        s += sprintf(s, "%" PRIu64 " %" PRIu64 " ", slot->min / writer->scale,
                     slot->max / writer->scale);
    s = put_hist(s, writer, slot);
    *s++ = ' ';
    dp_window_put(writer->window, line, (size_t)(s - line));
    if (sub)
        dp_window_put(writer->window, sub->text, sub->length);
    else
        dp_window_put(writer->window, "-\n", 2);
    dp_window_line_ends(writer->window);
}

static int is_written(const struct dp_tree *tree, uint32_t index)
{
    const struct dp_tree_slot *slot = &tree->slots[index];

    return index == 0 || (slot->sub != DP_TREE_EXTENSION &&
                          !(slot->sub == tree->other->id && slot->parent == 0 && !slot->calls));
}

void dp_tree_store_write(struct dp_recorder *recorder)
{
    struct dp_tree *tree = recorder->tree;
    struct writer writer;
    const char **sites = dp_sites(recorder);
    uint32_t i, n = 0;
    char end[64];

    writer.tree = tree;
    writer.window = &recorder->window;
    writer.scale = tree->clock.hz / recorder->clock.hz;
    writer.ids = calloc(tree->used, sizeof *writer.ids);
    if (!writer.ids || !sites) {
        free(writer.ids);
        free((void *)sites);
        return;
    }
    for (i = 0; i < tree->used; i++)
        if (is_written(tree, i))
            writer.ids[i] = n++;
    dp_window_put(&recorder->window, DP_TMON_PART3 "\n", strlen(DP_TMON_PART3) + 1);
    for (i = 0; i < tree->used; i++)
        if (is_written(tree, i))
            write_node(&writer, i, sites);
    dp_window_put(&recorder->window, end, (size_t)sprintf(end, "#" DP_TMON_END " %u\n", n));
    free(writer.ids);
    free((void *)sites);
}
