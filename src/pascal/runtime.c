#include "pascal/runtime.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What is put in. `~` stands for the prefix, %N for the number of counters, %W for that of words in
   the file, %H of headings, %L of counted labels, %R of statements whose returns are counted, %F
   for the fingerprint, %D for the dialect that it was read in, %Q for `returns`, %T for what tells
   the labels. Free Pascal's system unit has the calls; a `uses` of its own would not go with the
   program's. pmon.out is layout C; pmon.out.labels has the counts of labels, pmon.out.returns those
   of returns; pmon.out.run says how it ended. A halt is announced by ~halts, as the frame it stands
   in cannot be found from within. ~i makes an integer of any ordinal. ~d is the path of
   pmon.out.run, as a program may change its folder; a descriptor kept for that could be closed by
   the program, and be that of another file; a string of the program's own would forbid gotos out of
   routines. Where the files cannot be made the program runs all the same, on memory that is thrown
   away; they are written before they are mapped, as on a full disk memory that is mapped to no
   block of it would end the program. */
static const char declarations[] =
    " {$push}{$R-}{$Q-}type ~ct=array[1..%W] of longint; ~cp=^~ct; ~lt=array[0..%L] of longint; "
    "~lp=^~lt; "
    "~rt=array[0..%R] of longint; ~rp=^~rt; ~i=int64; var ~c:~cp; ~l:~lp; ~r:~rp; ~s:~i; "
    "~x:codepointer; ~f,~hl:longint; ~h:shortstring; ~d:pchar; "

    "function ~sopen(p:pchar;f,m:longint):longint;external name 'FPC_SYSC_OPEN'; "
    "function ~struncate(f:longint;n:int64):longint;external name 'FPC_SYSC_FTRUNCATE'; "
    "function ~smap(a:pointer;n:int64;p,f,d:longint;o:int64):pointer;external name "
    "'FPC_SYSC_MMAP'; "
    "function ~swrite(f:longint;p:pchar;n:int64):int64;external name 'FPC_SYSC_WRITE'; "
    "function ~sclose(f:longint):longint;external name 'FPC_SYSC_CLOSE'; "
    "function ~stime(p:pointer):int64;external name 'FPC_SYSC_TIME'; "
    "procedure ~put(s:shortstring); begin if ~f>=0 then begin "
    "~s:=~swrite(~f,pchar(@s[1]),length(s)) end end; "
    "procedure ~number(n:int64); var s:shortstring; begin str(n,s); ~put(s) end; "
    "procedure ~line(w:shortstring;n:int64); begin ~put(w); ~number(n); ~put(#10) end; "
    "procedure ~place(w:shortstring;a:codepointer); begin ~put(w); ~put(backtracestrfunc(a)); "
    "~put(#10) end; "
    "procedure ~here; var s:ansistring; begin {$push}{$I-}getdir(0,s);{$pop} "
    "if (ioresult<>0) or (length(s)=0) then s:='.'; s:=s+'/pmon.out.run'#0; "
    "getmem(~d,length(s)); move(s[1],~d^,length(s)) end; "
    "procedure ~begin; begin ~f:=~sopen(~d,577,438); ~put('dprofpp-run 1'#10); "
    "~put('fingerprint %F'#10); ~put('dialect %D'#10); ~line('counters ',%N) end; "
    "procedure ~frames(b:pointer); var n:longint; a:codepointer; p:pointer; begin n:=0; "
    "while (b<>nil) and (n<10000) do begin a:=get_caller_addr(b); p:=get_caller_frame(b); "
    "if a<>nil then ~place('open ',a); n:=n+1; if ptruint(p)<=ptruint(b) then b:=nil else b:=p end "
    "end; "
    "procedure ~label(k,n:longint;w:shortstring); begin ~put('label '); ~number(n); ~put(' '); "
    "~put(w); ~line(' ',~l^[k]) end; "
    "procedure ~labels; begin %T end; "
    "procedure ~halts(w:shortstring;n:longint); begin ~h:=w; ~hl:=n end; "
    "procedure ~end; begin exitproc:=~x; ~c^[2]:=~stime(nil); ~begin; "
    "if erroraddr<>nil then begin ~line('error ',exitcode); ~place('at ',erroraddr); "
    "~frames(get_frame) end else begin ~line('ended ',exitcode); if ~hl>0 then begin ~put('at '); "
    "~put(~h); ~put(',  line '); ~number(~hl); ~put(' of it'#10) end; ~frames(get_frame) end; "
    "~labels; "
    "if ~f>=0 then ~f:=~sclose(~f) end; "
    "function ~map(p:pchar;n:int64):pointer; var f:longint; m,z:pointer; begin getmem(z,n); "
    "fillchar(z^,n,0); m:=z; f:=~sopen(p,578,438); if f>=0 then begin "
    "if ~swrite(f,pchar(z),n)=n then begin m:=~smap(nil,n,3,1,f,0); "
    "if (ptrint(m)<0) and (ptrint(m)>-4096) then m:=z end else n:=~struncate(f,0); "
    "f:=~sclose(f) end; if m<>z then freemem(z); ~map:=m end; "
    "procedure ~open; begin ~c:=~map('pmon.out',%W*4); ~l:=~map('pmon.out.labels',(%L+1)*4); "
    "~l^[0]:=%L; %Q~c^[1]:=278; ~c^[2]:=~stime(nil); ~c^[3]:=%N+3; ~c^[4]:=%H; ~here; ~begin; "
    "~put('running'#10); if ~f>=0 then ~f:=~sclose(~f); ~x:=exitproc; exitproc:=@~end end;{$pop} ";

/* Only where something comes there. */
static const char returns[] = "~r:=~map('pmon.out.returns',(%R+1)*4); ~r^[0]:=%R; ";

static int in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '~';
}

int dp_runtime_says(const char *name, size_t n)
{
    for (const char *at = declarations; *at; at++) {
        size_t i = 0;

        while (i < n && at[i] == (name[i] | 0x20))
            i++;
        if (i == n && !in_word(at[n]) && (at == declarations || !in_word(at[-1])))
            return 1;
    }
    return 0;
}

struct filling {
    const struct dp_pascal *pascal;
    const struct dp_runtime *runtime;
    char *to;
    size_t n;
    size_t room;
};

static void fill(struct filling *f, const char *text);

static void put_number(struct filling *f, uint32_t number)
{
    f->n += (size_t)snprintf(f->to + f->n, f->room - f->n, "%" PRIu32, number);
}

/* What a letter behind % stands for. */
static void put_letter(struct filling *f, char letter)
{
    switch (letter) {
    case 'N':
        put_number(f, f->pascal->ntaken);
        return;
    case 'W':
        put_number(f, f->pascal->ntaken + 4);
        return;
    case 'H':
        put_number(f, f->pascal->nroutines);
        return;
    case 'L':
        put_number(f, f->runtime->labels);
        return;
    case 'R':
        put_number(f, f->runtime->returns);
        return;
    case 'T':
        memcpy(f->to + f->n, f->runtime->calls, strlen(f->runtime->calls));
        f->n += strlen(f->runtime->calls);
        return;
    case 'D':
        fill(f, f->pascal->dialect == DP_PASCAL_MODERN ? "modern" : "berkeley");
        return;
    case 'Q':
        fill(f, f->runtime->returns ? returns : "");
        return;
    default:
        f->n +=
            (size_t)snprintf(f->to + f->n, f->room - f->n, "%016" PRIx64, f->runtime->fingerprint);
    }
}

static void fill(struct filling *f, const char *text)
{
    for (const char *at = text; *at && f->n + 40 < f->room; at++) {
        if (*at == '~')
            f->n += (size_t)snprintf(f->to + f->n, f->room - f->n, "%s", f->runtime->prefix);
        else if (*at == '%')
            put_letter(f, *++at);
        else
            f->to[f->n++] = *at;
    }
    f->to[f->n] = '\0';
}

char *dp_runtime_text(const struct dp_pascal *pascal, const struct dp_runtime *runtime)
{
    struct filling f = {pascal, runtime, NULL, 0, 0};

    f.room = 4 * sizeof declarations + strlen(runtime->calls);
    f.to = dp_alloc(f.room);
    fill(&f, declarations);
    return f.to;
}
