// A C program that counts with stats-core:
//
//   cargo build --release -p stats-capi
//   cc examples/c/main.c -Icrates/stats-capi/include target/release/libstats_capi.a -lpthread -ldl -lm -o game
//   ./game
#include <stdio.h>

#include "stats.h"

int main(void) {
    StatsSeries shots, enemies, camera, update, packets;
    if (stats_counter("game/shots", &shots) || stats_up_down_counter("game/enemies", &enemies) ||
        stats_gauge("camera/x", &camera) || stats_timer("game/update", &update) ||
        stats_histogram("net/packet-size", &packets)) {
        return 1;
    }
    stats_set_unit(packets, "B");
    stats_describe(shots, "shots fired by all players");

    double value;
    stats_value(shots, &value); // its values are known from the next frame on
    for (int frame = 0; frame < 3; frame++) {
        stats_scope_begin(update);
        stats_add(shots, 2.0 * frame);
        stats_add(enemies, 1.0);
        stats_set(camera, 1.5);
        stats_record(packets, 782.0);
        stats_scope_end(update);
        if (frame == 1) stats_mark("boss", STATS_MARK_EVENT_POINT);
        stats_end_frame();
        if (stats_value(shots, &value) == STATS_STATUS_OK) {
            printf("frame %d: %g shots\n", frame, value);
        }
    }

    // A mistake is returned, and has no other effect.
    printf("%d %d %d %d %d %d\n",
           stats_counter(NULL, &shots) == STATS_STATUS_NULL_POINTER,
           stats_counter("a", NULL) == STATS_STATUS_NULL_POINTER,
           stats_counter("\xff", &shots) == STATS_STATUS_INVALID_UTF8,
           stats_add(12345, 1.0) == STATS_STATUS_UNKNOWN_SERIES,
           stats_set(shots, 1.0) == STATS_STATUS_WRONG_KIND,
           stats_scope_end(update) == STATS_STATUS_NO_SCOPE);
    return 0;
}
