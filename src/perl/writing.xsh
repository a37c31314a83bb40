MODULE = Devel::DProf::Profile  PACKAGE = Devel::DProf::Profile

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
        job.timeline = heard->timeline;
        job.lane = heard->lane;
    }
    ENTER;
    parts_of(aTHX_ view, &job);
    RETVAL = writer->write(&job, &err) < 0 ? message(aTHX_ &err) : newSV(0);
    LEAVE;
    dp_sums_free(sums);
    if (dp_flush(&out) < 0)
        croak("cannot write the report: %s\n", Strerror(errno));
  OUTPUT:
    RETVAL

void
writers()
  PPCODE:
    for (int i = 0; dp_writers[i]; i++)
        XPUSHs(sv_2mortal(writer_of(aTHX_ dp_writers[i])));
