// Light in the air, added to the scene: sparks stretched along their motion, bolts, orbs and rings.

struct Spark {
    @location(0) at: vec2f,
    @location(1) direction: vec2f,  // half the length, along the motion
    @location(2) width: f32,
    @location(3) shape: f32,    // 0: soft dot, 1: bolt, 2: ring
    @location(4) color: vec3f,
};

struct Quad {
    @builtin(position) position: vec4f,
    @location(0) p: vec2f,
    @location(1) @interpolate(flat) color: vec3f,
    @location(2) @interpolate(flat) shape: f32,
};

@vertex
fn vertex(@builtin(vertex_index) index: u32, spark: Spark) -> Quad {
    let p = corner(index);
    let long = length(spark.direction);
    let along = select(vec2f(1.0, 0.0), spark.direction / max(long, 0.0001), long > 0.0001);
    let at = spark.at + along * p.x * (spark.width + long) + vec2f(-along.y, along.x) * p.y * spark.width;
    return Quad(project(at, 0.25), p, spark.color, spark.shape);
}

@fragment
fn fragment(in: Quad) -> @location(0) vec4f {
    let r = length(in.p);
    if r > 1.0 {
        discard;
    }
    var strength = exp(-r * r * 4.0) - 0.018;
    if in.shape > 1.5 {
        strength = smoothstep(0.10, 0.0, abs(r - 0.88)) + 0.10 * r * r * r;
    } else if in.shape > 0.5 {
        strength = exp(-r * r * 7.0) * 0.7 + smoothstep(0.5, 0.1, r) * 0.9;
    }
    return vec4f(in.color * strength, 0.0);
}
