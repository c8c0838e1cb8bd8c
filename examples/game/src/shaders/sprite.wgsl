// Agents, bodies, gates, hives, beacons and the ship. Each is a quad, whose shape is a distance
// function.

@group(2) @binding(0) var light: texture_2d<f32>;
@group(2) @binding(1) var toward: texture_2d<f32>;

struct Sprite {
    @location(0) at: vec2f,
    @location(1) half: vec2f,
    @location(2) angle: f32,
    @location(3) height: f32,
    @location(4) shape: u32,
    @location(5) seed: f32,
    @location(6) color: vec4f,  // alpha: strength of its own glow
};

struct Quad {
    @builtin(position) position: vec4f,
    @location(0) p: vec2f,      // in meters, unrotated
    @location(1) @interpolate(flat) half: vec2f,
    @location(2) @interpolate(flat) shape: u32,
    @location(3) @interpolate(flat) color: vec4f,
    @location(4) @interpolate(flat) lit: vec3f,
    @location(5) @interpolate(flat) seed_angle: vec2f,
    @location(6) @interpolate(flat) way: vec2f,
};

@vertex
fn vertex(@builtin(vertex_index) index: u32, sprite: Sprite) -> Quad {
    // Slightly larger than the shape, for its soft edge.
    let p = corner(index) * (sprite.half * 1.25 + 0.04);
    let turn = vec2f(cos(sprite.angle), sin(sprite.angle));
    let at = sprite.at + vec2f(p.x * turn.x - p.y * turn.y, p.x * turn.y + p.y * turn.x);
    let uv = uv_of((sprite.at - view.center) * view.scale);
    let lit = textureSampleLevel(light, clamped, uv, 0.0).rgb;
    let way = textureSampleLevel(toward, clamped, uv, 0.0).rg / max(dot(lit, vec3f(0.3, 0.5, 0.2)), 0.02);
    // Rotated into the frame of the sprite.
    let own = vec2f(way.x * turn.x + way.y * turn.y, way.y * turn.x - way.x * turn.y);
    return Quad(project(at, sprite.height), p, sprite.half, sprite.shape, sprite.color, lit, vec2f(sprite.seed, sprite.angle), own);
}

fn box(p: vec2f, half: vec2f) -> f32 {
    let d = abs(p) - half;
    return length(max(d, vec2f(0.0))) + min(max(d.x, d.y), 0.0);
}

fn capsule(p: vec2f, a: vec2f, b: vec2f, r: f32) -> f32 {
    let t = clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
    return length(p - a - (b - a) * t) - r;
}

// A wedge that points along +x: an arrowhead with a notch at its back.
fn wedge(p: vec2f, length_: f32, width: f32, notch: f32) -> f32 {
    let q = vec2f(p.x, abs(p.y));
    let n = normalize(vec2f(width, length_ * 2.0));
    let front = dot(q - vec2f(length_, 0.0), n);
    let m = normalize(vec2f(-width, notch * 1.5));
    let back = dot(q - vec2f(-length_ + notch, 0.0), m);
    return max(front, back);
}

struct Surface {
    edge: f32,      // signed distance in meters
    albedo: vec3f,
    glow: vec3f,
    round: f32,     // 1: shaded like a ball, 0: flat
};

fn hexagon(p: vec2f, r: f32) -> f32 {
    let k = vec3f(-0.866025404, 0.5, 0.577350269);
    var q = abs(p);
    q -= 2.0 * min(dot(k.xy, q), 0.0) * k.xy;
    q -= vec2f(clamp(q.x, -k.z * r, k.z * r), r);
    return length(q) * sign(q.y);
}

fn mote(p: vec2f, h: vec2f, c: vec4f) -> Surface {
    let d = capsule(p, vec2f(-h.x * 0.7, 0.0), vec2f(h.x * 0.45, 0.0), h.y * mix(0.35, 0.75, clamp(p.x / h.x * 0.5 + 0.5, 0.0, 1.0)));
    return Surface(d, c.rgb * 0.5, c.rgb * c.a * smoothstep(-h.x, h.x, p.x), 0.4);
}

fn hunter(p: vec2f, h: vec2f, c: vec4f, seed: f32) -> Surface {
    let wing = wedge(p, h.x * 0.95, h.x * 1.25, h.x * 0.55);
    let jaw = capsule(vec2f(p.x, abs(p.y)), vec2f(h.x * 0.35, h.y * 0.30), vec2f(h.x * 0.98, h.y * 0.16), h.x * 0.09);
    let d = min(wing, jaw);
    let eye = length(vec2f(p.x - h.x * 0.30, abs(p.y) - h.y * 0.22)) - h.x * 0.10;
    let spine = smoothstep(0.05, 0.0, abs(p.y)) * step(p.x, h.x * 0.2);
    let beat = 0.7 + 0.3 * sin(view.time * 9.0 + seed * 40.0);
    return Surface(d, vec3f(0.16, 0.12, 0.13), c.rgb * c.a * (smoothstep(0.035, -0.02, eye) * 2.4 + spine * 0.7 * beat + smoothstep(-0.09, 0.0, d) * 0.35), 0.7);
}

fn spitter(p: vec2f, h: vec2f, c: vec4f, seed: f32) -> Surface {
    let a = atan2(p.y, p.x);
    let d = length(p) - h.x * (0.80 + 0.14 * cos(a * 5.0 + seed * 6.0 + view.time));
    let core = length(p) - h.x * (0.32 + 0.08 * sin(view.time * 5.0 + seed * 30.0));
    let ring = abs(length(p) - h.x * 0.58) - 0.025;
    return Surface(d, vec3f(0.20, 0.10, 0.17), c.rgb * c.a * (smoothstep(0.05, -0.05, core) * 1.8 + smoothstep(0.03, 0.0, ring) * 0.6), 0.9);
}

fn carrier(p: vec2f, h: vec2f, c: vec4f) -> Surface {
    let d = box(p, h * vec2f(0.95, 0.62) - 0.10) - 0.10;
    let cargo = box(p + vec2f(h.x * 0.22, 0.0), h * vec2f(0.42, 0.36)) - 0.03;
    let lamp = length(vec2f(p.x - h.x * 0.72, abs(p.y) - h.y * 0.30)) - 0.05;
    let stripe = step(0.5, fract((p.x + p.y) * 4.0)) * 0.25 + 0.75;
    let albedo = mix(vec3f(0.42, 0.40, 0.36) * stripe, vec3f(0.20, 0.17, 0.13), smoothstep(0.02, -0.02, cargo));
    return Surface(d, albedo, c.rgb * c.a * (smoothstep(0.0, -0.12, cargo) * 0.42 + smoothstep(0.03, -0.02, lamp) * 1.5), 0.35);
}

fn ship(p: vec2f, h: vec2f, c: vec4f) -> Surface {
    let q = vec2f(p.x, abs(p.y));
    let hull = wedge(p, h.x, h.x * 0.95, h.x * 0.35);
    let pod = capsule(q, vec2f(-h.x * 0.62, h.y * 0.62), vec2f(h.x * 0.22, h.y * 0.56), h.x * 0.13);
    let d = min(hull, pod);
    let cockpit = capsule(p, vec2f(-h.x * 0.05, 0.0), vec2f(h.x * 0.38, 0.0), h.x * 0.13);
    let engine = length(q - vec2f(-h.x * 0.74, h.y * 0.62)) - h.x * 0.10;
    let seam = smoothstep(0.025, 0.0, abs(hull + 0.10)) * 0.4;
    let albedo = mix(vec3f(0.66, 0.72, 0.80), vec3f(0.04, 0.07, 0.10), smoothstep(0.02, -0.02, cockpit)) * (1.0 - seam);
    let glow = vec3f(0.10, 0.60, 0.90) * smoothstep(0.0, -0.08, cockpit) + c.rgb * c.a * smoothstep(0.05, -0.05, engine);
    return Surface(d, albedo, glow + vec3f(0.06, 0.30, 0.42) * smoothstep(-0.045, 0.0, d), 0.6);
}

fn rock(p: vec2f, h: vec2f, seed: f32) -> Surface {
    let a = atan2(p.y, p.x);
    let lumps = 0.06 * sin(a * 3.0 + seed * 20.0) + 0.05 * sin(a * 5.0 + seed * 51.0) + 0.03 * sin(a * 11.0 + seed * 9.0);
    let d = length(p) - h.x * (0.95 + lumps);
    let crack = smoothstep(0.05, 0.0, abs(sin(p.x * 5.0 + seed * 9.0 + sin(p.y * 4.0)) * 0.4 + p.y * 0.5)) * 0.35;
    let dust = hash(floor((p + seed * 3.0) * 22.0)) * 0.12;
    return Surface(d, view.stone * 1.5 * (0.85 + dust - crack) + vec3f(0.03), vec3f(0.0), 1.0);
}

fn crate_(p: vec2f, h: vec2f, seed: f32) -> Surface {
    let d = box(p, h * 0.88 - 0.05) - 0.05;
    let frame = smoothstep(-0.16, -0.11, d);
    let brace = smoothstep(0.06, 0.03, abs(abs(p.x) - abs(p.y)));
    let albedo = mix(vec3f(0.33, 0.26, 0.18), vec3f(0.48, 0.42, 0.33), max(frame, brace * 0.7)) * mix(0.7, 1.15, seed);
    let mark = smoothstep(0.03, 0.0, length(p) - 0.09) * step(0.8, seed);
    return Surface(d, albedo, vec3f(0.2, 1.4, 1.1) * mark, 0.25);
}

fn gate(p: vec2f, h: vec2f) -> Surface {
    let d = box(p, h - 0.06) - 0.06;
    let along = select(p.x, p.y, h.y > h.x);
    let across = select(p.y, p.x, h.y > h.x) / min(h.x, h.y);
    let chevron = smoothstep(0.46, 0.54, abs(fract(along * 1.3 + abs(across) * 0.28) * 2.0 - 1.0));
    let inner = smoothstep(-0.10, -0.13, d);
    let albedo = mix(vec3f(0.34, 0.35, 0.38), mix(vec3f(0.07, 0.07, 0.08), vec3f(0.85, 0.52, 0.10), chevron), inner * 0.95);
    let lamp = length(vec2f(abs(along) - max(h.x, h.y) * 0.88, across * 0.3)) - 0.09;
    return Surface(d, albedo, vec3f(2.4, 0.9, 0.15) * smoothstep(0.04, -0.03, lamp) * (0.6 + 0.4 * sin(view.time * 6.0)), 0.3);
}

fn hive(p: vec2f, h: vec2f, c: vec4f, seed: f32) -> Surface {
    let a = atan2(p.y, p.x);
    let breath = 1.0 + 0.05 * sin(view.time * 2.2 + seed * 10.0);
    let d = length(p) - h.x * breath * (0.82 + 0.10 * sin(a * 7.0 + view.time * 0.4) + 0.06 * sin(a * 13.0 - view.time * 0.7));
    let cell = hexagon((fract(p * 1.9 + 0.5) - 0.5), 0.26);
    let core = smoothstep(h.x * 0.75, 0.0, length(p));
    let pores = smoothstep(0.05, -0.06, cell) * smoothstep(0.0, -0.35, d);
    return Surface(d, vec3f(0.17, 0.07, 0.10), c.rgb * c.a * (pores * (0.25 + core * 1.6) + smoothstep(-0.14, 0.0, d) * 0.30), 1.0);
}

fn beacon(p: vec2f, h: vec2f, c: vec4f) -> Surface {
    let d = hexagon(p, h.x * 0.82);
    let ring = abs(hexagon(p, h.x * 0.55)) - 0.045;
    let core = length(p) - h.x * 0.20;
    return Surface(d, vec3f(0.20, 0.24, 0.27), c.rgb * c.a * (smoothstep(0.03, -0.02, ring) + smoothstep(0.06, -0.06, core) * 2.2), 0.4);
}

fn surface(in: Quad) -> Surface {
    let seed = in.seed_angle.x;
    switch in.shape {
        case 0u: { return mote(in.p, in.half, in.color); }
        case 1u: { return hunter(in.p, in.half, in.color, seed); }
        case 2u: { return spitter(in.p, in.half, in.color, seed); }
        case 3u: { return carrier(in.p, in.half, in.color); }
        case 4u: { return ship(in.p, in.half, in.color); }
        case 5u: { return rock(in.p, in.half, seed); }
        case 6u: { return crate_(in.p, in.half, seed); }
        case 7u: { return gate(in.p, in.half); }
        case 8u: { return hive(in.p, in.half, in.color, seed); }
        default: { return beacon(in.p, in.half, in.color); }
    }
}

@fragment
fn fragment(in: Quad) -> @location(0) vec4f {
    let soft = max(length(fwidth(in.p)) * 0.7, 0.002);
    if in.shape == 10u {
        // A shadow on the floor: darkness without a surface.
        let d = length(in.p / in.half);
        return vec4f(0.0, 0.0, 0.0, 0.55 * smoothstep(1.0, 0.35, d));
    }
    let s = surface(in);
    let alpha = smoothstep(soft, -soft, s.edge);
    if alpha < 0.004 {
        discard;
    }
    // Shaded like a dome: the slope follows the position within the quad.
    let bulge = in.p / max(in.half.x, in.half.y);
    let facing = clamp(1.0 + dot(bulge, in.way) * 1.3 * s.round, 0.25, 2.2);
    let rim = smoothstep(-0.10, 0.0, s.edge) * 0.35 * s.round;
    // Light is compressed, so that a sprite stays recognizable under many lights.
    let fallen = in.lit / (1.0 + 0.45 * max(in.lit.r, max(in.lit.g, in.lit.b)));
    let lit = s.albedo * (view.ambient * 1.6 + fallen * facing * (1.0 - rim)) + s.glow;
    return vec4f(lit * alpha, alpha);
}
