import type { Parameter } from '../schemas/pipeline'

/** As the device reports them; nodes that it does not have may be missing. */
export type ParametersByNode = Readonly<Record<string, readonly Parameter[]>>

interface IneffectiveBy extends Pick<IneffectiveCause, 'unlessCallHas'> {
  record: Parameter
  /** The node that has it, if that is another one. */
  node?: string
}

/**
 * The parameter whose current value makes another one ineffective: `exp_auto` for `exp_value`, while it is on.
 * Undefined if the other one is effective, or nothing is known. @param parameters those of the node and of
 * `decidingNodes`
 */
export function madeIneffectiveBy(
  node: string,
  parameter: string,
  parameters: ParametersByNode,
): IneffectiveBy | undefined {
  const { rules, prefix } = known(node)
  for (const { parameters: affected, causes } of rules) {
    if (!affected.includes(parameter)) continue
    for (const { name, values, without, of, unlessCallHas } of causes) {
      const holder = of === undefined ? node : prefix + of
      const present = (key: string) => parameters[holder]?.find((record) => record.name === key)
      const record = present(name)
      const counts = record && !(without !== undefined && present(without))
      if (counts && values.includes(record.value))
        return { record, ...(of !== undefined && { node: holder }), ...(unlessCallHas && { unlessCallHas }) }
    }
  }
  return undefined
}

/** Further nodes whose parameters decide whether some of this one have an effect: `dev_camera` for `dev_stereomatching`. */
export function decidingNodes(node: string): string[] {
  const { rules, prefix } = known(node)
  const others = rules.flatMap(({ causes }) =>
    causes.flatMap(({ of }) => (of === undefined ? [] : [prefix + of])),
  )
  return [...new Set(others)]
}

/** Nodes differ by their prefix from one brand to another: `dev_camera`, `xy_camera`. */
function known(node: string) {
  const module =
    Object.keys(ineffectiveRules).find((name) => node === name || node.endsWith(`_${name}`)) ?? ''
  return { rules: ineffectiveRules[module] ?? [], prefix: node.slice(0, node.length - module.length) }
}

interface IneffectiveCause {
  name: string
  values: readonly unknown[]
  /** Applies only to devices without this parameter, which has replaced it. */
  without?: string
  /** Another node of the same pipeline that has it, without its prefix. */
  of?: string
  /** A call with this argument makes the parameters effective. */
  unlessCallHas?: 'gripper'
}

interface IneffectiveRule {
  parameters: readonly string[]
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
