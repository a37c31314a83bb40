MODULE = Devel::DProf::Profile  PACKAGE = Devel::DProf::Profile

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

int
uncounted(Devel::DProf::Profile self)
  CODE:
    RETVAL = self->uncounted;
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

Devel::DProf::Profile
_compare(AV *now, AV *base)
  PREINIT:
    struct dp_profile **sides[2];
    uint32_t n[2];
  CODE:
    ENTER;
    sides[0] = profiles_in(aTHX_ now, &n[0]);
    sides[1] = profiles_in(aTHX_ base, &n[1]);
    RETVAL = dp_compare(sides[0], n[0], sides[1], n[1]);
    LEAVE;
  OUTPUT:
    RETVAL

void
_conceal(Devel::DProf::Profile self, SV *path_of)
  CODE:
    conceal(aTHX_ self, path_of);
