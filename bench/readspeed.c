/*
 * Reads a profile REPEAT times and prints the best time: the library alone, without perl.
 *   readspeed FILE [REPEAT]
 */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "model/check.h"
#include "read/read.h"

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static struct dp_profile *read_once(const char *bytes, size_t n)
{
    struct dp_in in;
    struct dp_err err = {0, 0, ""};
    struct dp_profile *prof;

    dp_in_bytes(&in, bytes, n);
    prof = dp_read(&in, NULL, &err);
    dp_in_free(&in);
    if (!prof)
        fprintf(stderr, "%s\n", err.text), exit(1);
    return prof;
}

static void print(const struct dp_profile *prof)
{
    printf("%llu marks, %lu subs, %lu nodes, total %lld %lld %lld ticks\n",
           (unsigned long long)prof->marks, (unsigned long)prof->nsubs, (unsigned long)prof->nnodes,
           (long long)prof->total.user, (long long)prof->total.sys, (long long)prof->total.real);
    for (uint32_t i = 0; i < prof->nnotes; i++)
        printf("note: line %llu: %s (%llu)\n", (unsigned long long)prof->notes[i].line,
               prof->notes[i].text, (unsigned long long)prof->notes[i].count);
}

int main(int argc, char **argv)
{
    int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1, repeat = argc > 2 ? atoi(argv[2]) : 3;
    struct stat st;
    const char *bytes;
    double best = 1e9;
    struct dp_profile *prof = NULL;

    if (fd < 0 || fstat(fd, &st) < 0)
        return perror("readspeed"), 2;
    for (int i = 0; i < repeat; i++) {
        double from = seconds(), took;

        bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
        if (bytes == MAP_FAILED)
            return perror("mmap"), 2;
        dp_profile_free(prof);
        prof = read_once(bytes, (size_t)st.st_size);
        munmap((void *)bytes, (size_t)st.st_size);
        took = seconds() - from;
        best = took < best ? took : best;
    }
    print(prof);
    printf("%.3f s CPU, %.2f GB/s, %.1f ns a mark\n", best, (double)st.st_size / best / 1e9,
           best * 1e9 / (double)(prof->marks ? prof->marks : 1));
    dp_profile_free(prof);
    return 0;
}
