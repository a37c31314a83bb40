/*
 * The library for Perl: arguments apart, one call, results together. What it means is said in
 * lib/Devel/DProf/Profile.pm.
 */
#define PERL_NO_GET_CONTEXT
#include "EXTERN.h"
#include "perl.h"
#include "XSUB.h"

#include "base/escape.h"
#include "base/in.h"
#include "base/mem.h"
#include "model/change.h"
#include "model/check.h"
#include "model/notes.h"
#include "model/strings.h"
#include "read/parts.h"
#include "read/read.h"
#include "write/durations.h"
#include "write/names.h"
#include "write/tail.h"
#include "write/tree.h"
#include "write/write.h"
#include "z80/console.h"
#include "z80/instrument.h"

typedef struct dp_profile *Devel__DProf__Profile;

/* Who hears the calls of a trace while it is read; one of the three. */
typedef struct calls {
    struct dp_tree *tree; /* prints them: -T and -t */
    struct dp_durations *durations;
    struct dp_tail *tail;
    struct dp_out out; /* of the tree */
    SV *handle;
    SV *decide;
} *Devel__DProf__Calls;

/* Where bytes come from: some that were read already, then a file. */
struct source {
    int fd;
    const char *first;
    size_t nfirst;
    SV *progress;  /* code to call now and then; true stops the reading */
    int error;     /* errno */
    uint64_t left; /* no more bytes than these from the file */
    struct file_parts *parts; /* NULL: it is read as a whole */
};

#include "threads.inc"

static void no_memory(void)
{
#if IN_THREADS
    static const char text[] = "dprofpp: out of memory\n";

    if (!pthread_equal(pthread_self(), main_thread)) {
        if (write(2, text, sizeof text - 1) < 0)
            _exit(1);
        _exit(1);
    }
#endif
    Perl_croak_nocontext("dprofpp: out of memory\n");
}

static ptrdiff_t fill(void *ctx, char *to, size_t room)
{
    struct source *source = ctx;
    ssize_t got;

    if (source->nfirst) {
        size_t n = source->nfirst < room ? source->nfirst : room;

        memcpy(to, source->first, n);
        source->first += n;
        source->nfirst -= n;
        return (ptrdiff_t)n;
    }
    if (room > source->left)
        room = (size_t)source->left;
    do
        got = room ? read(source->fd, to, room) : 0;
    while (got < 0 && errno == EINTR);
    if (got < 0)
        source->error = errno;
    else
        source->left -= (uint64_t)got;
    return got;
}

static int progress(void *ctx, uint64_t bytes)
{
    dTHX;
    struct source *source = ctx;
    int stop;
    dSP;

    ENTER;
    SAVETMPS;
    PUSHMARK(SP);
#if IN_THREADS
    if (source->parts)
        bytes = read_so_far(source->parts, bytes);
#endif
    XPUSHs(sv_2mortal(newSVnv((NV)bytes)));
    PUTBACK;
    call_sv(source->progress, G_SCALAR);
    SPAGAIN;
    stop = SvTRUE(TOPs);
    (void)POPs;
    PUTBACK;
    FREETMPS;
    LEAVE;
    return stop;
}

static int to_handle(void *ctx, const char *bytes, size_t n)
{
    dTHX;
    PerlIO *io = IoOFP(sv_2io((SV *)ctx));

    return io && PerlIO_write(io, bytes, n) == (SSize_t)n ? 0 : -1;
}

static SV *text(pTHX_ const char *bytes, size_t n)
{
    SV *sv = newSVpvn(bytes, n);

    if (is_utf8_string((const U8 *)bytes, n))
        SvUTF8_on(sv);
    return sv;
}

static SV *string(pTHX_ const struct dp_profile *prof, uint32_t index)
{
    size_t n;
    const char *bytes = dp_string(prof, index, &n);

    return index == DP_NONE ? newSV(0) : text(aTHX_ bytes, n);
}

static uint32_t interned(pTHX_ struct dp_profile *prof, SV *sv)
{
    STRLEN n;
    const char *bytes;

    if (!SvOK(sv))
        return DP_NONE;
    bytes = SvPVutf8(sv, n);
    return dp_intern(prof->strings, bytes, n);
}

static struct dp_lens_sub decide(void *ctx, struct dp_profile *prof, uint32_t sub)
{
    dTHX;
    struct dp_lens_sub shown = {DP_NONE, 0};
    int n;
    dSP;

    ENTER;
    SAVETMPS;
    PUSHMARK(SP);
    EXTEND(SP, 4);
    PUSHs(sv_2mortal(string(aTHX_ prof, dp_plain_name(prof, sub))));
    PUSHs(sv_2mortal(string(aTHX_ prof, prof->subs[sub].name)));
    PUSHs(sv_2mortal(string(aTHX_ prof, dp_autoload_name(prof, sub))));
    PUSHs(sv_2mortal(string(aTHX_ prof, prof->subs[sub].file)));
    PUTBACK;
    n = call_sv((SV *)ctx, G_ARRAY);
    SPAGAIN;
    if (n > 1)
        shown.within = SvTRUE(TOPs);
    while (n-- > 1)
        (void)POPs;
    if (n == 0)
        shown.as = interned(aTHX_ prof, POPs);
    PUTBACK;
    FREETMPS;
    LEAVE;
    return shown;
}

static void listen_to(struct calls *calls, struct dp_read_options *options)
{
    if (calls->tree) {
        options->listener = dp_tree_listener(calls->tree);
        options->begin = dp_tree_begin;
        options->ctx = calls->tree;
    } else if (calls->durations) {
        options->listener = &calls->durations->listener;
        options->begin = dp_durations_begin;
        options->ctx = calls->durations;
    } else {
        options->listener = &calls->tail->listener;
        options->begin = dp_tail_begin;
        options->ctx = calls->tail;
    }
}

static SV *field(pTHX_ HV *hash, const char *key)
{
    SV **found = hv_fetch(hash, key, (I32)strlen(key), 0);

    return found && SvOK(*found) ? *found : NULL;
}

static IV number(pTHX_ HV *hash, const char *key, IV otherwise)
{
    SV *sv = field(aTHX_ hash, key);

    return sv ? SvIV(sv) : otherwise;
}

static int word(pTHX_ HV *hash, const char *key, const char *const *words, int n)
{
    SV *sv = field(aTHX_ hash, key);

    for (int i = 0; sv && i < n; i++)
        if (!strcmp(SvPV_nolen(sv), words[i]))
            return i;
    if (sv)
        croak("no %s named %s\n", key, SvPV_nolen(sv));
    return 0;
}

static const unsigned char *mask(pTHX_ HV *hash, const char *key, uint32_t n)
{
    SV *sv = field(aTHX_ hash, key);
    STRLEN length;
    const char *bytes = sv ? SvPVbyte(sv, length) : NULL;

    if (bytes && length != n)
        croak("%s: expected a byte for each of %lu subs, found %lu\n", key, (unsigned long)n,
              (unsigned long)length);
    return (const unsigned char *)bytes;
}

static struct dp_view view_of(pTHX_ const struct dp_profile *prof, HV *hash)
{
    struct dp_view view;

    memset(&view, 0, sizeof view);
    view.clock = (enum dp_clock)word(aTHX_ hash, "clock", dp_clock_names, DP_NCLOCKS);
    view.sort = (enum dp_sort)word(aTHX_ hash, "sort", dp_sort_names, DP_NSORTS);
    view.inclusive = number(aTHX_ hash, "inclusive", 0) != 0;
    view.reverse = number(aTHX_ hash, "reverse", 0) != 0;
    view.rows = number(aTHX_ hash, "rows", -1);
    view.header = number(aTHX_ hash, "header", 1) != 0;
    view.page = (uint32_t)number(aTHX_ hash, "page", 0);
    view.width = (uint32_t)number(aTHX_ hash, "width", 0);
    view.elapsed = number(aTHX_ hash, "elapsed", 0);
    view.age = field(aTHX_ hash, "age") ? SvNV(field(aTHX_ hash, "age")) : 0;
    view.within = number(aTHX_ hash, "within", 0) != 0;
    view.hide = mask(aTHX_ hash, "hide", prof->nsubs);
    view.of = mask(aTHX_ hash, "of", prof->nsubs);
    view.groups = mask(aTHX_ hash, "groups", prof->nsubs);
    return view;
}

/* The bytes stay those of the hash. */
static struct dp_hints hints_of(pTHX_ HV *hash)
{
    struct dp_hints hints = {0, NULL, 0};
    SV *symbols = field(aTHX_ hash, "symbols");
    STRLEN n = 0;

    hints.origin = number(aTHX_ hash, "origin", -1);
    if (symbols)
        hints.symbols = SvPVbyte(symbols, n);
    hints.nsymbols = n;
    return hints;
}

static void store(pTHX_ HV *hash, const char *key, SV *value)
{
    (void)hv_store(hash, key, (I32)strlen(key), value, 0);
}

static int to_fd(void *ctx, const char *bytes, size_t n)
{
    const int *fd = ctx;

    while (n) {
        ssize_t put = write(*fd, bytes, n);

        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return -1;
        bytes += put;
        n -= (size_t)put;
    }
    return 0;
}

static const char *const z80_endings[] = {"ended", "halted", "loops", "stopped", "wild"};

static HV *end_of_run(pTHX_ const struct dp_z80_end_of_run *end, const struct dp_z80_trace *trace)
{
    HV *hash = newHV();

    store(aTHX_ hash, "why", newSVpv(z80_endings[end->why], 0));
    store(aTHX_ hash, "at", newSVuv(end->at));
    store(aTHX_ hash, "sp", newSVuv(end->image.sp));
    store(aTHX_ hash, "tstates", newSVnv((NV)end->tstates));
    store(aTHX_ hash, "left_out", newSVnv((NV)trace->left_out));
    store(aTHX_ hash, "instructions", newSVnv((NV)end->instructions));
    store(aTHX_ hash, "marks", newSVnv((NV)trace->marks));
    store(aTHX_ hash, "unknown_call", newSVuv(end->unknown_call));
    store(aTHX_ hash, "refused_write", newSVuv(end->refused_write));
    store(aTHX_ hash, "memory", newSVpvn((const char *)end->image.mem, DP_Z80_MEMORY));
    return hash;
}

static SV *message(pTHX_ const struct dp_err *err)
{
    char shown[4 * sizeof err->text];

    dp_show_name(shown, sizeof shown, err->text, strlen(err->text));
    return err->line ? newSVpvf("line %.0f: %s", (double)err->line, shown) : newSVpv(shown, 0);
}

static SV *note_of(pTHX_ const struct dp_note *note)
{
    HV *hash = newHV();
    char shown[4 * sizeof note->text];

    dp_show_name(shown, sizeof shown, note->text, strlen(note->text));
    store(aTHX_ hash, "code", newSVpv(dp_note_names[note->code], 0));
    store(aTHX_ hash, "count", newSVnv((NV)note->count));
    store(aTHX_ hash, "line", newSVnv((NV)note->line));
    store(aTHX_ hash, "text", text(aTHX_ shown, strlen(shown)));
    store(aTHX_ hash, "loss", newSViv(note->code >= DP_NOTE_LOSS));
    return newRV_noinc((SV *)hash);
}

static SV *writer_of(pTHX_ const struct dp_writer *writer)
{
    HV *hash = newHV();

    store(aTHX_ hash, "name", newSVpv(writer->name, 0));
    store(aTHX_ hash, "about", newSVpv(writer->about, 0));
    store(aTHX_ hash, "ending", newSVpv(writer->ending, 0));
    store(aTHX_ hash, "report", newSViv(writer->writes == DP_WRITES_REPORT));
    store(aTHX_ hash, "order", newSViv((writer->needs & DP_NEEDS_ORDER) != 0));
    store(aTHX_ hash, "durations", newSViv((writer->needs & DP_NEEDS_DURATIONS) != 0));
    store(aTHX_ hash, "tail", newSViv((writer->needs & DP_NEEDS_TAIL) != 0));
    store(aTHX_ hash, "files", newSViv((writer->needs & DP_NEEDS_FILES) != 0));
    store(aTHX_ hash, "plain", newSViv((writer->needs & DP_NEEDS_PLAIN) != 0));
    return newRV_noinc((SV *)hash);
}

static SV *sub_of(pTHX_ const struct dp_profile *prof, uint32_t sub)
{
    HV *hash = newHV();

    store(aTHX_ hash, "name", string(aTHX_ prof, prof->subs[sub].name));
    store(aTHX_ hash, "file", string(aTHX_ prof, prof->subs[sub].file));
    store(aTHX_ hash, "line", newSVuv(prof->subs[sub].line));
    store(aTHX_ hash, "kind", newSVpv(dp_kind_names[prof->subs[sub].kind], 0));
    return newRV_noinc((SV *)hash);
}

#include "perl/pascal_glue.inc"

MODULE = Devel::DProf::Profile  PACKAGE = Devel::DProf::Profile

PROTOTYPES: DISABLE

BOOT:
    dp_no_memory = no_memory;
#if IN_THREADS
    main_thread = pthread_self();
#endif

Devel::DProf::Profile
_read(int fd, SV *first, SV *calls, SV *code, HV *told)
  PREINIT:
    struct source source;
    struct dp_in in;
    struct dp_read_options options;
    struct dp_hints hints;
    struct dp_err err;
    STRLEN n;
  CODE:
    memset(&options, 0, sizeof options);
    hints = hints_of(aTHX_ told);
    options.hints = &hints;
    options.from = field(aTHX_ told, "from") ? SvPV_nolen(field(aTHX_ told, "from")) : NULL;
    memset(&err, 0, sizeof err);
    source.fd = fd;
    source.first = SvPVbyte(first, n);
    source.nfirst = n;
    source.progress = code;
    source.error = 0;
    source.left = UINT64_MAX;
    source.parts = NULL;
    if (SvOK(calls))
        listen_to(INT2PTR(Devel__DProf__Calls, SvIV(SvRV(calls))), &options);
    dp_in_source(&in, fill, &source);
    if (field(aTHX_ told, "beside")) {
        in.beside = SvPVbyte(field(aTHX_ told, "beside"), n);
        in.nbeside = n;
    }
    if (SvOK(code))
        in.progress = progress;
    ENTER;
#if IN_THREADS
    /* Who hears every call wants them in order. */
    if (!options.listener && !options.stats && !options.from) {
        source.parts = in_parts(&source, &in, (UV)number(aTHX_ told, "threads", 0),
                                (UV)number(aTHX_ told, "part_bytes", (IV)PART_BYTES));
        if (source.parts)
            SAVEDESTRUCTOR_X(free_parts, source.parts);
    }
#endif
    RETVAL = dp_read(&in, &options, &err);
    dp_in_free(&in);
    LEAVE;
    if (!RETVAL)
        croak("%s\n", SvPV_nolen(sv_2mortal(message(aTHX_ &err))));
    if (source.error)
        dp_note(RETVAL, DP_NOTE_READ_ERROR, 0, "%s", Strerror(source.error));
  OUTPUT:
    RETVAL

int
can_run_z80()
  CODE:
    RETVAL = dp_z80_can_run();
  OUTPUT:
    RETVAL

HV *
_instrument_z80(SV *text, SV *handle)
  PREINIT:
    struct dp_z80_instrumented done;
    struct dp_out out;
    struct dp_err err;
    const char *bytes;
    STRLEN n;
  CODE:
    memset(&err, 0, sizeof err);
    bytes = SvPVbyte(text, n);
    dp_out_init(&out, to_handle, handle);
    if (dp_z80_instrument(bytes, n, &out, &done, &err) < 0)
        croak("%s\n", SvPV_nolen(sv_2mortal(message(aTHX_ &err))));
    if (dp_flush(&out) < 0)
        croak("cannot write: %s\n", Strerror(errno));
    RETVAL = newHV();
    sv_2mortal((SV *)RETVAL);
    store(aTHX_ RETVAL, "functions", newSVuv(done.functions));
    store(aTHX_ RETVAL, "skipped", newSVuv(done.skipped));
  OUTPUT:
    RETVAL

HV *
_run_z80(int fd, SV *bytes, HV *told)
  PREINIT:
    struct dp_z80_start start;
    struct dp_z80_console *console;
    struct dp_z80_host host;
    struct dp_z80_program *program;
    struct dp_z80_symbols *symbols;
    struct dp_z80_trace *trace;
    struct dp_z80_end_of_run *end;
    struct dp_z80_image *hex;
    struct dp_hints hints;
    struct dp_out out;
    struct dp_err err;
    int status;
    STRLEN n;
  CODE:
    memset(&err, 0, sizeof err);
    hints = hints_of(aTHX_ told);
    start.bytes = (const U8 *)SvPVbyte(bytes, n);
    start.nbytes = n;
    start.origin = (int32_t)hints.origin;
    start.until = (int32_t)number(aTHX_ told, "until", -1);
    start.tail = field(aTHX_ told, "tail") ? SvPV_nolen(field(aTHX_ told, "tail")) : "";
    hex = dp_alloc(sizeof *hex);
    if (start.origin < 0 && start.bytes[0] == ':' && dp_z80_load_hex(hex, start.bytes, n)) {
        start.bytes = hex->mem + hex->first;
        start.nbytes = hex->last + 1 - hex->first;
        start.origin = hex->first == 0x100 ? -1 : (int32_t)hex->first;
    }
    dp_out_init(&out, to_fd, &fd);
    if (field(aTHX_ told, "head")) {
        const char *head = SvPVbyte(field(aTHX_ told, "head"), n);

        dp_put(&out, head, n);
    }
    program = dp_z80_find(start.bytes, start.nbytes, start.origin < 0 ? 0x100 : start.origin);
    symbols = dp_z80_symbols_new(hints.symbols, hints.nsymbols);
    trace = dp_z80_trace_new(&out, program, symbols);
    trace->raw = number(aTHX_ told, "raw", 0) != 0;
    end = dp_alloc(sizeof *end);
    console = dp_alloc(sizeof *console);
    dp_z80_console_begin(console, &host, (double)number(aTHX_ told, "seconds", 0),
                         number(aTHX_ told, "allow_write", 0) != 0);
    status = dp_z80_run(&start, &host, trace, end, &err);
    dp_z80_console_end(console);
    RETVAL = status < 0 ? NULL : end_of_run(aTHX_ end, trace);
    if (RETVAL && dp_flush(&out) < 0)
        store(aTHX_ RETVAL, "unwritten", newSVpv(Strerror(errno), 0));
    dp_z80_trace_free(trace);
    dp_z80_symbols_free(symbols);
    dp_z80_program_free(program);
    dp_free(hex);
    dp_free(end);
    dp_free(console);
    if (!RETVAL)
        croak("%s\n", SvPV_nolen(sv_2mortal(message(aTHX_ &err))));
    sv_2mortal((SV *)RETVAL);
  OUTPUT:
    RETVAL

void
DESTROY(Devel::DProf::Profile self)
  CODE:
    dp_profile_free(self);

SV *
_write(Devel::DProf::Profile self, const char *name, SV *handle, HV *view, SV *calls)
  PREINIT:
    const struct dp_writer *writer;
    struct dp_sums *sums;
    struct dp_view how;
    struct dp_out out;
    struct dp_job job;
    struct dp_err err;
  CODE:
    if (!(writer = dp_writer_named(name)))
        croak("no report or format is named %s\n", name);
    memset(&err, 0, sizeof err);
    memset(&job, 0, sizeof job);
    how = view_of(aTHX_ self, view);
    dp_out_init(&out, to_handle, handle);
    sums = dp_sums_new(self);
    job.prof = self;
    job.sums = sums;
    job.view = &how;
    job.out = &out;
    if (SvOK(calls)) {
        Devel__DProf__Calls heard = INT2PTR(Devel__DProf__Calls, SvIV(SvRV(calls)));

        job.tail = heard->tail;
        job.durations = heard->durations;
    }
    RETVAL = writer->write(&job, &err) < 0 ? message(aTHX_ &err) : newSV(0);
    dp_sums_free(sums);
    if (dp_flush(&out) < 0)
        croak("cannot write the report: %s\n", Strerror(errno));
  OUTPUT:
    RETVAL

void
clean(Devel::DProf::Profile self)
  CODE:
    dp_profile_clean(self);

int
counts(Devel::DProf::Profile self)
  CODE:
    RETVAL = self->counts;
  OUTPUT:
    RETVAL

void
subtract(Devel::DProf::Profile self, Devel::DProf::Profile base)
  CODE:
    dp_profile_subtract(self, base);

void
merge(Devel::DProf::Profile self, Devel::DProf::Profile from)
  CODE:
    dp_profile_merge(self, from);

SV *
_shown(SV *self, int separate, int autoload)
  PREINIT:
    Devel__DProf__Profile prof;
    uint32_t *as;
  CODE:
    prof = INT2PTR(Devel__DProf__Profile, SvIV(SvRV(self)));
    as = dp_shown_names(prof, separate, autoload);
    if (as) {
        RETVAL = sv_setref_pv(newSV(0), "Devel::DProf::Profile", dp_profile_renamed(prof, as));
        dp_free(as);
    } else {
        RETVAL = newSVsv(self);
    }
  OUTPUT:
    RETVAL

Devel::DProf::Profile
_renamed(Devel::DProf::Profile self, AV *names)
  PREINIT:
    uint32_t *as;
  CODE:
    as = dp_alloc_array(self->nsubs, sizeof *as);
    for (uint32_t i = 0; i < self->nsubs; i++) {
        SV **name = av_fetch(names, (I32)i, 0);

        as[i] = name ? interned(aTHX_ self, *name) : DP_NONE;
    }
    RETVAL = dp_profile_renamed(self, as);
    dp_free(as);
  OUTPUT:
    RETVAL

Devel::DProf::Profile
_within(Devel::DProf::Profile self, SV *wanted)
  PREINIT:
    STRLEN n;
    const char *bytes;
  CODE:
    bytes = SvPVbyte(wanted, n);
    if (n != self->nsubs)
        croak("expected a byte for each of %lu subs\n", (unsigned long)self->nsubs);
    RETVAL = dp_profile_within(self, (const unsigned char *)bytes);
  OUTPUT:
    RETVAL

void
notes(Devel::DProf::Profile self)
  PPCODE:
    EXTEND(SP, (SSize_t)self->nnotes);
    for (uint32_t i = 0; i < self->nnotes; i++)
        PUSHs(sv_2mortal(note_of(aTHX_ &self->notes[i])));

void
subs(Devel::DProf::Profile self)
  PPCODE:
    EXTEND(SP, (SSize_t)self->nsubs);
    for (uint32_t i = 0; i < self->nsubs; i++)
        PUSHs(sv_2mortal(sub_of(aTHX_ self, i)));

void
names(Devel::DProf::Profile self)
  PPCODE:
    EXTEND(SP, (SSize_t)self->nsubs);
    for (uint32_t i = 0; i < self->nsubs; i++)
        PUSHs(sv_2mortal(string(aTHX_ self, self->subs[i].name)));

SV *
run(Devel::DProf::Profile self)
  PREINIT:
    HV *hash;
  CODE:
    hash = newHV();
    store(aTHX_ hash, "id", string(aTHX_ self, self->run.id));
    store(aTHX_ hash, "pid", string(aTHX_ self, self->run.pid));
    store(aTHX_ hash, "parent", string(aTHX_ self, self->run.parent));
    store(aTHX_ hash, "started", string(aTHX_ self, self->run.started));
    store(aTHX_ hash, "host", string(aTHX_ self, self->run.host));
    store(aTHX_ hash, "cmd", string(aTHX_ self, self->run.cmd));
    store(aTHX_ hash, "perl", string(aTHX_ self, self->run.perl));
    store(aTHX_ hash, "version", string(aTHX_ self, self->run.version));
    RETVAL = newRV_noinc((SV *)hash);
  OUTPUT:
    RETVAL

int
lost(Devel::DProf::Profile self)
  CODE:
    RETVAL = self->lost;
  OUTPUT:
    RETVAL

double
elapsed(Devel::DProf::Profile self)
  CODE:
    RETVAL = (double)self->total.real;
  OUTPUT:
    RETVAL

double
calls(Devel::DProf::Profile self)
  CODE:
    RETVAL = 0;
    for (uint32_t i = 0; i < self->nnodes; i++)
        RETVAL += (double)self->nodes[i].calls;
  OUTPUT:
    RETVAL

SV *
fault(Devel::DProf::Profile self)
  PREINIT:
    struct dp_err err;
  CODE:
    memset(&err, 0, sizeof err);
    RETVAL = dp_profile_check(self, &err) < 0 ? message(aTHX_ &err) : newSV(0);
  OUTPUT:
    RETVAL

void
writers()
  PPCODE:
    for (int i = 0; dp_writers[i]; i++)
        XPUSHs(sv_2mortal(writer_of(aTHX_ dp_writers[i])));

void
readers()
  PPCODE:
    for (int i = 0; dp_readers[i]; i++) {
        HV *hash = newHV();

        store(aTHX_ hash, "name", newSVpv(dp_readers[i]->name, 0));
        store(aTHX_ hash, "about", newSVpv(dp_readers[i]->about, 0));
        XPUSHs(sv_2mortal(newRV_noinc((SV *)hash)));
    }

MODULE = Devel::DProf::Profile  PACKAGE = Devel::DProf::Calls

Devel::DProf::Calls
_tree(SV *handle, int collapsed, int within, SV *code)
  CODE:
    RETVAL = dp_alloc(sizeof *RETVAL);
    RETVAL->handle = newSVsv(handle);
    RETVAL->decide = SvOK(code) ? newSVsv(code) : NULL;
    dp_out_init(&RETVAL->out, to_handle, RETVAL->handle);
    RETVAL->tree = dp_tree_new(&RETVAL->out, collapsed, within,
                               RETVAL->decide ? decide : NULL, RETVAL->decide);
  OUTPUT:
    RETVAL

Devel::DProf::Calls
_durations(int within, SV *code)
  CODE:
    RETVAL = dp_alloc(sizeof *RETVAL);
    RETVAL->decide = SvOK(code) ? newSVsv(code) : NULL;
    RETVAL->durations = dp_alloc(sizeof *RETVAL->durations);
    dp_durations_init(RETVAL->durations, within, RETVAL->decide ? decide : NULL, RETVAL->decide);
  OUTPUT:
    RETVAL

Devel::DProf::Calls
_tail()
  CODE:
    RETVAL = dp_alloc(sizeof *RETVAL);
    RETVAL->tail = dp_alloc(sizeof *RETVAL->tail);
    dp_tail_init(RETVAL->tail);
  OUTPUT:
    RETVAL

double
_end(Devel::DProf::Calls self)
  CODE:
    RETVAL = (double)dp_tree_end(self->tree);
    if (dp_flush(&self->out) < 0)
        croak("cannot write the report: %s\n", Strerror(errno));
  OUTPUT:
    RETVAL

void
DESTROY(Devel::DProf::Calls self)
  CODE:
    if (self->tree)
        dp_tree_free(self->tree);
    if (self->durations)
        dp_durations_free(self->durations);
    dp_free(self->durations);
    dp_free(self->tail);
    SvREFCNT_dec(self->handle);
    SvREFCNT_dec(self->decide);
    dp_free(self);

INCLUDE: pascal.xsh
