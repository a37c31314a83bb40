#include "pascal/runtime.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What is put in. `~` stands for the prefix, %N for the number of counters, %W for that of words in
   the file, %H of headings, %L of counted labels, %F for the fingerprint, %S for the source's name.
   Free Pascal's system unit has the calls; in its ISO mode there is no `uses`. pmon.out is layout
   C; pmon.out.labels has the counts of labels; pmon.out.run says how it ended. Where the files
   cannot be made the program runs all the same, on memory that is thrown away. */
static const char declarations[] =
    " type ~ct=array[1..%W] of longint; ~cp=^~ct; ~lt=array[0..%L] of longint; ~lp=^~lt; "
    "var ~c:~cp; ~l:~lp; ~s:int64; ~x:codepointer; ~f:longint; "
    
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
    "procedure ~begin; begin ~f:=~sopen('pmon.out.run',577,438); ~put('dprofpp-run 1'#10); "
    "~put('fingerprint %F'#10); ~line('counters ',%N) end; "
    "procedure ~frames(b:pointer); var n:longint; a:codepointer; p:pointer; begin n:=0; "
    "while (b<>nil) and (n<10000) do begin a:=get_caller_addr(b); p:=get_caller_frame(b); "
    "if a<>nil then ~place('open ',a); n:=n+1; if ptruint(p)<=ptruint(b) then b:=nil else b:=p end "
    "end; "
    "procedure ~end; begin exitproc:=~x; ~c^[2]:=~stime(nil); ~begin; "
    "if erroraddr<>nil then begin ~line('error ',exitcode); ~place('at ',erroraddr); "
    "~frames(get_frame) end else begin ~line('ended ',exitcode); ~frames(get_frame) end; "
    "if ~f>=0 then ~f:=~sclose(~f) end; "
    "function ~map(p:pchar;n:int64):pointer; var f:longint; m:pointer; begin m:=nil; "
    "f:=~sopen(p,578,438); if f>=0 then begin if ~struncate(f,n)=0 then begin "
    "m:=~smap(nil,n,3,1,f,0); if (ptrint(m)<0) and (ptrint(m)>-4096) then m:=nil end; "
    "f:=~sclose(f) end; if m=nil then begin getmem(m,n); fillchar(m^,n,0) end; ~map:=m end; "
    "procedure ~open; begin ~c:=~map('pmon.out',%W*4); ~l:=~map('pmon.out.labels',(%L+1)*4); "
    "~l^[0]:=%L; ~c^[1]:=278; ~c^[2]:=~stime(nil); ~c^[3]:=%N+3; ~c^[4]:=%H; ~begin; "
    "~put('running'#10); if ~f>=0 then ~f:=~sclose(~f); ~x:=exitproc; exitproc:=@~end end; ";

static size_t fill(char *to, size_t room, const struct dp_pascal *pascal, const char *prefix,
                   uint32_t nlabels, uint64_t fingerprint)
{
    size_t n = 0;

    for (const char *at = declarations; *at && n + 40 < room; at++) {
        if (*at == '~') {
            n += (size_t)snprintf(to + n, room - n, "%s", prefix);
        } else if (*at != '%') {
            to[n++] = *at;
        } else {
            at++;
            n += (size_t)(*at == 'N'   ? snprintf(to + n, room - n, "%" PRIu32, pascal->ntaken)
                          : *at == 'W' ? snprintf(to + n, room - n, "%" PRIu32, pascal->ntaken + 4)
                          : *at == 'H' ? snprintf(to + n, room - n, "%" PRIu32, pascal->nroutines)
                          : *at == 'L' ? snprintf(to + n, room - n, "%" PRIu32, nlabels)
                                       : snprintf(to + n, room - n, "%016" PRIx64, fingerprint));
        }
    }
    to[n] = '\0';
    return n;
}

char *dp_runtime_text(const struct dp_pascal *pascal, const char *prefix,
                      const struct dp_runtime_label *labels, uint32_t nlabels, uint64_t fingerprint)
{
    size_t room = 4 * sizeof declarations;
    char *text = dp_alloc(room);

    (void)labels;
    fill(text, room, pascal, prefix, nlabels, fingerprint);
    return text;
}
