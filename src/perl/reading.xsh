MODULE = Devel::DProf::Profile  PACKAGE = Devel::DProf::Profile

Devel::DProf::Profile
_read(int fd, SV *first, SV *calls, SV *code, HV *told)
  PREINIT:
    struct source source;
    struct dp_in in;
    struct dp_read_options options;
    struct dp_hints hints;
    struct dp_err err;
    Devel__DProf__Calls heard;
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
    heard = SvOK(calls) ? INT2PTR(Devel__DProf__Calls, SvIV(SvRV(calls))) : NULL;
    if (heard)
        listen_to(heard, &options);
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
    if (heard && heard->lane)
        dp_lane_end(heard->lane, RETVAL);
    if (source.error)
        dp_note(RETVAL, DP_NOTE_READ_ERROR, 0, "%s", Strerror(source.error));
  OUTPUT:
    RETVAL
