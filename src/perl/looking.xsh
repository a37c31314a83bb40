MODULE = Devel::DProf::Profile  PACKAGE = Devel::DProf::Profile

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

int
calibrated(Devel::DProf::Profile self)
  CODE:
    RETVAL = 0;
    for (uint32_t i = 0; i < self->novers; i++)
        RETVAL |= self->overs[i].calls != 0;
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

SV *
escaped(SV *words)
  PREINIT:
    STRLEN n;
    const char *bytes;
    char *shown;
  CODE:
    bytes = SvPV(words, n);
    shown = dp_alloc(4 * n + 1);
    RETVAL = newSVpvn(shown, dp_show_name(shown, 4 * n + 1, bytes, n));
    dp_free(shown);
  OUTPUT:
    RETVAL

void
readers()
  PPCODE:
    for (int i = 0; dp_readers[i]; i++) {
        HV *hash = newHV();

        store(aTHX_ hash, "name", newSVpv(dp_readers[i]->name, 0));
        store(aTHX_ hash, "about", newSVpv(dp_readers[i]->about, 0));
        XPUSHs(sv_2mortal(newRV_noinc((SV *)hash)));
    }

void
weights(Devel::DProf::Profile self)
  PREINIT:
    struct dp_sums *sums;
  PPCODE:
    sums = dp_sums_new(self);
    EXTEND(SP, (SSize_t)self->nsubs);
    for (uint32_t i = 0; i < self->nsubs; i++)
        PUSHs(sv_2mortal(newSVnv(weight_of(sums, i))));
    dp_sums_free(sums);

void
files(Devel::DProf::Profile self)
  PPCODE:
    EXTEND(SP, (SSize_t)self->nfiles);
    for (uint32_t i = 0; i < self->nfiles; i++) {
        HV *hash = newHV();

        store(aTHX_ hash, "path", string(aTHX_ self, self->files[i].path));
        store(aTHX_ hash, "bytes", newSVnv((NV)self->files[i].bytes));
        store(aTHX_ hash, "mtime", newSVnv((NV)self->files[i].mtime));
        PUSHs(sv_2mortal(newRV_noinc((SV *)hash)));
    }

int
statements(Devel::DProf::Profile self)
  CODE:
    RETVAL = self->statements;
  OUTPUT:
    RETVAL

void
_sum_of(Devel::DProf::Profile self, SV *name)
  PREINIT:
    struct dp_sums *sums;
    uint32_t sub;
  PPCODE:
    sub = sub_named(aTHX_ self, name);
    if (sub == DP_NONE)
        croak("there is no such sub\n");
    sums = dp_sums_new(self);
    EXTEND(SP, 2);
    PUSHs(sv_2mortal(sum_of(aTHX_ self, &sums->subs[sub])));
    PUSHs(sv_2mortal(total_of(aTHX_ self, sums)));
    dp_sums_free(sums);
