#include "base/fields.h"

static uint64_t low_bytes(uint32_t n)
{
    return n >= 8 ? UINT64_MAX : ((uint64_t)1 << 8 * n) - 1;
}

const char *dp_field_learn(struct dp_field *field, const char *at, int64_t *value)
{
    const char *end = dp_digits(at, value);
    uint32_t n;

    if (!end || *end != ' ')
        return NULL;
    n = (uint32_t)(end - at);
    field->n = n;
    field->text = dp_load8(at);
    field->last = n > 8 ? n - 8 : 0;
    field->shift = n < 8 ? 64 - 8 * n : 0;
    field->lead_mask = low_bytes(field->last);
    field->mask = low_bytes(n + 1);
    field->lead = *value - *value % 100000000;
    field->value = *value;
    if (n <= 8)
        field->lead = 0;
    return end + 1;
}
