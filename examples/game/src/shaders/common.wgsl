// Code that all shaders of the scene share: the view, the textures of the level, and the projection
// onto the screen.

struct View {
    center: vec2f,
    scale: vec2f,       // normalized device units per meter
    world: vec2f,       // in meters
    pixels: vec2f,      // size of the scene's target
    ambient: vec3f,
    time: f32,
    accent: vec3f,      // color of the veins
    theme: f32,         // 0: caves, 1: foundry
    stone: vec3f,
    light_scale: f32,
};

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var clamped: sampler;
@group(0) @binding(2) var repeated: sampler;
@group(1) @binding(0) var field: texture_2d<f32>;
@group(1) @binding(1) var ground: texture_2d<f32>;

const FIELD_REACH = 5.0;
const GROUND_TILES = 16.0;
const PERSPECTIVE = 0.085;

// Projects a point at a height above the floor (1: the top of a wall), as seen from above the
// center of the view.
fn project(at: vec2f, height: f32) -> vec4f {
    let ndc = (at - view.center) * view.scale * (1.0 + height * PERSPECTIVE);
    return vec4f(ndc, 0.9 - height * 0.5, 1.0);
}

fn world_at(ndc: vec2f) -> vec2f {
    return view.center + ndc / view.scale;
}

fn uv_of(ndc: vec2f) -> vec2f {
    return vec2f(ndc.x * 0.5 + 0.5, 0.5 - ndc.y * 0.5);
}

fn clearance(at: vec2f) -> f32 {
    return textureSampleLevel(field, clamped, at / view.world, 0.0).r * FIELD_REACH;
}

fn hash(p: vec2f) -> f32 {
    let q = fract(p * vec2f(0.1031, 0.1030));
    let r = q + dot(q, q.yx + 33.33);
    return fract((r.x + r.y) * r.x);
}

fn fullscreen(index: u32) -> vec2f {
    return vec2f(f32((index << 1u) & 2u) * 2.0 - 1.0, f32(index & 2u) * 2.0 - 1.0);
}

fn corner(index: u32) -> vec2f {
    // Two triangles: 0 1 2 and 2 1 3.
    let at = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u)[index];
    return vec2f(f32(at & 1u), f32(at >> 1u)) * 2.0 - 1.0;
}
