// Bloom: the bright parts are halved repeatedly, and then blurred on the way back up (Jimenez 2014,
// with only five taps, because a software device draws on the CPU).

@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var clamped: sampler;

struct Screen {
    @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
};

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Screen {
    let ndc = vec2f(f32((index << 1u) & 2u) * 2.0 - 1.0, f32(index & 2u) * 2.0 - 1.0);
    return Screen(vec4f(ndc, 0.0, 1.0), vec2f(ndc.x * 0.5 + 0.5, 0.5 - ndc.y * 0.5));
}

fn tap(uv: vec2f) -> vec3f {
    return textureSampleLevel(source, clamped, uv, 0.0).rgb;
}

fn four(uv: vec2f, reach: f32) -> vec3f {
    let t = reach / vec2f(textureDimensions(source));
    return (tap(uv + t) + tap(uv - t) + tap(uv + vec2f(t.x, -t.y)) + tap(uv + vec2f(-t.x, t.y))) * 0.25;
}

@fragment
fn bright(in: Screen) -> @location(0) vec4f {
    let color = min(four(in.uv, 1.0), vec3f(24.0));
    let peak = max(color.r, max(color.g, color.b));
    let knee = smoothstep(0.55, 1.6, peak);
    return vec4f(color * knee, 1.0);
}

@fragment
fn down(in: Screen) -> @location(0) vec4f {
    return vec4f(four(in.uv, 1.0) * 0.7 + tap(in.uv) * 0.3, 1.0);
}

@fragment
fn up(in: Screen) -> @location(0) vec4f {
    return vec4f(four(in.uv, 0.75) * 0.85, 1.0);
}
