// Walls as boxes: a top that receives little light, and sides lit by the floor in front of them.

@group(2) @binding(0) var light: texture_2d<f32>;
@group(2) @binding(1) var toward: texture_2d<f32>;

struct Tile {
    @location(0) at: vec2f,
    @location(1) sides: u32,    // bits east, west, south, north: set if there is floor on that side
    @location(2) seed: f32,
};

struct Face {
    @builtin(position) position: vec4f,
    @location(0) at: vec2f,
    @location(1) up: f32,
    @location(2) @interpolate(flat) sides: u32,
    @location(3) @interpolate(flat) out: vec3f, // outward normal of a side; z is 1 on a top
    @location(4) @interpolate(flat) seed: f32,
    @location(5) @interpolate(flat) tile: vec2f,
};

@vertex
fn vertex(@builtin(vertex_index) index: u32, tile: Tile) -> Face {
    let face = index / 6u;
    let c = corner(index % 6u) * 0.5;
    let middle = tile.at + 0.5;
    if face == 4u {
        return Face(project(middle + c, 1.0), middle + c, 1.0, tile.sides, vec3f(0.0, 0.0, 1.0), tile.seed, tile.at);
    }
    let out = array<vec2f, 4>(vec2f(1.0, 0.0), vec2f(-1.0, 0.0), vec2f(0.0, 1.0), vec2f(0.0, -1.0))[face];
    let shown = f32((tile.sides >> face) & 1u);
    let along = vec2f(-out.y, out.x) * c.x * 1.0;
    let at = middle + (out * 0.5 + along) * shown;
    let up = (c.y + 0.5) * shown;
    return Face(project(at, up), at, up, tile.sides, vec3f(out, 0.0), tile.seed, tile.at);
}

fn lit_at(at: vec2f) -> vec3f {
    let ndc = (at - view.center) * view.scale;
    return textureSampleLevel(light, clamped, uv_of(ndc), 0.0).rgb;
}

@fragment
fn fragment(in: Face) -> @location(0) vec4f {
    let stain = mix(0.8, 1.15, mix(0.5, in.seed, 0.25 + 0.75 * view.theme));
    let grain = textureSample(ground, repeated, (in.at + vec2f(in.up, in.up) * 1.3) / GROUND_TILES).r;
    if in.out.z > 0.5 {
        let inside = in.at - in.tile;
        // For each side next to floor: the distance to the rim, and the light that spills over it.
        var rim = vec3f(0.0);
        let gap = array<f32, 4>(1.0 - inside.x, inside.x, 1.0 - inside.y, inside.y);
        let out = array<vec2f, 4>(vec2f(1.0, 0.0), vec2f(-1.0, 0.0), vec2f(0.0, 1.0), vec2f(0.0, -1.0));
        for (var side = 0u; side < 4u; side += 1u) {
            if ((in.sides >> side) & 1u) == 1u {
                let edge = exp(-gap[side] * 26.0) * 0.9 + exp(-gap[side] * 3.5) * 0.10;
                rim += lit_at(in.at + out[side] * (gap[side] + 0.3)) * edge;
            }
        }
        let panel = select(1.0, smoothstep(0.0, 0.05, min(min(inside.x, 1.0 - inside.x), min(inside.y, 1.0 - inside.y))) * 0.35 + 0.65, view.theme > 0.5);
        let base = view.stone * (0.10 + 0.16 * grain) * stain * panel;
        return vec4f(base * (view.ambient * 2.2 + vec3f(0.35)) + rim * view.stone * (0.6 + 0.9 * grain), 1.0);
    }
    let lit = lit_at(in.at + in.out.xy * 0.22);
    let fade = mix(0.35, 1.0, in.up);
    let band = select(0.0, smoothstep(0.04, 0.0, abs(in.up - 0.78)), view.theme > 0.5);
    let color = view.stone * (0.5 + grain) * stain * (view.ambient + lit * 1.25) * fade;
    return vec4f(color + band * view.accent * 0.16 * step(0.72, in.seed), 1.0);
}
