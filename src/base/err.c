#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

int dp_fail(struct dp_err *err, const char *format, ...)
{
    va_list args;

    if (!err)
        return -1;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return -1;
}
