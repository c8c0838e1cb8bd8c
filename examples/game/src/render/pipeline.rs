//! Shorthands for creating shaders, pipelines, bind groups and attachments.
use super::gpu::Gpu;

/// The color format of the scene.
pub(super) const HDR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// The depth format of the scene.
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Blending that adds light to light.
pub(super) const ADD: wgpu::BlendState = wgpu::BlendState {
    color: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    },
    alpha: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::Zero,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    },
};

/// The description of a render pipeline.
pub(super) struct Recipe<'a> {
    pub(super) label: &'a str,
    pub(super) module: &'a wgpu::ShaderModule,
    pub(super) vertex: &'a str,
    pub(super) fragment: &'a str,
    pub(super) groups: &'a [&'a wgpu::BindGroupLayout],
    /// The stride and the attributes of the instances, if there are any.
    pub(super) instances: Option<(u64, &'a [wgpu::VertexAttribute])>,
    pub(super) targets: &'a [(wgpu::TextureFormat, Option<wgpu::BlendState>)],
    /// Whether depth is written. `None` neither tests nor writes depth.
    pub(super) depth: Option<bool>,
}

impl Recipe<'_> {
    pub(super) fn build(self, gpu: &Gpu) -> wgpu::RenderPipeline {
        let groups: Vec<_> = self.groups.iter().map(|&group| Some(group)).collect();
        let layout = gpu
            .device
            .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(self.label),
                bind_group_layouts: &groups,
                immediate_size: 0,
            });
        let buffers: Vec<_> = self
            .instances
            .into_iter()
            .map(|(array_stride, attributes)| Some(instance_layout(array_stride, attributes)))
            .collect();
        let targets: Vec<_> = self
            .targets
            .iter()
            .map(|&(format, blend)| Some(color_target(format, blend)))
            .collect();
        gpu.device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(self.label),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: self.module,
                    entry_point: Some(self.vertex),
                    compilation_options: Default::default(),
                    buffers: &buffers,
                },
                primitive: Default::default(),
                depth_stencil: self.depth.map(depth_state),
                multisample: Default::default(),
                fragment: Some(wgpu::FragmentState {
                    module: self.module,
                    entry_point: Some(self.fragment),
                    compilation_options: Default::default(),
                    targets: &targets,
                }),
                multiview_mask: None,
                cache: None,
            })
    }
}

const fn instance_layout(
    array_stride: u64,
    attributes: &[wgpu::VertexAttribute],
) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout {
        array_stride,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes,
    }
}

const fn color_target(
    format: wgpu::TextureFormat,
    blend: Option<wgpu::BlendState>,
) -> wgpu::ColorTargetState {
    wgpu::ColorTargetState {
        format,
        blend,
        write_mask: wgpu::ColorWrites::ALL,
    }
}

fn depth_state(write: bool) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(write),
        depth_compare: Some(wgpu::CompareFunction::LessEqual),
        stencil: Default::default(),
        bias: Default::default(),
    }
}

/// Compiles a shader of the scene, prefixed with the code that all of them share.
pub(super) fn scene_shader(gpu: &Gpu, label: &str, source: &str) -> wgpu::ShaderModule {
    shader(
        gpu,
        label,
        &[include_str!("../shaders/common.wgsl"), source].concat(),
    )
}

pub(super) fn shader(gpu: &Gpu, label: &str, source: &str) -> wgpu::ShaderModule {
    gpu.device
        .create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(label),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        })
}

/// The type of one resource of a bind group.
#[derive(Clone, Copy)]
pub(super) enum Slot {
    Uniform,
    Texture,
    Sampler,
}

/// Creates the layout of a bind group, its slots in order.
pub(super) fn layout(gpu: &Gpu, label: &str, slots: &[Slot]) -> wgpu::BindGroupLayout {
    let entry = |(binding, slot): (usize, &Slot)| wgpu::BindGroupLayoutEntry {
        binding: binding as u32,
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
        ty: match slot {
            Slot::Uniform => wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            Slot::Texture => wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: true },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
            Slot::Sampler => wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
        },
        count: None,
    };
    let entries: Vec<_> = slots.iter().enumerate().map(entry).collect();
    gpu.device
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(label),
            entries: &entries,
        })
}

/// Creates a bind group, its resources in the order of the layout.
pub(super) fn bind_group(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    resources: &[wgpu::BindingResource<'_>],
) -> wgpu::BindGroup {
    let entries: Vec<_> = resources
        .iter()
        .enumerate()
        .map(|(binding, resource)| wgpu::BindGroupEntry {
            binding: binding as u32,
            resource: resource.clone(),
        })
        .collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout,
        entries: &entries,
    })
}

/// Creates a sampler with linear filtering.
pub(super) fn sampler(gpu: &Gpu, address: wgpu::AddressMode) -> wgpu::Sampler {
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        address_mode_u: address,
        address_mode_v: address,
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        ..Default::default()
    })
}

/// Returns a color attachment that is cleared first, or drawn over if `clear` is `None`.
pub(super) fn color_attachment(
    view: &wgpu::TextureView,
    clear: Option<wgpu::Color>,
) -> wgpu::RenderPassColorAttachment<'_> {
    wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target: None,
        ops: wgpu::Operations {
            load: clear.map_or(wgpu::LoadOp::Load, wgpu::LoadOp::Clear),
            store: wgpu::StoreOp::Store,
        },
    }
}
