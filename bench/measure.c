/*
 * measure COMMAND [ARGUMENT...]: runs it with standard output at /dev/null and prints
 *     USER SYSTEM WALL MAXRSS STATUS
 * in microseconds, KiB and wait(2)'s status. perl's own times() counts in hundredths
 * of a second, too coarse for what the bench compares.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long usec(struct timeval t)
{
    return (long)t.tv_sec * 1000000 + (long)t.tv_usec;
}

static long now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void run(char **command)
{
    int null = open("/dev/null", O_WRONLY);

    if (null < 0 || dup2(null, STDOUT_FILENO) < 0) {
        perror("/dev/null");
        _exit(127);
    }
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
}

int main(int argc, char **argv)
{
    struct rusage used;
    int status;

    if (argc < 2) {
        fprintf(stderr, "usage: measure COMMAND [ARGUMENT...]\n");
        return 2;
    }

    long began = now();
    pid_t child = fork();
    if (child == 0)
        run(argv + 1);
    if (child < 0 || wait4(child, &status, 0, &used) < 0) {
        perror("measure");
        return 1;
    }
    printf("%ld %ld %ld %ld %d\n", usec(used.ru_utime), usec(used.ru_stime), now() - began,
           used.ru_maxrss, status);
    return 0;
}
