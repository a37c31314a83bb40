/* The system calls of CP/M 2.2 that programs use. */
#include "z80/machine.h"

#include <string.h>

#define EOF_BYTE 0x1A

/* Places in a file control block. */
enum {
    FCB_NAME = 1,
    FCB_EXTENT = 12,
    FCB_S2 = 14,
    FCB_RECORDS = 15,
    FCB_CURRENT = 32,
    FCB_RANDOM = 33
};

/* --- memory ------------------------------------------------------------------------------------*/

static uint8_t get(const struct dp_z80_bdos *bdos, uint32_t addr)
{
    return bdos->mem[addr & 0xFFFF];
}

static void set(struct dp_z80_bdos *bdos, uint32_t addr, uint8_t value)
{
    bdos->mem[addr & 0xFFFF] = value;
    bdos->filled[addr & 0xFFFF] = 1;
}

static void name_of(const struct dp_z80_bdos *bdos, uint16_t fcb, uint8_t name[11])
{
    for (uint32_t i = 0; i < 11; i++)
        name[i] = get(bdos, fcb + FCB_NAME + i);
}

/* --- console -----------------------------------------------------------------------------------*/

static void put(struct dp_z80_bdos *bdos, uint8_t byte)
{
    bdos->host->write(bdos->host->ctx, byte);
}

static uint8_t take(struct dp_z80_bdos *bdos)
{
    int byte = bdos->host->read(bdos->host->ctx);

    return byte < 0 ? EOF_BYTE : byte == '\n' ? '\r' : (uint8_t)byte;
}

static void print(struct dp_z80_bdos *bdos, uint16_t addr)
{
    for (uint32_t i = 0; i < 65536 && get(bdos, addr + i) != '$'; i++)
        put(bdos, get(bdos, addr + i));
}

/* Room, then how many came, then they. */
static void read_line(struct dp_z80_bdos *bdos, uint16_t addr)
{
    uint8_t room = get(bdos, addr), n = 0;

    while (n < room) {
        int byte = bdos->host->read(bdos->host->ctx);

        if (byte < 0 || byte == '\n' || byte == '\r')
            break;
        set(bdos, addr + 2u + n++, (uint8_t)byte);
    }
    set(bdos, addr + 1u, n);
}

static uint8_t direct(struct dp_z80_bdos *bdos, uint8_t what)
{
    int ready = bdos->host->ready(bdos->host->ctx);

    if (what == 0xFE)
        return ready ? 0xFF : 0;
    if (what != 0xFF && what != 0xFD) {
        put(bdos, what);
        return 0;
    }
    return ready || what == 0xFD ? take(bdos) : 0;
}

/* --- files -------------------------------------------------------------------------------------*/

static uint8_t refused(struct dp_z80_bdos *bdos, int result)
{
    if (result < 0 && !bdos->host->allow_write)
        bdos->end->refused_write = 1;
    return result < 0 ? 0xFF : 0;
}

static uint32_t sequential(const struct dp_z80_bdos *bdos, uint16_t fcb)
{
    return ((uint32_t)(get(bdos, fcb + FCB_S2) & 0x3F) * 32 +
            (get(bdos, fcb + FCB_EXTENT) & 0x1F)) *
               128 +
           (get(bdos, fcb + FCB_CURRENT) & 0x7F);
}

static void set_sequential(struct dp_z80_bdos *bdos, uint16_t fcb, uint32_t record)
{
    set(bdos, fcb + FCB_CURRENT, record & 0x7F);
    set(bdos, fcb + FCB_EXTENT, record / 128 & 0x1F);
    set(bdos, fcb + FCB_S2, record / 4096 & 0x3F);
}

static uint32_t random_record(const struct dp_z80_bdos *bdos, uint16_t fcb)
{
    return get(bdos, fcb + FCB_RANDOM) | (uint32_t)get(bdos, fcb + FCB_RANDOM + 1) << 8;
}

static void set_random(struct dp_z80_bdos *bdos, uint16_t fcb, uint32_t record)
{
    set(bdos, fcb + FCB_RANDOM, record & 0xFF);
    set(bdos, fcb + FCB_RANDOM + 1, record >> 8 & 0xFF);
    set(bdos, fcb + FCB_RANDOM + 2, record >> 16 & 0xFF);
}

static uint8_t read_record(struct dp_z80_bdos *bdos, uint16_t fcb, uint32_t record)
{
    uint8_t name[11], bytes[128];

    name_of(bdos, fcb, name);
    if (dp_z80_file_read(bdos->files, name, record, bytes) <= 0)
        return 1;
    for (uint32_t i = 0; i < 128; i++)
        set(bdos, bdos->dma + i, bytes[i]);
    return 0;
}

static uint8_t write_record(struct dp_z80_bdos *bdos, uint16_t fcb, uint32_t record)
{
    uint8_t name[11], bytes[128];

    name_of(bdos, fcb, name);
    for (uint32_t i = 0; i < 128; i++)
        bytes[i] = get(bdos, bdos->dma + i);
    return refused(bdos, dp_z80_file_write(bdos->files, name, record, bytes)) ? 2 : 0;
}

static uint8_t open_file(struct dp_z80_bdos *bdos, uint16_t fcb, int make)
{
    uint8_t name[11];
    int32_t records;

    name_of(bdos, fcb, name);
    if (make && refused(bdos, dp_z80_file_make(bdos->files, name)))
        return 0xFF;
    if (!make && dp_z80_file_open(bdos->files, name) < 0)
        return 0xFF;
    records = dp_z80_file_size(bdos->files, name);
    set(bdos, fcb + FCB_S2, 0);
    set(bdos, fcb + FCB_RECORDS, (uint8_t)(records > 128 ? 128 : records));
    return 0;
}

/* The directory entry goes to the first of the four places in the record. */
static uint8_t search(struct dp_z80_bdos *bdos, uint16_t fcb, int again)
{
    uint8_t name[11];

    if (!again)
        name_of(bdos, fcb, bdos->pattern);
    if (dp_z80_file_search(bdos->files, bdos->pattern, again, name) < 0)
        return 0xFF;
    for (uint32_t i = 0; i < 128; i++)
        set(bdos, bdos->dma + i, i < 32 ? 0 : 0xE5);
    for (uint32_t i = 0; i < 11; i++)
        set(bdos, bdos->dma + 1u + i, name[i]);
    return 0;
}

static uint8_t change_files(struct dp_z80_bdos *bdos, uint8_t call, uint16_t fcb)
{
    uint8_t name[11], to[11];

    name_of(bdos, fcb, name);
    if (call == 16) {
        dp_z80_file_close(bdos->files, name);
        return 0;
    }
    if (call == 19)
        return refused(bdos, dp_z80_file_delete(bdos->files, name));
    name_of(bdos, (uint16_t)(fcb + 16), to);
    return refused(bdos, dp_z80_file_rename(bdos->files, name, to));
}

static uint8_t read_or_write(struct dp_z80_bdos *bdos, uint8_t call, uint16_t fcb)
{
    int random = call >= 33;
    uint32_t record = random ? random_record(bdos, fcb) : sequential(bdos, fcb);
    uint8_t result;

    if (random)
        set_sequential(bdos, fcb, record);
    result =
        call == 20 || call == 33 ? read_record(bdos, fcb, record) : write_record(bdos, fcb, record);
    if (!random && result == 0)
        set_sequential(bdos, fcb, record + 1);
    return result;
}

static uint8_t file_size(struct dp_z80_bdos *bdos, uint16_t fcb)
{
    uint8_t name[11];
    int32_t records;

    name_of(bdos, fcb, name);
    records = dp_z80_file_size(bdos->files, name);
    set_random(bdos, fcb, records < 0 ? 0 : (uint32_t)records);
    return records < 0 ? 0xFF : 0;
}

/* --- all of them ---------------------------------------------------------------------------------
 * Each gets DE, or the E of it, and returns what goes to HL. */

static uint16_t input(struct dp_z80_bdos *bdos, uint8_t call, uint16_t de)
{
    (void)call;
    (void)de;
    return take(bdos);
}

/* Console, punch, printer: only the console is there. */
static uint16_t output(struct dp_z80_bdos *bdos, uint8_t call, uint16_t de)
{
    if (call == 2)
        put(bdos, (uint8_t)de);
    return 0;
}

static uint16_t direct_io(struct dp_z80_bdos *bdos, uint8_t call, uint16_t de)
{
    (void)call;
    return direct(bdos, (uint8_t)de);
}

/* A text up to "$", or a line of input. */
static uint16_t text(struct dp_z80_bdos *bdos, uint8_t call, uint16_t de)
{
    if (call == 9)
        print(bdos, de);
    else
        read_line(bdos, de);
    return 0;
}

static uint16_t status(struct dp_z80_bdos *bdos, uint8_t call, uint16_t de)
{
    (void)call;
    (void)de;
    return bdos->host->ready(bdos->host->ctx) ? 0xFF : 0;
}

/* CP/M 2.2, or the one drive that there is. */
static uint16_t number(struct dp_z80_bdos *bdos, uint8_t call, uint16_t de)
{
    (void)bdos;
    (void)de;
    return call == 12 ? 0x22 : 1;
}

static uint16_t open_or_make(struct dp_z80_bdos *bdos, uint8_t call, uint16_t de)
{
    return open_file(bdos, de, call == 22);
}

static uint16_t search_for(struct dp_z80_bdos *bdos, uint8_t call, uint16_t de)
{
    return search(bdos, de, call == 18);
}

static uint16_t change(struct dp_z80_bdos *bdos, uint8_t call, uint16_t de)
{
    return change_files(bdos, call, de);
}

static uint16_t move_record(struct dp_z80_bdos *bdos, uint8_t call, uint16_t de)
{
    return read_or_write(bdos, call, de);
}

static uint16_t set_dma(struct dp_z80_bdos *bdos, uint8_t call, uint16_t de)
{
    bdos->dma = call == 13 ? 0x80 : de;
    return 0;
}

static uint16_t user(struct dp_z80_bdos *bdos, uint8_t call, uint16_t de)
{
    (void)call;
    if ((uint8_t)de == 0xFF)
        return bdos->user;
    bdos->user = de & 15;
    return 0;
}

/* The size of a file, or the place in it, as a random record. */
static uint16_t measure(struct dp_z80_bdos *bdos, uint8_t call, uint16_t de)
{
    if (call == 35)
        return file_size(bdos, de);
    set_random(bdos, de, sequential(bdos, de));
    return 0;
}

/* One drive, always there. */
static uint16_t nothing(struct dp_z80_bdos *bdos, uint8_t call, uint16_t de)
{
    (void)bdos;
    (void)call;
    (void)de;
    return 0;
}

static uint16_t (*const calls[])(struct dp_z80_bdos *, uint8_t, uint16_t) = {
    [1] = input,        [2] = output,        [3] = input,       [4] = output,   [5] = output,
    [6] = direct_io,    [7] = nothing,       [8] = nothing,     [9] = text,     [10] = text,
    [11] = status,      [12] = number,       [13] = set_dma,    [14] = nothing, [15] = open_or_make,
    [16] = change,      [17] = search_for,   [18] = search_for, [19] = change,  [20] = move_record,
    [21] = move_record, [22] = open_or_make, [23] = change,     [24] = number,  [25] = nothing,
    [26] = set_dma,     [28] = nothing,      [29] = nothing,    [30] = nothing, [32] = user,
    [33] = move_record, [34] = move_record,  [35] = measure,    [36] = measure, [37] = nothing,
    [40] = move_record,
};

int dp_z80_bdos(struct dp_z80_bdos *bdos, struct dp_z80_regs *regs)
{
    if (regs->c == 0)
        return 1;
    if (regs->c < sizeof calls / sizeof *calls && calls[regs->c]) {
        regs->hl = calls[regs->c](bdos, regs->c, regs->de);
    } else {
        bdos->end->unknown_call = regs->c;
        regs->hl = 0;
    }
    regs->a = (uint8_t)regs->hl;
    return 0;
}
