// A C program that gives Lua, as a script engine, the allocator of stats-memory: each block counts
// toward the group of the scripts, the script that runs, and the kind of the Lua object. The budget of
// the group binds the scripts.
//
//   apt install liblua5.4-dev
//   cargo build --release -p stats-capi --features allocator
//   cc examples/lua/main.c -Icrates/stats-capi/include target/release/libstats_capi.a
//      $(pkg-config --cflags --libs lua5.4) -lpthread -ldl -lm -o scripts
//   ./scripts && stats view scripts.csv
#if defined(__has_include)
#if !__has_include(<lua.h>)
#error "Lua is missing: install liblua5.4-dev, and pass what pkg-config says"
#endif
#endif
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>

#include "stats.h"

#define BUDGET_BYTES ((uint64_t)1 << 20)

// Lua passes the kind of a new object in place of its old size.
static const char *kind(size_t old) {
    switch (old) {
    case LUA_TSTRING: return "string";
    case LUA_TTABLE: return "table";
    case LUA_TFUNCTION: return "function";
    case LUA_TUSERDATA: return "userdata";
    case LUA_TTHREAD: return "thread";
    default: return "other";
    }
}

static void *allocate(void *group, void *block, size_t old, size_t bytes) {
    if (bytes == 0) {
        stats_free(block);
        return NULL;
    }
    size_t more = block == NULL ? bytes : bytes > old ? bytes - old : 0;
    if (more > 0 && stats_group_check(*(StatsGroup *)group, more) != STATS_STATUS_OK) {
        return NULL; // Lua collects its garbage, tries again, and then ends the script with an error.
    }
    if (block != NULL) return stats_reallocate(block, bytes);
    stats_memory_begin(0, NULL, kind(old));
    block = stats_allocate(bytes);
    stats_memory_end();
    return block;
}

// Runs a script in a scope of its name. Returns whether it succeeded.
static int run(lua_State *lua, StatsGroup group, const char *name, const char *script) {
    stats_memory_begin(group, name, NULL);
    int failed = luaL_dostring(lua, script);
    if (failed) printf("%s: %s\n", name, lua_tostring(lua, -1));
    lua_settop(lua, 0);
    stats_memory_end();
    return !failed;
}

int main(void) {
    StatsGroup scripts;
    if (stats_group("scripts", BUDGET_BYTES, &scripts) != STATS_STATUS_OK) return 1;
    StatsSeries total, allocations;
    double bytes = 0.0, blocks = 0.0;
    stats_memory_begin(scripts, "engine", NULL);
    lua_State *lua = lua_newstate(allocate, &scripts);
    if (lua == NULL) return 1;
    luaL_openlibs(lua);
    stats_memory_end();
    stats_end_frame(); // publishes the series of the group
    if (stats_up_down_counter("memory/groups/scripts/total", &total) ||
        stats_up_down_counter("memory/groups/scripts/allocations", &allocations)) {
        return 1;
    }

    for (int frame = 0; frame < 3; frame++) {
        run(lua, scripts, "spawn", "enemies = enemies or {} "
            "for i = 1, 100 do enemies[#enemies + 1] = { name = 'orc ' .. #enemies, x = i } end");
        stats_end_frame();
        stats_value(total, &bytes);
        stats_value(allocations, &blocks);
        double counted = 1024.0 * lua_gc(lua, LUA_GCCOUNT) + lua_gc(lua, LUA_GCCOUNTB);
        // Each block has 16 bytes more, for its size.
        printf("frame %d: the group has what Lua counts: %d\n", frame,
               bytes == counted + 16.0 * blocks);
    }
    stats_save_dump("scripts.csv");

    run(lua, scripts, "leak", "kept = {} while true do kept[#kept + 1] = ('x'):rep(1000) .. #kept end");
    stats_end_frame();
    stats_value(total, &bytes);
    printf("within the budget: %d\n", bytes <= BUDGET_BYTES);
    lua_close(lua);
    stats_end_frame();
    stats_value(total, &bytes);
    printf("after the end: %g bytes\n", bytes);
    return 0;
}
