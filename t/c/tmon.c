/* The reader of tmon.out: dialects, metadata, damage. */
#include "profiles.h"

static void dialects(void)
{
    reads_as(HEADER "#run id=1 pid=2\n"
                    "+ 0 0 100 main::a\n"
                    "+ 1 0 101 main::b\n"
                    "- 3 0 104 main::b\n"
                    "- 4 1 106 main::a\n"
                    "#end 0 5 1 110 4\n",
             "(root) x0 1 0 4\n"
             "main::a x1 2 1 3\n"
             " main::b x1 2 0 3\n",
             "text marks");
    reads_as(HEADER "@ 1 0 2\n& 2 main a\n+ 2\n& 1f main b\n@ 2 0 3\n+ 1f\n@ 0 1 1\n- 1f\n- 2\n"
                    "@ 0 0 7\n",
             "(root) x0 1 0 9\n"
             "main::a x1 2 0 3\n"
             " main::b x1 0 1 1\n"
             "note unfinished line 0 x1\n",
             "compact marks, with a trailing @");
    reads_as(HEADER "#run id=1\n+ 5 0 100 main::a\n& 3 main a\n@ 1 0 2\n& 4 main b\n+ 4\n@ 1 1 1\n"
                    "- 4\n- 3\n#end 0 7 1 103 4\n",
             "(root) x0 0 0 0\n"
             "main::a x1 1 0 2\n"
             " main::b x1 1 1 1\n",
             "text that goes on as compact");
    reads_as(HEADER "#run id=1\n& 3 main a\n@ 5162 5172 17183717591150\n+ 3\n@ 1 0 2\n- 3\n"
                    "#end 0 5164 5172 17183717591155 2\n",
             "(root) x0 1 0 3\nmain::a x1 1 0 2\n",
             "compact marks of ours: the first @ sets the clock");
    reads_as(HEADER "+ & main::a\n@ 3 0 3\n- & main::a\n+ & main::b\n@ 0 0 2\n/ & main::b\n",
             "(root) x0 0 0 0\n"
             "main::a x1 3 0 3\n"
             "main::b x1 0 0 2\n"
             "note unfinished line 0 x1\n",
             "names without ids (perl before 5.004_55)");
    reads_as("#fOrTyTwO\n$hz=100;\n$XS_VERSION='DProf 19970606';\n# All values are given in HZ\n"
             "$rrun_utime=60; $rrun_stime=4; $rrun_rtime=80\nPART2\n"
             "+ 26 28 566822884 DynaLoader::import\n- 26 28 566822884 DynaLoader::import\n",
             "(root) x0 60 4 80\nDynaLoader::import x1 0 0 0\n", "the format of 1997");
    reads_as("#fOrTyTwO\n$hz = 1000000;\n$XS_VERSION='WxProf';\n$over_utime=1; $over_stime=0; "
             "$over_rtime=2;\n$over_tests=10000;\n$rrun_utime=9; $rrun_stime=0; $rrun_rtime=9;\n"
             "$total_marks=2;\n\nPART2\n# a comment\n& 0 A b\n+ 0\n@ 9 0 9\n# another\n- 0\n",
             "(root) x0 0 0 0\nA::b x1 9 0 9\n", "blanks round =, ids from 0, comments");
}

static void gotos(void)
{
    reads_as(HEADER "& 5 main from\n& 6 main to\n+ 5\n@ 1 0 1\n* 6\n@ 2 0 2\n- 5\n@ 4 0 4\n",
             "(root) x0 4 0 4\nmain::from x1 1 0 1\nmain::to x1 2 0 2\n"
             "note unfinished line 0 x1\n",
             "goto: the time is the target's, the exit carries the first name");
    reads_as(HEADER "& 4 A c\n& 2 A a\n& 3 A b\n+ 4\n* 2\n@ 1 0 1\n* 3\n@ 1 0 1\n- 4\n+ 2\n- 2\n",
             "(root) x0 0 0 0\nA::c x1 0 0 0\nA::a x2 1 0 1\nA::b x1 1 0 1\n"
             "note unfinished line 0 x1\n",
             "a chain of gotos");
    reads_as(HEADER "& 2 A a\n& 3 A b\n+ 2\n+ 3\n@ 1 0 1\n/ 3\n/ 2\n",
             "(root) x0 0 0 0\nA::a x1 0 0 0\n A::b x1 1 0 1\nnote unfinished line 0 x1\n",
             "frames left by die");
    reads_as(HEADER "& 2 A a\n+ 2\n@ 1 0 1\n+ & Devel::DProf::write\n@ 50 5 60\n"
                    "- & Devel::DProf::write\n@ 1 0 1\n- 2\n",
             "(root) x0 0 0 0\nA::a x1 2 0 2\nnote unfinished line 0 x1\n",
             "the time of writing is nobody's");
}

static void metadata(void)
{
    struct dp_profile *prof;
    static const char text[] =
        HEADER "#run id=5f2c pid=4711 parent=1 tid=7 started=1764400000.123456 cpu=thread forked\n"
               "#cmd x.pl\\x0a --all\n#perl 5.36.0\n#host box\n#over 12100 0 12200 1000\n"
               "#over 10 0 20 1000 xsub\n#file lib/A\\x20b.pm 5321 1764399000\n"
               "#sub main::bar x.pl 12 perl\n#child 99.1 tmon.out.99.1\n#unknown word\n"
               "#mark 1 2 3 half way\n+ 1 2 3 main::bar\n- 1 2 3 main::bar\n#end 3 1 2 3 2\n";
    size_t n;

    prof = profile_of(text, sizeof text - 1);
    ok(strcmp(dp_string(prof, prof->run.id, &n), "5f2c") == 0 && n == 4, "#run id");
    ok(strcmp(dp_string(prof, prof->run.tid, NULL), "7") == 0, "#run tid");
    ok(prof->run.forked, "#run forked");
    ok(strcmp(dp_string(prof, prof->run.cmd, NULL), "x.pl\n --all") == 0, "#cmd, unescaped");
    ok(strcmp(dp_string(prof, prof->run.version, NULL), "DProf 20261129") == 0, "XS_VERSION");
    ok(prof->novers == 2 && prof->overs[0].cost.real == 12200 && prof->overs[1].calls == 1000 &&
           prof->overs[1].kind == DP_KIND_XSUB,
       "#over, for all and for one kind");
    ok(prof->nfiles == 1 && prof->files[0].bytes == 5321 &&
           strcmp(dp_string(prof, prof->files[0].path, NULL), "lib/A b.pm") == 0,
       "#file");
    ok(prof->subs[0].line == 12 && prof->subs[0].kind == DP_KIND_PERL &&
           strcmp(dp_string(prof, prof->subs[0].file, NULL), "x.pl") == 0,
       "#sub");
    ok(prof->nchildren == 1 && strcmp(dp_string(prof, prof->children[0].id, NULL), "99.1") == 0,
       "#child");
    ok(prof->nlabels == 1 && prof->labels[0].at.real == 3 &&
           strcmp(dp_string(prof, prof->labels[0].text, NULL), "half way") == 0,
       "#mark");
    ok(prof->ended && !prof->lost && prof->nnotes == 0, "a clean end, nothing to note");
    dp_profile_free(prof);
}

static void gaps(void)
{
    reads_as(HEADER "#run id=1\n#open 2\n+ 0 0 10 A::a\n+ 0 0 10 A::b\n- 1 0 12 A::b\n"
                    "- 1 0 13 A::a\n#stop 1 0 13\n#start 9 9 99\n#open 1\n+ 9 9 99 A::a\n"
                    "+ 9 9 100 A::c\n- 9 9 101 A::c\n- 9 9 102 A::a\n#end 0 9 9 102 8\n",
             "(root) x0 0 0 0\nA::a x0 0 0 3\n A::b x0 1 0 2\n A::c x1 0 0 1\n",
             "a gap is nobody's, frames entered again are no calls");
    reads_as("#fOrTyTwO\n$hz=1000;\n$rrun_utime=30; $rrun_stime=0; $rrun_rtime=100;\nPART2\n"
             "#run id=1\n#stop 0 0 0\n#start 20 0 60\n+ 21 0 61 A::a\n- 22 0 62 A::a\n"
             "#end 0 30 0 100 2\n",
             "(root) x0 9 0 39\nA::a x1 1 0 1\n", "a run that starts stopped");
}

static void repairs(void)
{
    reads_as(HEADER "- 1 0 1 A::z\n+ 2 0 2 A::a\n- 3 0 3 A::q\n- 4 0 4 A::a\n",
             "(root) x0 1 0 1\nA::a x1 2 0 2\nnote no-entry line 5 x2\n"
             "note unfinished line 0 x1\n",
             "exits without entries");
    reads_as(HEADER "+ 0 0 0 A::a\n+ 1 0 1 A::b\n+ 2 0 2 A::c\n- 5 0 5 A::a\n",
             "(root) x0 0 0 0\nA::a x1 1 0 1\n A::b x1 1 0 1\n  A::c x1 3 0 3\n"
             "note mismatch line 8 x1\nnote unfinished line 0 x1\n",
             "an exit of an outer frame closes what is inside");
    reads_as(HEADER "+ 0 0 0 A::a\n+ 3 0 3 A::b\n",
             "(root) x0 0 0 0\nA::a x1 3 0 3\n A::b x1 0 0 0\n"
             "open since 0 0 0 A::a x1 3 0 3\nopen since 3 0 3  A::b x1 0 0 0\n"
             "note unfinished line 0 x1\nnote open-frames line 0 x1\n",
             "frames open at the end");
    reads_as(HEADER "+ 5 0 50 A::a\n- 4 0 40 A::a\n+ 5 0 41 A::b\n- 5 0 42 A::b\n",
             "(root) x0 1 0 1\nA::a x1 0 0 0\nA::b x1 0 0 1\nnote backwards line 6 x2\n"
             "note unfinished line 0 x1\n",
             "time that runs backwards counts as none");
    reads_as(HEADER "+ 5 0 5 A::a\n- 999999999999999 0 6 A::a\n",
             "(root) x0 0 0 0\nA::a x1 0 0 1\nnote impossible line 6 x1\n"
             "note unfinished line 0 x1\n",
             "a leap of many years counts as none");
    reads_as(HEADER "+ 5 0 5 A::a\n- 1000000000000000000000000000000 0 6 A::a\n",
             "(root) x0 0 0 0\nA::a x1 0 0 1\nnote impossible line 6 x1\n"
             "note unfinished line 0 x1\n",
             "10^30 ticks");
    reads_as(HEADER "+ 77\n- 77\n",
             "(root) x0 0 0 0\n(unknown id 77) x1 0 0 0\n"
             "note unknown-id line 5 x1\nnote unfinished line 0 x1\n",
             "an id that was not introduced");
    reads_as(HEADER "& 2 A a\n+ 2\n- 2\n& 2 A b\n+ 2\n- 2\n",
             "(root) x0 0 0 0\nA::a x1 0 0 0\nA::b x1 0 0 0\nnote unfinished line 0 x1\n",
             "an id that gets a new name");
    reads_as(HEADER "& 2 A a\n+ 2\n- 2\n+ 2\n- 2\n& 2 A b\n+ 2\n- 2\n",
             "(root) x0 0 0 0\nA::a x2 0 0 0\nA::b x1 0 0 0\nnote unfinished line 0 x1\n",
             "a new name for the id that is expected next");
    reads_as(HEADER "& 2 A a\n@ -1 0 5\n+ 2\n@ 3 0 -1\n- 2\n",
             "(root) x0 0 0 5\nA::a x1 3 0 0\nnote backwards line 6 x2\n"
             "note unfinished line 0 x1\n",
             "a negative @");
    reads_as(HEADER "! what\n+ 1 2\n+ 1 1 1 A::a\n- 1 1 1 A::a\n",
             "(root) x0 0 0 0\nA::a x1 0 0 0\nnote bad-line line 5 x2\n"
             "note unfinished line 0 x1\n",
             "lines that are no marks");
}

/* Each time around goes 10^18 ticks back: nineteen are more than 64 bits hold. */
static void far_back(void)
{
    char text[4096] = "#fOrTyTwO\n$hz=1000000000;\nPART2\n#run id=1\n";

    for (int i = 0; i < 20; i++)
        strcat(text, "+ 0 0 0 A::a\n- 0 0 1000000000000000000 A::a\n");
    reads_as(text,
             "(root) x0 0 0 0\nA::a x20 0 0 3000000000000000000\nnote backwards line 7 x19\n"
             "note impossible line 12 x17\nnote unfinished line 0 x1\n",
             "time that runs back farther than can be counted");
}

static void cuts(void)
{
    static const char nuls[] = HEADER "+ 1 0 1 A::a\n- 2 0 2 A::a\n\0\0\0\0\0\0\0\0\0\0\0\0";
    static const char numbers[] = HEADER "+ 1 0 1 A::a\n- 2 0 2 A::a\n+ 3 0 5668\0\0\0\0\0\0";

    reads_as(HEADER "+ 1 0 1 A::a\n- 2 0 2 A::a\n+ 3 0 56682",
             "(root) x0 0 0 0\nA::a x1 1 0 1\nnote cut-line line 7 x1\n"
             "note unfinished line 0 x1\n",
             "cut in the middle of a number");
    reads_as(HEADER "+ 1 0 1 A::a\n- 2 0 2 A::a\n###############",
             "(root) x0 0 0 0\nA::a x1 1 0 1\nnote unfinished line 0 x1\n", "a tail of #");
    reads_bytes_as(nuls, sizeof nuls - 1,
                   "(root) x0 0 0 0\nA::a x1 1 0 1\nnote unfinished line 0 x1\n", "a tail of NULs");
    reads_bytes_as(numbers, sizeof numbers - 1,
                   "(root) x0 0 0 0\nA::a x1 1 0 1\nnote cut-line line 7 x1\n"
                   "note unfinished line 0 x1\n",
                   "a cut number before a tail of NULs");
    reads_as("#fOrTyTwO\r\n$hz=1000;\r\nPART2\r\n+ 1 0 1 A::a\r\n- 2 0 2 A::a\r\n",
             "(root) x0 0 0 0\nA::a x1 1 0 1\nnote unfinished line 0 x1\n", "CR LF");
    reads_as("#fOrTyTwO\n$hz=1000;\n", "(root) x0 0 0 0\nnote unfinished line 0 x1\n",
             "a header without PART2");
    reads_as("#fOrTyTwO\n$hz=1000;\n+ 1 0 1 A::a\n- 2 0 2 A::a\n",
             "(root) x0 0 0 0\nA::a x1 1 0 1\nnote header line 3 x1\nnote unfinished line 0 x1\n",
             "marks without PART2");
}

static void headers(void)
{
    struct dp_profile *prof;

    reads_as("#fOrTyTwO\n$hz=0;\nsystem('echo x');\nPART2\n+ 1 0 1 A::a\n- 2 0 2 A::a\n",
             "(root) x0 0 0 0\nA::a x1 1 0 1\nnote no-hz line 2 x1\nnote header line 3 x1\nnote "
             "unfinished line 0 x1\n",
             "$hz=0 and code in the header");
    reads_as("#fOrTyTwO\n$hz=1000000000000000000000000000000;\nPART2\n+ 1 0 1 A::a\n",
             "(root) x0 0 0 0\nA::a x1 0 0 0\nopen since 1 0 1 A::a x1 0 0 0\n"
             "note impossible line 2 x1\nnote header line 2 x1\nnote no-hz line 0 x1\nnote "
             "unfinished line 0 x1\n"
             "note open-frames line 0 x1\n",
             "$hz=10^30");
    prof = profile_of("#fOrTyTwO\nPART2\n", 16);
    ok(prof && prof->hz == 100, "no $hz: 100");
    dp_profile_free(prof);
}

static void names(void)
{
    reads_as(HEADER "+ 1 0 1 main::My two words\n- 1 0 1 main::My two words\n& 7 main a b c\n+ 7\n"
                    "- 7\n+ 1 0 1 main::\xc3\xa9t\xc3\xa9\n- 1 0 1 main::\xc3\xa9t\xc3\xa9\n"
                    "+ 1 0 1 main::x\\x0ay\n- 1 0 1 main::x\\x0ay\n"
                    "+ 1 0 1 A::\x1b[2J\n- 1 0 1 A::\x1b[2J\n& 8 (null) (null)\n+ 8\n- 8\n",
             "(root) x0 0 0 0\nmain::My two words x1 0 0 0\nmain::a b c x1 0 0 0\n"
             "main::\xc3\xa9t\xc3\xa9 x1 0 0 0\nmain::x\\x0ay x1 0 0 0\nA::\\x1b[2J x1 0 0 0\n"
             "(null)::(null) x1 0 0 0\nnote unfinished line 0 x1\n",
             "names with blanks, in UTF-8, with escapes, with raw bytes");
}

static void missing(void)
{
    reads_as(HEADER "#run id=1\n+ 1 0 1 A::a\n- 1 0 1 A::a\n#end 0 1 0 1 4\n",
             "(root) x0 0 0 0\nA::a x1 0 0 0\nnote missing line 0 x1\n", "marks are missing");
}

static void trees(void)
{
    reads_as(HEADER "#run id=1\n+ 0 0 0 A::a\n- 1 0 1 A::a\nPART3\n0 0 - 0 5 0 5 - - - (root)\n"
                    "1 0 x.pl:3 10 7 0 8 1 2 1:9,2:1 A::a\n2 1 x.pl:4 20 1 1 1 0 1 - A::b\n"
                    "#end 3\n#end 0 14 1 15 62\n",
             "(root) x0 5 0 5\nA::a x11 8 0 9\n A::b x20 1 1 1\n"
             "from x.pl:3 x10 8 1 9 of A::a x11 8 0 9\nfrom x.pl:4 x20 1 1 1 of  A::b x20 1 1 1\n",
             "a tree after a trace");
    reads_as(HEADER "PART3\n1 0 - 1 1 0 1 - - - A::a\n#end 1\nPART3\n1 0 - 2 2 0 2 - - - A::a\n"
                    "#end 1\nPART3\n1 0 - 9 9 0 9 - - - A::a\n",
             "(root) x0 0 0 0\nA::a x2 2 0 2\nnote cut-tree line 0 x1\n"
             "note unfinished line 0 x1\n",
             "the last complete tree counts");
    reads_as(HEADER
             "PART3\n2 1 - 1 1 0 1 - - - A::b\n1 0 - 1 -5 0 1 - - - A::a\nnonsense\n#end 9\n",
             "(root) x0 0 0 0\nA::a x1 0 0 1\nnote bad-tree line 6 x2\nnote bad-line line 8 x1\n"
             "note backwards line 0 x1\nnote unfinished line 0 x1\n",
             "a broken tree");
}

static void refusals(void)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"", "the file is empty"},
        {"#fOrTy", "no profile: expected a first line of #fOrTyTwO (tmon.out)"},
        {"#fOrTyTwOX\n", "no profile: expected a first line of #fOrTyTwO (tmon.out)"},
        {"hello\n", "no profile: expected a first line of #fOrTyTwO (tmon.out)"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dp_err err = {0, 0, ""};
        struct dp_profile *prof = read_bytes(cases[i].text, strlen(cases[i].text), NULL, &err);

        ok(!prof, "not read: case %lu", (unsigned long)i);
        is_text(err.text, cases[i].message, "the message");
    }
}

int main(void)
{
    dialects();
    gotos();
    metadata();
    gaps();
    repairs();
    far_back();
    cuts();
    headers();
    names();
    missing();
    trees();
    refusals();
    return done();
}
