// One light: a disc on the floor, cut by the shadows of walls and gates.

struct Light {
    @location(0) at: vec2f,
    @location(1) radius: f32,
    @location(2) size: f32,     // 0: casts no shadow; otherwise the softness of the shadow
    @location(3) color: vec3f,
    @location(4) steps: f32,
};

struct Lit {
    @builtin(position) position: vec4f,
    @location(0) at: vec2f,
    @location(1) @interpolate(flat) light: vec2f,
    @location(2) @interpolate(flat) shape: vec3f,
    @location(3) @interpolate(flat) color: vec3f,
};

@vertex
fn vertex(@builtin(vertex_index) index: u32, light: Light) -> Lit {
    let at = light.at + corner(index) * light.radius;
    return Lit(project(at, 0.0), at, light.at, vec3f(light.radius, light.size, light.steps), light.color);
}

struct Out {
    @location(0) color: vec4f,
    @location(1) toward: vec4f,
};

// Marches from the point to the light through the distance field. The narrowest passage determines
// how much light arrives.
fn visibility(at: vec2f, light: vec2f, size: f32, steps: f32) -> f32 {
    let distance = length(light - at);
    let way = (light - at) / max(distance, 0.001);
    var traveled = 0.06 + 0.10 * hash(at * 37.0);
    var open = 1.0;
    for (var step = 0.0; step < steps; step += 1.0) {
        if traveled >= distance {
            break;
        }
        let room = clearance(at + way * traveled);
        open = min(open, 0.12 + room * 1.0 / (size * max(traveled / distance, 0.08)));
        if room < 0.015 {
            return 0.0;
        }
        traveled += max(room * 0.9, 0.06);
    }
    return smoothstep(0.0, 1.0, clamp(open, 0.0, 1.0));
}

@fragment
fn fragment(in: Lit) -> Out {
    let offset = in.light - in.at;
    let t = length(offset) / in.shape.x;
    if t >= 1.0 {
        discard;
    }
    var strength = (1.0 - t * t) * (1.0 - t * t) / (1.0 + 3.0 * t * t);
    if in.shape.y > 0.0 && strength > 0.004 {
        strength *= visibility(in.at, in.light, in.shape.y, in.shape.z);
    }
    let color = in.color * strength;
    let way = offset / max(length(offset), 0.5);
    return Out(vec4f(color, 1.0), vec4f(way * dot(color, vec3f(0.3, 0.5, 0.2)), 0.0, 0.0));
}
