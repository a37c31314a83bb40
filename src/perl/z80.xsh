MODULE = Devel::DProf::Profile  PACKAGE = Devel::DProf::Profile

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
    store(aTHX_ RETVAL, "naked", newSVuv(done.naked));
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
    struct dp_z80_place place = {-1, -1};
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
    place.origin = start.origin < 0 ? 0x100 : start.origin;
    program = dp_z80_find(start.bytes, start.nbytes, &place);
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
