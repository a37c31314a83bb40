/* Makes an interpreter that is profiled, destroys it, and makes another: argv[1] is PL_perl_destruct_level,
   the rest goes to perl. */
#include <EXTERN.h>
#include <perl.h>
#include <XSUB.h>

EXTERN_C void boot_DynaLoader(pTHX_ CV *cv);

static void xs_init(pTHX)
{
    newXS("DynaLoader::boot_DynaLoader", boot_DynaLoader, __FILE__);
}

int main(int argc, char **argv, char **env)
{
    int i;

    PERL_SYS_INIT3(&argc, &argv, &env);
    for (i = 0; i < 3; i++) {
        PerlInterpreter *my_perl = perl_alloc();

        PL_perl_destruct_level = atoi(argv[1]);
        perl_construct(my_perl);
        PL_exit_flags |= PERL_EXIT_DESTRUCT_END;
        if (perl_parse(my_perl, xs_init, argc - 1, argv + 1, (char **)NULL) == 0)
            perl_run(my_perl);
        perl_destruct(my_perl);
        perl_free(my_perl);
    }
    PERL_SYS_TERM();
    return 0;
}
