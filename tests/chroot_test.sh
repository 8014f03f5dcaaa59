#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Proves that a fresh clone works on a minimal Debian 12: debootstrap makes one (minbase, git and
# ca-certificates), the checkout's HEAD is cloned into it, and the README's two commands run there.
# Measures what `./bootstrap demo` downloads, and how long it says nothing at a terminal. Needs root;
# exit status 77 means skipped. With GFE_CHROOT_KEEP the built gfe is copied to that folder.
#
# The packages come from wherever this machine's apt gets them. Downloaded packages are kept in
# GFE_CHROOT_CACHE (default: ~/.cache/gfe-chroot) for the next run; the chroot itself lies in
# GFE_CHROOT_TMP (default: TMPDIR or /tmp) and is removed at the end.
#
# All mounts are made in a mount namespace of their own, so they vanish with this process however
# it ends.
set -euo pipefail

release=bookworm
demo_limit_mb=150
silence_limit_s=15

top=$(cd "$(dirname "$0")/.." && pwd)
# All tests but that of failing calls, which needs nothing that a machine could lack. MAKEFLAGS wants
# blanks escaped.
tests=$("$top/.ci/list-tests" chroot)
make_flags=" -- LTO_LDFLAGS=-fno-lto TESTS=${tests// /\\ }"
clean_env=(env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root)

say()
{
    printf 'chroot_test: %s\n' "$*" >&2
}

skip()
{
    say "skipped: $*"
    exit 77
}

fail()
{
    say "FAILED: $*"
    exit 1
}

# --- outside: make a place, enter the namespace, clean up -------------------------------------

outside()
{
    [ "$(id -u)" -eq 0 ] || skip 'not root'
    command -v apt-get >/dev/null || skip 'this machine has no apt'
    if ! command -v debootstrap >/dev/null; then
        apt-get -q -y install --no-install-recommends debootstrap >/dev/null 2>&1 ||
            skip 'debootstrap is not installed and cannot be'
    fi
    unshare --mount --pid --fork true 2>/dev/null || skip 'mount namespaces are not allowed here'
    git -C "$top" rev-parse HEAD >/dev/null 2>&1 || skip 'this is not a git checkout'
    [ -n "$(debian_sources)" ] || skip "apt has no source for Debian $release"
    [ -z "$(git -C "$top" status --porcelain)" ] || say 'note: what is not committed is not tested'

    work=$(mktemp -d "${GFE_CHROOT_TMP:-${TMPDIR:-/tmp}}/gfe-chroot.XXXXXX")
    # A second signal would end rm half-way.
    trap 'trap "" INT TERM HUP; rm -rf --one-file-system "$work"' EXIT

    # In the background, so that a signal is answered at once; --kill-child ends the inside too.
    GFE_CHROOT_WORK=$work unshare --mount --pid --fork --kill-child "$0" --inside &
    trap 'say "interrupted"; kill -KILL $! 2>/dev/null || true; wait $! || true; exit 1' INT TERM HUP
    wait $!
}

# "BASE-URI SUITE" of each Debian source that apt uses on this machine.
debian_sources()
{
    # shellcheck disable=SC2016 # apt's own variables
    apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        awk -v r="$release" '$3 == "main" && $2 ~ "^" r "(-updates|-security)?$" {print $1, $2}' |
        sort -u
}

# --- inside: the Debian that a newcomer has ---------------------------------------------------

in_chroot() # COMMAND...
{
    "${clean_env[@]}" chroot "$root" "$@" </dev/null
}

make_chroot()
{
    local mirror
    mirror=$(debian_sources | awk -v r="$release" '$2 == r {print $1; exit}')
    [ -n "$mirror" ] || fail "apt has no source for $release itself"
    mkdir -p "$cache/debootstrap" "$cache/apt"
    say "debootstrap $release ..."
    debootstrap --variant=minbase --include=git,ca-certificates \
        --cache-dir="$cache/debootstrap" "$release" "$root" "$mirror" >"$work/debootstrap.log" 2>&1 ||
        { tail -n 20 "$work/debootstrap.log" >&2; fail 'debootstrap'; }

    mount -t proc proc "$root/proc"
    mkdir -p "$root/dev/shm"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
    mkdir -p "$root/dev/pts"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
    for file in /etc/resolv.conf /etc/hosts; do
        [ ! -e "$file" ] || cat "$file" >"$root$file"
    done
    copy_apt_settings
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io" # the chroot need not survive a crash
}

# Lets apt in the chroot fetch packages the way this machine's apt does: sources, proxy, passwords,
# certificates.
copy_apt_settings()
{
    debian_sources | sed 's/^/deb /; s/$/ main/' >"$root/etc/apt/sources.list"
    apt-config dump Acquire |
        grep -E '^Acquire::(http|https|Retries|Check-Date|Check-Valid-Until|ForceIPv4)(::| )' \
            >"$root/etc/apt/apt.conf.d/50host" || true
    if [ -e /etc/apt/auth.conf ]; then cp /etc/apt/auth.conf "$root/etc/apt/"; fi
    if [ -d /etc/apt/auth.conf.d ]; then cp -r /etc/apt/auth.conf.d "$root/etc/apt/"; fi
    if [ -d /usr/local/share/ca-certificates ]; then
        cp -rL /usr/local/share/ca-certificates "$root/usr/local/share/"
        in_chroot update-ca-certificates >/dev/null 2>&1
    fi
    # Certificate files named in the settings.
    { grep -oE '"/[^"]+\.(crt|pem|key)"' "$root/etc/apt/apt.conf.d/50host" || true; } | tr -d '"' |
        while read -r file; do
            if [ -e "$file" ] && [ ! -e "$root$file" ]; then
                mkdir -p "$root$(dirname "$file")"
                cp -L "$file" "$root$file"
            fi
        done
}

clone_head()
{
    git -C "$top" bundle create -q "$root/root/gfe.bundle" HEAD
    in_chroot git -c advice.detachedHead=false clone -q /root/gfe.bundle /root/gfe ||
        fail 'git clone'
}

# What apt would fetch for the packages that demo installs, with an empty cache, in bytes.
demo_bytes()
{
    in_chroot apt-get -q update >"$work/update.log" 2>&1 ||
        { tail -n 20 "$work/update.log" >&2; fail 'apt-get update'; }
    # shellcheck disable=SC2046 # a list of packages
    in_chroot apt-get -qq install --no-install-recommends --print-uris \
        $(in_chroot /root/gfe/bootstrap deps demo --print) |
        awk '$3 ~ /^[0-9]+$/ {sum += $3} END {printf "%d\n", sum}'
}

# Passes on what a command says. Fails if it says nothing for too long.
hear()
{
    local line='' status silent=no
    while :; do
        status=0
        IFS= read -r -t "$silence_limit_s" line || status=$?
        line=${line%$'\r'}
        if [ "$status" -gt 128 ]; then
            say "FAILED: nothing was said for $silence_limit_s s"
            silent=yes
        elif [ "$status" -ne 0 ]; then
            break
        else
            printf '%s\n' "$line"
        fi
    done
    [ "$silent" = no ]
}

# Runs a command as the newcomer types it, at a terminal.
bootstrap() # COMMAND MAKE-FLAGS
{
    local start=$SECONDS status=0 command
    say "./bootstrap $1 ..."
    printf -v command '%q ' env MAKEFLAGS="$2" sh -c "cd /root/gfe && ./bootstrap $1"
    in_chroot script -qec "$command" /dev/null | hear || status=$?
    cp -u "$root"/var/cache/apt/archives/*.deb "$cache/apt/" 2>/dev/null || true
    if [ "$status" -ne 0 ]; then
        tail -n 300 "$root/root/gfe/build/test-suite.log" >&2 2>/dev/null || true
        fail "./bootstrap $1 ended with $status"
    fi
    say "./bootstrap $1 passed in $((SECONDS - start)) s"
}

# Without root and sudo, demo names the command to run and stops.
check_refusal()
{
    local status=0
    cp -r "$root/root/gfe" "$root/tmp/gfe"
    chmod -R a+rwX "$root/tmp/gfe"
    "${clean_env[@]}" chroot --userspec=nobody "$root" /tmp/gfe/bootstrap demo \
        >"$work/refusal.log" 2>&1 </dev/null || status=$?
    rm -rf "$root/tmp/gfe"
    if [ "$status" -ne 1 ] || ! grep -q 'apt-get install .*gcc' "$work/refusal.log"; then
        cat "$work/refusal.log" >&2
        fail "as a user without sudo, ./bootstrap demo ended with $status and not with the apt line"
    fi
}

inside()
{
    work=$GFE_CHROOT_WORK
    root=$work/root
    cache=${GFE_CHROOT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/gfe-chroot}
    local bytes

    mount --make-rprivate /
    make_chroot
    clone_head
    check_refusal
    bytes=$(demo_bytes)
    say "demo downloads $((bytes / 1000000)) MB of packages (limit $demo_limit_mb MB)"
    [ "$bytes" -gt 0 ] || fail 'the size of the packages could not be measured'
    [ "$bytes" -le $((demo_limit_mb * 1000000)) ] || fail 'demo downloads too much'

    cp -u "$cache"/apt/*.deb "$root/var/cache/apt/archives/" 2>/dev/null || true
    bootstrap demo ''
    # demo has linked gfe with all optimisation; the two libraries are linked so by make check-long.
    bootstrap check "$make_flags"
    if [ -n "${GFE_CHROOT_KEEP-}" ]; then
        mkdir -p "$GFE_CHROOT_KEEP"
        cp "$root/root/gfe/build/gfe" "$GFE_CHROOT_KEEP/gfe"
    fi
    in_chroot git -C /root/gfe status --porcelain >"$work/status"
    if [ -s "$work/status" ]; then
        cat "$work/status" >&2
        fail 'the two commands left files that git does not ignore'
    fi
    say 'passed'
}

case ${1-} in
--inside) inside ;;
'') outside ;;
*)
    say 'usage: tests/chroot_test.sh'
    exit 2
    ;;
esac
