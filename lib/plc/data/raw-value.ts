import { numbersOfPose } from '../../robotics/pose-numbers'
import type { PoseFormat } from '../../robotics/pose-formats'
import type { CellSays } from '../rows'
import { keysOf, valueAt } from './path'
import type { Slot } from './slots'

/** Nothing has been measured: the PLC reads 0, or an empty text. */
export const nothing = Symbol('nothing')

/**
 * What the cell says in a slot, before unit, scale and type: metres, radians, milliseconds.
 * @returns undefined where the message lacks the property
 */
export function rawValue({ row, index, component, path }: Slot, says: CellSays, format: PoseFormat): unknown {
  const { data } = says
  switch (row) {
    case 'count':
      return data.count ?? data.poses?.length ?? nothing
    case 'score':
      return data.score ?? nothing
    case 'imageProven':
      return data.proven ?? nothing
    case 'pose':
      return poseNumber(data.poses?.[index - 1], component, format)
    case 'property':
      return data.message === undefined
        ? nothing
        : (valueAt(data.message, keysOf(path ?? '') ?? []) ?? undefined)
    default:
      return row in says ? (says as Readonly<Partial<Record<string, unknown>>>)[row] : nothing
  }
}

type Poses = NonNullable<CellSays['data']['poses']>

/** Behind the last pose there is none: *count* says how many there are. */
function poseNumber(pose: Poses[number] | undefined, component: number, format: PoseFormat): unknown {
  if (!pose) return nothing
  const number = numbersOfPose(format, pose, { length: 'm' })[component - 1] ?? NaN
  return format.numbers[component - 1]?.unit === 'deg' ? (number * Math.PI) / 180 : number
}
