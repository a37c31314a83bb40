MODULE = Devel::DProf::Profile  PACKAGE = Devel::DProf::Profile

Devel::DProf::Profile
_live(int fd, SV *tree, SV *code)
  PREINIT:
    struct live *live;
    struct dp_in in;
    struct dp_read_options options;
    struct dp_err err;
    SV *owner;
  CODE:
    memset(&options, 0, sizeof options);
    memset(&err, 0, sizeof err);
    owner = sv_2mortal(newSV(sizeof *live)); /* freed also if the code dies */
    live = (struct live *)SvPVX(owner);
    memset(live, 0, sizeof *live);
    dp_growing_init(&live->growing, fd);
    live->tree = SvOK(tree) ? SvPVbyte_nolen(tree) : NULL;
    live->show = code;
    live->next = seconds_now() + SECONDS_WITHOUT_A_LOOK;
    options.from = "tmon";
    options.building = live_building;
    options.building_ctx = live;
    dp_in_source(&in, live_fill, live);
    RETVAL = dp_read(&in, &options, &err);
    dp_in_free(&in);
    if (!live->stopped)
        live_show(live, 1, RETVAL);
    if (live->growing.error)
        dp_note(RETVAL, DP_NOTE_READ_ERROR, 0, "%s", Strerror(live->growing.error));
    dp_growing_free(&live->growing);
  OUTPUT:
    RETVAL
