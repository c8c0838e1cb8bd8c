// The scene and its bloom, graded for the screen.

@group(0) @binding(0) var scene: texture_2d<f32>;
@group(0) @binding(1) var bloom: texture_2d<f32>;
@group(0) @binding(2) var clamped: sampler;
@group(0) @binding(3) var<uniform> grade: vec4f;    // time, hurt, flash, unused

struct Screen {
    @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
};

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Screen {
    let ndc = vec2f(f32((index << 1u) & 2u) * 2.0 - 1.0, f32(index & 2u) * 2.0 - 1.0);
    return Screen(vec4f(ndc, 0.0, 1.0), vec2f(ndc.x * 0.5 + 0.5, 0.5 - ndc.y * 0.5));
}

// The tone curve of Narkowicz (2015), which approximates ACES.
fn tone(x: vec3f) -> vec3f {
    return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), vec3f(0.0), vec3f(1.0));
}

@fragment
fn fragment(in: Screen) -> @location(0) vec4f {
    let base = textureSampleLevel(scene, clamped, in.uv, 0.0).rgb;
    let glow = textureSampleLevel(bloom, clamped, in.uv, 0.0).rgb;
    var color = base + glow * 0.48;
    let out = in.uv - 0.5;
    let vignette = 1.0 - smoothstep(0.22, 0.85, dot(out, out) * 1.9) * 0.75;
    color *= vignette;
    color = mix(color, color * vec3f(1.6, 0.5, 0.45) + vec3f(0.05, 0.0, 0.0), grade.y * smoothstep(0.1, 0.5, dot(out, out)));
    color += vec3f(0.10, 0.22, 0.30) * grade.z;
    let mapped = pow(tone(color * 1.05), vec3f(1.0 / 2.2));
    // Noise of half a step hides the banding of an 8-bit target.
    let noise = fract(sin(dot(in.position.xy, vec2f(12.9898, 78.233)) + grade.x) * 43758.547) - 0.5;
    return vec4f(mapped + noise / 255.0, 1.0);
}
