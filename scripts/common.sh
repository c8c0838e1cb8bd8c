# Shared by the scripts beside it: where things are built, and how what is missing is installed. Sourced, not run.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cache=${XDG_CACHE_HOME:-$HOME/.cache}/stats-overlay
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$cache/target}
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-auto}
PATH=$PATH:$HOME/.cargo/bin

# Mesa complains without one.
if [[ -z ${XDG_RUNTIME_DIR:-} ]]; then
    export XDG_RUNTIME_DIR=$cache/runtime
    mkdir -p -m 700 "$XDG_RUNTIME_DIR"
fi

say() { printf '\n== %s\n' "$*"; }

die() {
    printf '\n%s\n' "$*" >&2
    exit 1
}

# need_packages NAME…: installs the Debian packages that are missing, and says which.
need_packages() {
    local missing=() sudo=()
    command -v dpkg-query >/dev/null || return 0
    for package in "$@"; do
        [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    say "installing what is missing: ${missing[*]}"
    if ((EUID)); then
        command -v sudo >/dev/null || die "Run this as root, or install them yourself: apt-get install ${missing[*]}"
        sudo=(sudo)
    fi
    "${sudo[@]}" apt-get update -qq
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# A C compiler's linker, and a toolchain that is new enough.
need_rust() {
    command -v cc >/dev/null || need_packages gcc libc6-dev
    local wanted=1.95 found=
    if ! command -v cargo >/dev/null && apt-cache show rustup >/dev/null 2>&1; then
        need_packages rustup
        rustup default stable
    fi
    found=$(cargo --version 2>/dev/null | cut -d' ' -f2 || true)
    [[ -n $found ]] || die "Rust is not installed: get it from https://rustup.rs, then run this again."
    [[ $(printf '%s\n' "$wanted" "$found" | sort -V | head -1) == "$wanted" ]] ||
        die "Rust $wanted or newer is needed, $found is installed: rustup update stable"
}

# Vulkan in software, for machines without a graphics card.
need_vulkan() {
    need_packages libvulkan1 mesa-vulkan-drivers
}

# What a window needs at run time under X11.
need_window() {
    need_packages libxkbcommon0 libxkbcommon-x11-0 libx11-6 libx11-xcb1 libxcursor1 libxi6 libxrandr2
}
