/** Interprets values of the device: refusals, units, choices, states. */
import type { NodeStatus, Parameter, ReturnCode } from '../schemas/pipeline'

/** Return codes of `acquisition_trigger` without a picture of its own. */
export const triggerRemarks = {
  /** Another trigger is pending: its picture will come. */
  pending: 101,
  /** Without a subscriber nothing is acquired. */
  noSubscriber: 102,
} as const

export const isSingleFrame = (acquisitionMode: string): boolean => acquisitionMode.startsWith('SingleFrame')

/** Units of service arguments, by the last names of the path; devices report only types. */
const units: readonly (readonly [unit: string, ...paths: string[]])[] = [
  [
    'm',
    ...vectors('position', 'box', 'inner_dimensions', 'outer_dimensions', 'dimensions', 'min_dimensions'),
    ...vectors('max_dimensions', 'rim_thickness', 'rim_ledge', 'pre_grasp_offset', 'distance_to_point.point'),
    ...['sphere.radius', 'cylinder.radius', 'cylinder.height', 'flange_radius', 'rim_step_height'],
    ...['height_open_side', 'suction_surface_length', 'suction_surface_width', 'plane.distance'],
  ],
  ['px', ...['offset_x', 'offset_y', 'width', 'height'].map((side) => `region_of_interest_2d.${side}`)],
]

/** Name endings that give the unit: `dimensions_tolerance_m`, `step_x_deg`. */
const endings = { _m: 'm', _deg: '°', _degree: '°', _meter: 'm' }

/** The unit of a service argument, `pose.position.x`; undefined if it has none or it is unknown. */
export function argumentUnit(path: string): string | undefined {
  const found = units.find(([, ...known]) => known.some((name) => path === name || path.endsWith(`.${name}`)))
  if (found) return found[0]
  return Object.entries(endings).find(([ending]) => path.endsWith(ending))?.[1]
}

function vectors(...names: string[]): string[] {
  return names.flatMap((name) => ['x', 'y', 'z'].map((axis) => `${name}.${axis}`))
}

/** Allowed values of a text parameter, from its description: `Density: [Low, Medium, High, Full]`; undefined if none. */
export function choices({ type, description, default: byDefault }: Parameter): string[] | undefined {
  if (type !== 'string' || typeof byDefault !== 'string') return undefined
  for (const [, inside = ''] of description.matchAll(/\[([^[\]]*)\]/g)) {
    const listed = inside.split(',').map((choice) => choice.trim())
    // Brackets without the default are part of the text.
    if (listed.length > 1 && listed.includes(byDefault)) return listed
  }
  return undefined
}

/** Whether a rule such as `field=one|several&other=x; third=y` holds: `;` separates alternatives. `always` always holds. */
export const holds = (rules: string, value: (field: string) => string): boolean =>
  rules === 'always' ||
  rules.split(';').some((together) =>
    together.split('&').every((rule) => {
      const [field = '', values = ''] = rule.trim().split('=')
      return values.split('|').includes(value(field))
    }),
  )

/** A module's status value `state` (`IDLE`, `RUNNING` …). The node status is `running` in all of these states. */
export function innerState(values: NodeStatus['values']): string | undefined {
  const { state } = values as { state?: unknown }
  return typeof state === 'string' ? state : undefined
}

/** The unit at the end of a parameter's description: `Delivered frame rate (Hz)`. Empty if there is none. */
export const parameterUnit = ({ description }: Pick<Parameter, 'description'>): string =>
  /\(([^()\s]{1,8})\)\.?(?::|$)/.exec(description)?.[1] ?? ''

/** A service's refusal. `value` is its negative code, or 0 if it gave none. */
export interface Refusal extends ReturnCode {
  /** Which of the device's three ways of refusing was used. */
  by: 'return_code' | 'success' | 'accepted'
}

/**
 * Recognises that a service answered with HTTP 200 but did not do its work: a negative `return_code.value`, `success:
 * false` (hand-eye services, with a `status`) or `accepted: false` (start, stop, restart). @param response the
 * `response` of the answer
 */
export function refusal(response: unknown): Refusal | undefined {
  if (!isObject(response)) return undefined
  const { return_code: code, success, accepted, message, status, current_state: state } = response
  if (isObject(code) && typeof code.value === 'number' && code.value < 0)
    return { by: 'return_code', value: code.value, message: text(code.message) }
  if (success === false)
    return { by: 'success', value: typeof status === 'number' ? status : 0, message: text(message) }
  if (accepted === false) return { by: 'accepted', value: 0, message: text(message) || text(state) }
  return undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const text = (value: unknown) => (typeof value === 'string' ? value : '')
