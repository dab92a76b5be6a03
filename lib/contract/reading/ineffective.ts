import type { Parameter } from '../schemas/parameter'

/** A parameter that makes others ineffective, with the values that do so. */
interface Cause {
  name: string
  values: readonly unknown[]
  /** Applies only to devices without this parameter, which has replaced it. */
  without?: string
}

interface Rule {
  parameters: readonly string[]
  /** Any one of them is sufficient. */
  causes: readonly Cause[]
}

const automaticExposure: readonly Cause[] = [
  { name: 'exp_auto', values: [true] },
  { name: 'exp_control', values: ['Auto', 'HDR'] },
]
const manualExposure: readonly Cause[] = [
  { name: 'exp_control', values: ['Manual'] },
  { name: 'exp_auto', values: [false], without: 'exp_control' },
]
const output = (number: 1 | 2): Rule => ({
  parameters: [`out${number}_ratio`],
  causes: [{ name: `out${number}_mode`, values: ['Low', 'High'] }],
})
const only = (parameter: string, name: string, ...values: unknown[]): Rule => ({
  parameters: [parameter],
  causes: [{ name, values }],
})

/** By the node's name without its prefix. */
export const ineffectiveRules: Readonly<Record<string, readonly Rule[]>> = {
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
    only('exposure_adapt_timeout', 'acquisition_mode', 'Continuous'),
    only('static_scene', 'quality', 'Low', 'Medium'),
  ],
  time_of_flight: [
    only('ambiguity_filter_threshold', 'ambiguity_filter', false),
    only('outlier_removal_threshold', 'outlier_removal', false),
    only('temporal_filter_strength', 'temporal_filter', false),
  ],
  hand_eye_calibration: [only('tcp_offset', 'tcp_rotation_axis', -1)],
  iocontrol: [output(1), output(2)],
  boxpick: [only('line_sensitivity', 'manual_line_sensitivity', false)],
}

/**
 * The parameter of the same node whose present value makes another one ineffective: `exp_auto` for `exp_value` while it
 * is on. Undefined if the other one is effective, or if nothing is known.
 * @param records the parameters of the node, as read from the device
 */
export function madeIneffectiveBy(
  node: string,
  parameter: string,
  records: readonly Parameter[],
): Parameter | undefined {
  const present = (wanted: string) => records.find(({ name }) => name === wanted)
  for (const { parameters, causes } of rulesOf(node)) {
    if (!parameters.includes(parameter)) continue
    for (const { name, values, without } of causes) {
      const record = present(name)
      const counts = record && !(without !== undefined && present(without))
      if (counts && values.includes(record.value)) return record
    }
  }
  return undefined
}

/** The prefix of a node name differs between brands: `dev_camera`, `xy_camera`. */
const rulesOf = (node: string) => {
  const module = Object.keys(ineffectiveRules).find((name) => node === name || node.endsWith(`_${name}`))
  return module === undefined ? [] : (ineffectiveRules[module] ?? [])
}
