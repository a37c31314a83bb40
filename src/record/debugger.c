#include "record/debugger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "PERL5DB"

/* All of a file, with a 0 behind it; NULL if it cannot be had. The caller frees it. */
static char *whole_file(const char *path, size_t *n)
{
    size_t room = 16384;
    char *text = malloc(room), *more;
    ssize_t got;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    *n = 0;
    while (fd >= 0 && text && (got = read(fd, text + *n, room - *n - 1)) != 0) {
        if (got < 0 && errno != EINTR)
            break;
        *n += got > 0 ? (size_t)got : 0;
        if (*n + 1 == room) {
            more = realloc(text, room *= 2);
            if (!more)
                break;
            text = more;
        }
    }
    if (fd >= 0)
        close(fd);
    if (text)
        text[*n] = '\0';
    return text;
}

/* perl told itself by PERL5DB what -d:NAME means. What the variable was before, the kernel still knows. */
static void restore_environment(pTHX)
{
    HV *env = PL_envgv ? GvHV(PL_envgv) : NULL;
    size_t n, at;
    char *initial = env ? whole_file("/proc/self/environ", &n) : NULL;

    /* cppcheck-suppress nullPointerArithmeticRedundantCheck ; not NULL in the loop */
    for (at = 0; initial && at < n; at += strlen(initial + at) + 1) {
        if (strncmp(initial + at, NAME "=", sizeof NAME) == 0) {
            SV **sv = hv_fetchs(env, NAME, 1);

            if (sv)
                sv_setpv_mg(*sv, initial + at + sizeof NAME);
            break;
        }
    }
    if (env && (!initial || at >= n))
        (void)hv_deletes(env, NAME, G_DISCARD);
    free(initial);
}

void dp_debugger_stop(pTHX)
{
    int saved = errno;

    if (!PL_perldb)
        return;
    PL_perldb = 0;
    if (PL_DBsingle)
        sv_setiv(PL_DBsingle, 0);
    restore_environment(aTHX);
    errno = saved;
}
