/** A parameter that makes others ineffective, with the values that do so. */
export interface IneffectiveCause {
  name: string
  values: readonly unknown[]
  /** Applies only to devices without this parameter, which has replaced it. */
  without?: string
  /** Another node of the same pipeline that has it, without its prefix. */
  of?: string
  /** A call that has this gives the parameters their effect all the same. */
  unlessCallHas?: 'gripper'
}

export interface IneffectiveRule {
  parameters: readonly string[]
  /** Any one of them is sufficient. */
  causes: readonly IneffectiveCause[]
}

const automaticExposure: readonly IneffectiveCause[] = [
  { name: 'exp_auto', values: [true] },
  { name: 'exp_control', values: ['Auto', 'HDR'] },
]
const manualExposure: readonly IneffectiveCause[] = [
  { name: 'exp_control', values: ['Manual'] },
  { name: 'exp_auto', values: [false], without: 'exp_control' },
]
/** A call that names a gripper has its grasps checked in any case. */
const collisions = (...checks: string[]): IneffectiveRule => ({
  parameters: checks.map((check) => `check_collisions_${check}`),
  causes: [{ name: 'check_collisions', values: [false], unlessCallHas: 'gripper' }],
})
const output = (number: 1 | 2): IneffectiveRule => ({
  parameters: [`out${number}_ratio`],
  causes: [{ name: `out${number}_mode`, values: ['Low', 'High'] }],
})
const only = (parameter: string, name: string, ...values: unknown[]): IneffectiveRule => ({
  parameters: [parameter],
  causes: [{ name, values }],
})

/** By the node's name without its prefix. */
export const ineffectiveRules: Readonly<Record<string, readonly IneffectiveRule[]>> = {
  camera: [
    { parameters: ['exp_value', 'gain_value'], causes: automaticExposure },
    {
      parameters: [
        'exp_max',
        'exp_auto_mode',
        'exp_auto_average_max',
        'exp_auto_average_min',
        'exp_offset_x',
        'exp_offset_y',
        'exp_width',
        'exp_height',
      ],
      causes: manualExposure,
    },
    // A window without width or height means the whole image.
    {
      parameters: ['exp_offset_x', 'exp_offset_y', 'exp_height'],
      causes: [{ name: 'exp_width', values: [0] }],
    },
    {
      parameters: ['exp_offset_x', 'exp_offset_y', 'exp_width'],
      causes: [{ name: 'exp_height', values: [0] }],
    },
    {
      parameters: ['wb_ratio_red', 'wb_ratio_green', 'wb_ratio_blue'],
      causes: [{ name: 'wb_auto', values: [true] }],
    },
    {
      parameters: ['trigger_source', 'trigger_activation'],
      causes: [{ name: 'acquisition_mode', values: ['Continuous'] }],
    },
    only('trigger_activation', 'trigger_source', 'Software'),
  ],
  stereomatching: [
    // It waits for the automatic exposure, in the modes that take single images.
    {
      parameters: ['exposure_adapt_timeout'],
      causes: [
        { name: 'acquisition_mode', values: ['Continuous'] },
        ...manualExposure.map((cause) => ({ ...cause, of: 'camera' })),
      ],
    },
    only('static_scene', 'quality', 'Low', 'Medium'),
  ],
  time_of_flight: [
    only('ambiguity_filter_threshold', 'ambiguity_filter', false),
    only('outlier_removal_threshold', 'outlier_removal', false),
    only('temporal_filter_strength', 'temporal_filter', false),
  ],
  hand_eye_calibration: [only('tcp_offset', 'tcp_rotation_axis', -1)],
  iocontrol: [output(1), output(2)],
  silhouettematch: [collisions('during_retraction', 'with_base_plane', 'with_matches', 'with_point_cloud')],
  cadmatch: [collisions('during_retraction', 'with_matches', 'with_point_cloud')],
  boxpick: [only('line_sensitivity', 'manual_line_sensitivity', false)],
}
