//! Making pipelines and bind groups with few words.
use super::gpu::Gpu;

/// The format of everything that is lit.
pub(crate) const HDR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// The format of depth.
pub(crate) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Light on light.
pub(crate) const ADD: wgpu::BlendState = wgpu::BlendState {
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

/// What one pipeline is.
pub(crate) struct Recipe<'a> {
    pub(crate) label: &'a str,
    pub(crate) module: &'a wgpu::ShaderModule,
    pub(crate) vertex: &'a str,
    pub(crate) fragment: &'a str,
    pub(crate) groups: &'a [&'a wgpu::BindGroupLayout],
    /// Stride and attributes of the instances, if there are any.
    pub(crate) instances: Option<(u64, &'a [wgpu::VertexAttribute])>,
    pub(crate) targets: &'a [(wgpu::TextureFormat, Option<wgpu::BlendState>)],
    /// Whether depth is tested, and written.
    pub(crate) depth: Option<bool>,
}

impl Recipe<'_> {
    pub(crate) fn build(self, gpu: &Gpu) -> wgpu::RenderPipeline {
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

/// A shader of the scene, behind what all of them share.
pub(crate) fn scene_shader(gpu: &Gpu, label: &str, source: &str) -> wgpu::ShaderModule {
    shader(
        gpu,
        label,
        &[include_str!("../shaders/common.wgsl"), source].concat(),
    )
}

pub(crate) fn shader(gpu: &Gpu, label: &str, source: &str) -> wgpu::ShaderModule {
    gpu.device
        .create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(label),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        })
}

/// One thing that a shader can see.
#[derive(Clone, Copy)]
pub(crate) enum Slot {
    Uniform,
    Texture,
    Sampler,
}

/// The layout of a bind group, its slots in order.
pub(crate) fn layout(gpu: &Gpu, label: &str, slots: &[Slot]) -> wgpu::BindGroupLayout {
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

/// A bind group of a layout, its resources in order.
pub(crate) fn bind_group(
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

/// A sampler with linear filtering.
pub(crate) fn sampler(gpu: &Gpu, address: wgpu::AddressMode) -> wgpu::Sampler {
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        address_mode_u: address,
        address_mode_v: address,
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        ..Default::default()
    })
}
