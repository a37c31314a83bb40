# What dev/try, dev/test and their like share. A script sources it by
#     . "$(dirname "$0")/lib.sh"
# and has then: $root, the folder of the project; $log, the folder of the logs.
# shellcheck shell=sh

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
log=$root/build/log
me=dev/$(basename "$0")

say() { printf '%s\n' "$*"; }
die() { printf '%s: %s\n' "$me" "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# A word as a shell reads it back.
quote() { printf '%s' "$1" | sed "s/[^A-Za-z0-9_@%+=:,.\/-]/\\\\&/g"; }

jobs() {
    n=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
    [ "$n" -gt 4 ] && n=4
    echo "$n"
}

# --- what the machine lacks ---------------------------------------------------

# Names what building needs and cannot find: perl, make, cc, libc, perl.h
build_lacks() {
    have make || echo make
    if ! have perl || ! perl -MExtUtils::MakeMaker -MTest::More -e 1 2>/dev/null; then
        echo perl
        have cc || have gcc || echo cc
        return
    fi
    perl -MConfig -e 'exit !-e "$Config{archlibexp}/CORE/perl.h"' || echo perl.h
    cc=$(perl -MConfig -e 'print $Config{cc}')
    if ! have "${cc%% *}"; then
        echo cc
        return
    fi
    printf '#include <stdio.h>\n#include <sys/mman.h>\nint main(void) { return 0; }\n' |
        $cc -x c -fsyntax-only - 2>/dev/null || echo libc
}

debian_package() {
    case $1 in
        cc) echo gcc ;;
        libc) echo libc6-dev ;;
        perl.h) echo libperl-dev ;;
        *) echo "$1" ;;
    esac
}

# The packages of a group in dev/packages.txt that are not installed.
packages_lacking() {
    sed 's/#.*//' "$root/dev/packages.txt" | while read -r package group _; do
        [ "$group" = "$1" ] || continue
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q ' installed$' || echo "$package"
    done
}

on_debian() { have dpkg-query && have apt-get; }

# What to install where there is no apt-get.
other_system() {
    say "$me: this machine lacks: $*"
    case $(uname -s) in
        Darwin) say 'Install the command line tools: xcode-select --install' ;;
        *BSD | DragonFly) say 'Install perl, and a C compiler (cc) and make of the base system' ;;
        *)
            say 'Install a C compiler with its library headers, make, and perl with its headers:'
            say '  Fedora, RHEL   dnf install gcc make perl perl-devel'
            say '  Arch           pacman -S --needed base-devel perl'
            say '  Alpine         apk add build-base perl perl-dev'
            say '  openSUSE       zypper install gcc make perl' ;;
    esac
}

# --- installing ---------------------------------------------------------------

# Runs as root, or not at all: directly, or by a sudo that does not ask.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo -n "$@"
    fi
}

can_be_root() { [ "$(id -u)" = 0 ] || { have sudo && sudo -n true 2>/dev/null; }; }

install_command() { echo "apt-get update && apt-get install --no-install-recommends $*"; }

# apt_install PACKAGE...: the lists are fetched first if apt does not know a package.
apt_install() {
    mkdir -p "$log"
    {
        apt-cache show "$@" || as_root apt-get update
        known=
        for package in "$@"; do
            if apt-cache show "$package" >/dev/null 2>&1; then
                known="$known $package"
            else
                say "$me: this Debian has no package $package" >&3
            fi
        done
        [ -z "$known" ] || apt_get_install $known || { as_root apt-get update && apt_get_install $known; }
    } 3>&2 >"$log/install.log" 2>&1 || return 1
}

apt_get_install() {
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"
}

# need_build: after it everything that building needs is there, or the script has ended.
need_build() {
    tries=0
    while lacking=$(build_lacks) && [ -n "$lacking" ]; do
        on_debian || { other_system $lacking >&2; exit 1; }
        packages=
        for what in $lacking; do packages="$packages $(debian_package "$what")"; done
        packages=${packages# }
        tries=$((tries + 1))
        [ $tries -le 3 ] || die "still lacks" $lacking "after installing; see $log/install.log"
        say "This machine lacks: $packages"
        if ! can_be_root; then
            say "Only root can install that. Run:" "$(install_command "$packages")" >&2
            exit 1
        fi
        say "Installing ..."
        apt_install $packages || { tail -n 20 "$log/install.log" >&2; die "could not install $packages"; }
    done
}

# --- building -----------------------------------------------------------------

# logged NAME COMMAND...: the output goes to a file, and is shown on failure.
logged() {
    name=$1
    shift
    mkdir -p "$log" || die "cannot write to $log"
    "$@" >"$log/$name.log" 2>&1 </dev/null && return 0
    tail -n 40 "$log/$name.log" >&2
    return 1
}

# What the Makefile was made from: the perl, a library that may have come since, and the names of the files in it.
makefile_facts() {
    ls /usr/include/z80ex/z80ex.h 2>/dev/null
    say "z80ex: ${DPROF_Z80EX-}"
    perl -MConfig -e 'print "$^X $Config{version} $Config{archname}\n"'
    find src lib -name '*.[ch]' -o -name '*.xs' -o -name '*.pm' | grep -v src/perl/Profile.c | sort
}

# Makefile.PL runs only if it has to, since it makes perl's part compile anew.
configure() {
    facts=$(makefile_facts)
    [ -e Makefile ] && [ "$facts" = "$(cat build/makefile-facts 2>/dev/null)" ] &&
        [ -z "$(find Makefile.PL dev/targets.mk -newer Makefile)" ] && return 0
    perl Makefile.PL && mkdir -p build && say "$facts" >build/makefile-facts
}

configure_and_make() {
    (cd "$root" && configure && make -j"$(jobs)")
}

build() {
    logged build configure_and_make || die "the build failed; all of its output: $log/build.log"
}

# copy_tree FOLDER: the tree as it is here, without what was built, into a new folder.
copy_tree() {
    rm -rf "$1" && mkdir -p "$1" || return 1
    (cd "$root" && tar cf - --exclude=./build --exclude=./blib --exclude=./.git --exclude='./Devel-DProf-*' \
        --exclude=./Makefile --exclude='*.o' --exclude='*.a' .) | (cd "$1" && tar xf -)
}
