MODULE = Devel::DProf::Profile  PACKAGE = Devel::DProf::Pascal

# A program's source: its name, its bytes, its date, code that reads included files, which dialect
# (0: either, 1: Berkeley's, 2: modern, 3: today's), card images.
Devel::DProf::Pascal
_parse(const char *name, SV *bytes, double mtime, SV *load, int dialect, int card)
  PREINIT:
    struct dp_pascal_loader loader;
    struct dp_pascal_options options;
    STRLEN n;
    const char *text;
  CODE:
    loader.load = load_include;
    loader.ctx = load;
    memset(&options, 0, sizeof options);
    options.dialect = dialect == 1 ? DP_PASCAL_BERKELEY
                    : dialect == 2 ? DP_PASCAL_MODERN
                    : dialect == 3 ? DP_PASCAL_TODAY : DP_PASCAL_EITHER;
    options.card = card;
    text = SvPVbyte(bytes, n);
    RETVAL = dp_alloc(sizeof *RETVAL);
    RETVAL->pascal = dp_pascal_parse(name, text, n, (int64_t)mtime, &loader, &options);
  OUTPUT:
    RETVAL

void
DESTROY(Devel::DProf::Pascal self)
  CODE:
    dp_pascal_free(self->pascal);
    SvREFCNT_dec(self->frames);
    SvREFCNT_dec(self->death);
    SvREFCNT_dec(self->returned);
    dp_free(self);

# How the run ended that is to be read: a list of routines and lines, innermost first; how many statements ran,
# -1 if that is not known; why.
void
_died(Devel::DProf::Pascal self, AV *frames, double statements, SV *death)
  CODE:
    SvREFCNT_dec(self->frames);
    SvREFCNT_dec(self->death);
    self->frames = newRV_inc((SV *)frames);
    self->death = newSVsv(death);
    self->statements = statements;

# What an instrumented program counted beside: the bytes of its pmon.out.returns.
void
_returned(Devel::DProf::Pascal self, SV *bytes)
  CODE:
    SvREFCNT_dec(self->returned);
    self->returned = newSVsv(bytes);

SV *
_fingerprint(Devel::DProf::Pascal self)
  PREINIT:
    char hex[20];
  CODE:
    snprintf(hex, sizeof hex, "%016" PRIx64, self->pascal ? dp_pascal_fingerprint(self->pascal) : 0);
    RETVAL = newSVpv(hex, 16);
  OUTPUT:
    RETVAL

# How many mistakes were not mended.
double
hard(Devel::DProf::Pascal self)
  CODE:
    RETVAL = self->pascal ? (double)self->pascal->nhard : 0;
  OUTPUT:
    RETVAL

int
has_program(Devel::DProf::Pascal self)
  CODE:
    RETVAL = self->pascal && self->pascal->has_program;
  OUTPUT:
    RETVAL

# Does it use units?
int
_uses(Devel::DProf::Pascal self)
  CODE:
    RETVAL = self->pascal && self->pascal->has_program && dp_pascal_uses(self->pascal);
  OUTPUT:
    RETVAL

double
counters(Devel::DProf::Pascal self)
  CODE:
    RETVAL = self->pascal ? (double)self->pascal->ntaken : 0;
  OUTPUT:
    RETVAL

void
mistakes(Devel::DProf::Pascal self)
  PPCODE:
    for (uint32_t i = 0; self->pascal && i < self->pascal->nmistakes; i++) {
        const struct dp_pascal_mistake *mistake = &self->pascal->mistakes[i];
        char shown[4 * sizeof mistake->text];
        HV *hash = newHV();

        dp_show_name(shown, sizeof shown, mistake->text, strlen(mistake->text));
        store(aTHX_ hash, "file", newSVpv(self->pascal->files[mistake->file].name, 0));
        store(aTHX_ hash, "line", newSVuv(mistake->line));
        store(aTHX_ hash, "column", newSVuv(mistake->column));
        store(aTHX_ hash, "mended", newSViv(mistake->mended));
        store(aTHX_ hash, "text", text(aTHX_ shown, strlen(shown)));
        XPUSHs(sv_2mortal(newRV_noinc((SV *)hash)));
    }

# Prints it re-formatted.
void
_pretty(Devel::DProf::Pascal self, SV *handle, HV *how)
  PREINIT:
    struct dp_pascal_style style;
    struct dp_out out;
    const char **only;
    char *names;
  CODE:
    style_of(aTHX_ how, &style, &only, &names);
    dp_out_init(&out, to_handle, handle);
    if (self->pascal)
        dp_pascal_pretty(self->pascal, &style, &out);
    dp_free(only);
    dp_free(names);
    if (dp_flush(&out) < 0)
        croak("cannot write the report: %s\n", Strerror(errno));

# Writes it with its counters in it, for Free Pascal.
void
_instrument(Devel::DProf::Pascal self, SV *handle)
  PREINIT:
    struct dp_out out;
    struct dp_err err;
    int good;
  CODE:
    memset(&err, 0, sizeof err);
    dp_out_init(&out, to_handle, handle);
    good = self->pascal && dp_pascal_instrument(self->pascal, &out, &err) == 0;
    if (dp_flush(&out) < 0)
        croak("cannot write the program: %s\n", Strerror(errno));
    if (!good)
        croak("%s\n", SvPV_nolen(sv_2mortal(message(aTHX_ &err))));

# A profile of the program with one or more pmon.out, each given as its name and its bytes; the program
# goes over to it.
Devel::DProf::Profile
_profile(Devel::DProf::Pascal self, ...)
  PREINIT:
    struct dp_pascal_program *program;
    struct dp_build *build;
    struct dp_err err;
    struct dp_pmon pmon;
  CODE:
    program = NULL;
    if (!self->pascal || items < 3)
        croak("a program and a pmon.out are needed\n");
    for (I32 i = 2; i < items; i += 2) {
        STRLEN n;
        const char *bytes = SvPVbyte(ST(i), n);
        int good;

        memset(&err, 0, sizeof err);
        if (dp_pmon_decode(bytes, n, &pmon, &err) < 0) {
            good = 0;
        } else if (!program) {
            program = dp_pmon_match(self->pascal, &pmon, &err);
            self->pascal = NULL;
            good = program != NULL;
            dp_pmon_free(&pmon);
        } else {
            good = dp_pmon_add(program, &pmon, &err) == 0;
            dp_pmon_free(&pmon);
        }
        if (!good) {
            dp_pascal_program_free(program);
            croak("%s: %s\n", SvPV_nolen(ST(i - 1)), SvPV_nolen(sv_2mortal(message(aTHX_ &err))));
        }
    }
    if (self->returned)
        tell_returns(aTHX_ self, program);
    if (self->frames)
        tell_end(aTHX_ self, program);
    RETVAL = dp_profile_new();
    build = dp_build_new(RETVAL);
    dp_pmon_fill(build, program);
    dp_build_free(build);
  OUTPUT:
    RETVAL

# Is it a pmon.out, in any form?
int
_is_pmon(SV *bytes)
  PREINIT:
    STRLEN n;
    const char *text;
  CODE:
    text = SvPVbyte(bytes, n);
    RETVAL = dp_pmon_is(text, n);
  OUTPUT:
    RETVAL

# Statements that ran, by line: hashes of file, line, sub, count.
void
_lines(Devel::DProf::Profile profile)
  PPCODE:
    for (uint32_t i = 0; i < profile->nlines; i++) {
        const struct dp_line_count *line = &profile->lines[i];
        HV *hash = newHV();

        store(aTHX_ hash, "file", string(aTHX_ profile, line->file));
        store(aTHX_ hash, "sub", string(aTHX_ profile, profile->subs[line->sub].name));
        store(aTHX_ hash, "line", newSVuv(line->line));
        store(aTHX_ hash, "count", newSVnv((NV)line->count));
        store(aTHX_ hash, "guessed", newSViv(line->guessed));
        XPUSHs(sv_2mortal(newRV_noinc((SV *)hash)));
    }

# What routines cost: hashes of name, calls, own, all, guessed.
void
_costs(Devel::DProf::Profile profile)
  PREINIT:
    struct dp_sums *sums;
  PPCODE:
    sums = dp_sums_new(profile);
    for (uint32_t i = 0; i < profile->nsubs; i++) {
        HV *hash = newHV();

        store(aTHX_ hash, "name", string(aTHX_ profile, profile->subs[i].name));
        store(aTHX_ hash, "calls", newSVnv((NV)sums->subs[i].calls));
        store(aTHX_ hash, "own", newSVnv((NV)sums->subs[i].self.user));
        store(aTHX_ hash, "all", newSVnv((NV)sums->subs[i].incl.user));
        store(aTHX_ hash, "guessed", newSViv(sums->subs[i].guessed));
        XPUSHs(sv_2mortal(newRV_noinc((SV *)hash)));
    }
    dp_sums_free(sums);

# How a profile's listing is to look.
void
_style(Devel::DProf::Profile profile, HV *how)
  PREINIT:
    struct dp_pascal_program *program;
  CODE:
    program = dp_foreign(profile, "pascal");
    if (program)
        set_style(aTHX_ program, how);
