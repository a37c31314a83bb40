# make targets for those who work on Devel::DProf; Makefile.PL appends this file
# to the Makefile where it is there. GNU make. `make help` lists them.

SRC_LIB  = $(filter-out src/record/% src/perl/%,$(wildcard src/*/*.c))
LIB_H    = $(filter-out src/record/% src/perl/%,$(wildcard src/*/*.h))
CSTD     = -std=c99 -pedantic -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Isrc
SAN      = -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
SAN_OBJ  = $(SRC_LIB:%.c=build/san/%.o)
SAN_ENV  = ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1
FUZZ_TIME ?= 60

.PHONY: help check-c asan fuzz lint cover bench format

help:
	@echo 'make            build'
	@echo 'make test       the tests in t/'
	@echo 'make check-c    the C unit tests in t/c, without perl, under ASan and UBSan'
	@echo 'make asan       t/ under ASan and UBSan (ASAN_TESTS="t/read t/cli")'
	@echo 'make fuzz       each target in fuzz/ for FUZZ_TIME=60 seconds (FUZZ=tmon: only that)'
	@echo 'make lint       strict gcc and clang, clang-tidy, cppcheck, shellcheck'
	@echo 'make cover      which lines of C the tests reach, in build/cover/index.html'
	@echo 'make bench      overhead of the recorder, speed of the reader (bench/README)'
	@echo 'make format     clang-format over the C, perltidy over the Perl'
	@echo 'make install    also into a home folder: perl Makefile.PL INSTALL_BASE=~/perl5'
	@echo 'dev/test        all of that which decides whether a change is good'
	@echo 'dev/manifest    writes MANIFEST anew'

build/san/%.o: %.c $(LIB_H)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(SAN) -c -o $@ $<

build/c/%: t/c/%.c $(SAN_OBJ) $(wildcard t/c/*.h)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(SAN) -o $@ $< $(SAN_OBJ)

.SECONDARY: $(SAN_OBJ)

check-c: $(patsubst t/c/%.c,build/c/%,$(wildcard t/c/*.c))
	@test -n '$^' || { echo 'no tests in t/c'; exit 1; }
	$(SAN_ENV) prove -e '' $^

asan:
	CC='$(CC)' SAN='$(SAN)' LDDLFLAGS='$(LDDLFLAGS)' dev/asan $(ASAN_TESTS)

fuzz:
	FUZZ_TIME=$(FUZZ_TIME) dev/fuzz $(FUZZ)

lint:
	CC='$(CC)' PERL_INC='$(PERL_INC)' CCFLAGS='$(CCFLAGS)' dev/lint

cover:
	CC='$(CC)' LDDLFLAGS='$(LDDLFLAGS)' dev/cover

bench: all
	$(FULLPERL) bench/overhead.pl
	$(FULLPERL) bench/read.pl
	$(FULLPERL) bench/clock.pl

format:
	clang-format -i $(filter-out src/perl/Profile.c,$(wildcard src/*/*.[ch] t/c/*.[ch] fuzz/*.c))
	perltidy -b -bext=/ Makefile.PL DProf.pm dprofpp $(wildcard lib/*/*.pm lib/*/*/*.pm lib/*/*/*/*.pm bench/*.pl xt/*.t)
