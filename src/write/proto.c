#include "write/proto.h"

#include <string.h>

#include "base/mem.h"

enum { VARINT = 0, BYTES = 2, LONGEST_VARINT = 10 };

static char *room_for(struct dp_proto *to, size_t n)
{
    if (n > to->room - to->n) {
        to->room = 2 * to->room > to->n + n ? 2 * to->room : to->n + n + 64;
        to->bytes = dp_grow(to->bytes, to->room);
    }
    return to->bytes + to->n;
}

void dp_proto_packed(struct dp_proto *to, uint64_t value)
{
    unsigned char *at = (unsigned char *)room_for(to, LONGEST_VARINT);

    for (; value >= 0x80; value >>= 7, to->n++)
        *at++ = (unsigned char)(value | 0x80);
    *at = (unsigned char)value;
    to->n++;
}

void dp_proto_number(struct dp_proto *to, unsigned field, uint64_t value)
{
    if (!value)
        return;
    dp_proto_packed(to, field << 3 | VARINT);
    dp_proto_packed(to, value);
}

void dp_proto_bytes(struct dp_proto *to, unsigned field, const char *bytes, size_t n)
{
    dp_proto_packed(to, field << 3 | BYTES);
    dp_proto_packed(to, n);
    if (n)
        memcpy(room_for(to, n), bytes, n);
    to->n += n;
}

void dp_proto_message(struct dp_proto *to, unsigned field, struct dp_proto *message)
{
    dp_proto_bytes(to, field, message->bytes, message->n);
    message->n = 0;
}

void dp_proto_free(struct dp_proto *to)
{
    dp_free(to->bytes);
    memset(to, 0, sizeof *to);
}
