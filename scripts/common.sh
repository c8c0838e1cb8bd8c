# shellcheck shell=bash
# Shared by the other scripts: where to build, and how to install what is missing. Source it; do not
# run it.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cache=${XDG_CACHE_HOME:-$HOME/.cache}/stats-overlay
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$cache/target}
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-auto}
PATH=$PATH:$HOME/.cargo/bin

# Mesa complains without one.
if [[ -z ${XDG_RUNTIME_DIR:-} ]]; then
    export XDG_RUNTIME_DIR=$cache/runtime
    mkdir -p "$XDG_RUNTIME_DIR"
    chmod 700 "$XDG_RUNTIME_DIR"
fi

say() { printf '\n== %s\n' "$*"; }

die() {
    printf '\n%s\n' "$*" >&2
    exit 1
}

# need_packages NAME...: installs the missing ones of these Debian packages, and says which. Asks
# first if a person who is not root runs it. Does nothing on other systems.
need_packages() {
    local missing=() sudo=()
    command -v dpkg-query >/dev/null || return 0
    for package in "$@"; do
        [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    say "installing missing packages: ${missing[*]}"
    if ((EUID)); then
        local yourself="Install the packages yourself, then run this again: apt-get install ${missing[*]}"
        command -v sudo >/dev/null || die "$yourself"
        # Without a terminal, nobody can answer, and nobody can type a password.
        sudo=(sudo -n)
        if [[ -t 0 && -t 2 ]]; then
            read -r -p "Install them with sudo and apt-get? [y/N] " answer
            [[ $answer == [yY]* ]] || die "$yourself"
            sudo=(sudo)
        fi
    fi
    "${sudo[@]}" apt-get update -qq
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Installs a linker and Rust if they are missing, and stops if Rust is too old.
need_rust() {
    command -v cc >/dev/null || need_packages gcc libc6-dev
    local wanted=1.95 found=
    if ! command -v cargo >/dev/null && apt-cache show rustup >/dev/null 2>&1; then
        need_packages rustup
        rustup default stable
    fi
    found=$(cargo --version 2>/dev/null | cut -d' ' -f2 || true)
    [[ -n $found ]] || die "Rust is not installed. Install it from https://rustup.rs, then run this again."
    [[ $(printf '%s\n' "$wanted" "$found" | sort -V | head -1) == "$wanted" ]] ||
        die "Rust $wanted or newer is needed, but $found is installed. Run: rustup update stable"
}

# Installs a software Vulkan driver, for machines without a graphics card.
need_vulkan() {
    need_packages libvulkan1 mesa-vulkan-drivers
}

# Installs what a window needs at run time under X11 and Wayland.
need_window() {
    need_packages libwayland-client0 libxkbcommon0 libxkbcommon-x11-0 libx11-6 libx11-xcb1 libxcursor1 libxi6 libxrandr2
}

# need_tool COMMAND VERSION [PACKAGE]: installs a command into $tools, unless it is there.
tools=$cache/tools
need_tool() {
    [[ $("$tools/bin/$1" --version 2>/dev/null) == *" $2"* ]] && return
    say "building $1, once"
    # Not optimized: it runs for a second, and would take minutes more to build.
    local install=(cargo install --quiet --debug --root "$tools" "${3:-$1}" --bin "$1" --version "$2")
    local -x CARGO_TARGET_DIR=$cache/tools-target CARGO_PROFILE_DEV_DEBUG=0
    # A mirror of the registry may lack a version that the lock file of the tool names.
    "${install[@]}" --locked || "${install[@]}"
    rm -rf "$cache/tools-target"
}

# Installs the version of wasm-bindgen that the crates are compiled with: no other one reads them.
need_wasm_bindgen() {
    local version
    version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p;}' Cargo.lock)
    need_tool wasm-bindgen "$version" wasm-bindgen-cli
}

# make_page WASM FOLDER [SCRIPT...]: writes the page of `stats view --serve`, compressed. The names of its files
# change with their contents, so that browsers keep them. The page runs the scripts first.
page_compressor=(gzip -9n)
make_page() {
    local wasm=$1 folder=$2 bound hash
    shift 2
    bound=$(mktemp -d)
    "$tools/bin/wasm-bindgen" --target web --no-typescript --out-dir "$bound" --out-name page "$wasm"
    cat "$@" crates/stats-page/start.js >>"$bound/page.js"
    hash=$(cat "$bound/page.js" "$bound/page_bg.wasm" crates/stats-page/index.html | git hash-object --stdin)
    hash=${hash:0:16}
    mkdir "$bound/named"
    sed "s/page-HASH/page-$hash/" "$bound/page.js" >"$bound/named/page-$hash.js"
    mv "$bound/page_bg.wasm" "$bound/named/page-$hash.wasm"
    sed "s/page-HASH/page-$hash/" crates/stats-page/index.html >"$bound/named/index.html"
    "${page_compressor[@]}" "$bound"/named/*
    mkdir -p "$folder"
    # Those of an earlier page, and nothing else that begins with page-.
    rm -f "$folder"/index.html.gz "$folder"/page-????????????????.{js,wasm}.gz
    mv "$bound"/named/*.gz "$folder"
    rm -r "$bound"
}
