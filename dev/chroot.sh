# What dev/perls and dev/bare share: Debians in chroots under $place.
# $root is of dev/lib.sh.
# shellcheck shell=sh disable=SC2154

place=$root/build/perls

# make_chroot NAME SUITE PACKAGE,...: made once, then used again.
make_chroot() {
    to=$place/$1
    [ -e "$to/.complete" ] && return 0
    [ "$(id -u)" = 0 ] || { say "only root can make a chroot"; return 1; }
    have debootstrap || { say "needs debootstrap (Debian: apt-get install debootstrap)"; return 1; }
    mkdir -p "$place"
    rm -rf "$to"
    debootstrap --variant=minbase --include="$3" "$2" "$to" "$(mirror)" || return 1
    touch "$to/.complete"
}

# Where this machine's own packages come from.
mirror() {
    found=$(sed -n 's|^URIs: *\(http[^ ]*/debian\)/*$|\1|p; s|^deb .*\(http[^ ]*/debian\)/* .*|\1|p' \
        /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
    echo "${found:-http://deb.debian.org/debian}"
}

# with_mounts FOLDER COMMAND...: in the chroot with /proc and /dev/shm, which are
# mounted for this command alone and go with it.
with_mounts() {
    unshare -m sh -c '
        mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/dev/shm" || exit 1
        exec chroot "$@"' sh "$@"
}
