// The floor: rock or steel plates, lit by the light map.

@group(2) @binding(0) var light: texture_2d<f32>;
@group(2) @binding(1) var toward: texture_2d<f32>;

struct Floor {
    @builtin(position) position: vec4f,
    @location(0) ndc: vec2f,
};

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Floor {
    let ndc = fullscreen(index);
    return Floor(vec4f(ndc, 0.95, 1.0), ndc);
}

@fragment
fn fragment(in: Floor) -> @location(0) vec4f {
    let at = world_at(in.ndc);
    let texel = textureSample(ground, repeated, at / GROUND_TILES);
    let mask = textureSampleLevel(field, clamped, at / view.world, 0.0);
    let lit = textureSampleLevel(light, clamped, uv_of(in.ndc), 0.0).rgb;
    let way = textureSampleLevel(toward, clamped, uv_of(in.ndc), 0.0).rg;

    let tint = mix(0.72, 1.25, mask.g) * mix(0.75, 1.12, mask.a);
    var albedo = view.stone * mix(0.45, 1.45, texel.r) * tint;
    albedo = mix(albedo, albedo * vec3f(0.55, 0.62, 0.72), smoothstep(0.55, 0.75, texel.a));

    let slope = (texel.gb * 2.0 - 1.0) * 1.6;
    let strength = max(dot(lit, vec3f(0.3, 0.5, 0.2)), 0.001);
    let facing = clamp(1.0 + dot(slope, way / strength) * 0.9, 0.25, 2.2);
    let shine = pow(clamp(dot(slope, way / strength) * 0.5 + 0.5, 0.0, 1.0), 6.0) * smoothstep(0.5, 0.8, texel.a) * 0.5;

    let near = mask.r * FIELD_REACH;
    let occlusion = mix(0.34, 1.0, smoothstep(0.0, 0.95, near));
    let pulse = 0.75 + 0.25 * sin(view.time * 1.3 + at.x * 0.35 + at.y * 0.23);
    // The crust of the ground breaks up the glow and gives it edges.
    let open = smoothstep(0.18, 0.62, mask.b + (texel.r - 0.5) * 0.9 * step(0.02, mask.b));
    let vein = view.accent * open * pulse * (0.25 + 1.3 * mask.b) * (0.4 + texel.r);
    let color = albedo * (view.ambient + lit * facing) * occlusion + lit * shine + vein;
    let inside = step(0.0, at.x) * step(0.0, at.y) * step(at.x, view.world.x) * step(at.y, view.world.y);
    return vec4f(color * inside, 1.0);
}
