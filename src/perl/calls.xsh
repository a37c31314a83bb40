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
_trace(SV *handle, int compact, int within, SV *code)
  CODE:
    RETVAL = dp_alloc(sizeof *RETVAL);
    RETVAL->handle = newSVsv(handle);
    RETVAL->decide = SvOK(code) ? newSVsv(code) : NULL;
    dp_out_init(&RETVAL->out, to_handle, RETVAL->handle);
    RETVAL->trace = dp_alloc(sizeof *RETVAL->trace);
    dp_trace_init(RETVAL->trace, &RETVAL->out, compact, within, RETVAL->decide ? decide : NULL,
                  RETVAL->decide);
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
_timeline(int within, SV *code)
  CODE:
    RETVAL = dp_alloc(sizeof *RETVAL);
    RETVAL->decide = SvOK(code) ? newSVsv(code) : NULL;
    RETVAL->timeline = dp_alloc(sizeof *RETVAL->timeline);
    dp_timeline_init(RETVAL->timeline, within, RETVAL->decide ? decide : NULL, RETVAL->decide);
  OUTPUT:
    RETVAL

UV
_tracks(Devel::DProf::Calls self)
  CODE:
    RETVAL = self->timeline ? self->timeline->ntracks : 0;
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

Devel::DProf::Calls
_lane(int within, SV *code, int anonymous)
  CODE:
    RETVAL = dp_alloc(sizeof *RETVAL);
    RETVAL->decide = SvOK(code) ? newSVsv(code) : NULL;
    RETVAL->lane = dp_alloc(sizeof *RETVAL->lane);
    dp_lane_init(RETVAL->lane, within, RETVAL->decide ? decide : NULL, RETVAL->decide);
    RETVAL->lane->anonymous = anonymous;
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

double
_end_trace(Devel::DProf::Calls self, Devel::DProf::Profile profile)
  PREINIT:
    uint64_t folded;
  CODE:
    folded = dp_trace_end(self->trace, profile);
    RETVAL = folded == DP_TRACE_NONE ? -1 : (double)folded;
    if (dp_flush(&self->out) < 0)
        croak("cannot write the profile: %s\n", Strerror(errno));
  OUTPUT:
    RETVAL

void
DESTROY(Devel::DProf::Calls self)
  CODE:
    if (self->tree)
        dp_tree_free(self->tree);
    if (self->trace)
        dp_trace_free(self->trace);
    dp_free(self->trace);
    if (self->durations)
        dp_durations_free(self->durations);
    if (self->lane)
        dp_lane_free(self->lane);
    dp_free(self->durations);
    if (self->timeline)
        dp_timeline_free(self->timeline);
    dp_free(self->timeline);
    dp_free(self->lane);
    dp_free(self->tail);
    SvREFCNT_dec(self->handle);
    SvREFCNT_dec(self->decide);
    dp_free(self);
