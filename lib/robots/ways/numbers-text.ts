import { decimalText } from '../../robotics/pose-numbers'
import type { PoseNumber } from '../../robotics/pose-formats'
import type { RobotAnswer, RobotNumbers } from './way'

/** Decimal places from fine to coarse, of which the first that fits is used; the last is 0.1 mm and 0.01°. */
const finest = { mm: 3, m: 6, deg: 4, rad: 6, '1': 6 } as const
const steps = [0, 1, 2]

/** The numbers of the pose as text: a point, no exponent, no unit; zeros where there is none. */
export function poseTexts(
  { numbers }: RobotAnswer,
  { format, length }: RobotNumbers,
  coarser = 0,
): readonly string[] {
  const places = ({ unit }: PoseNumber) => finest[unit === 'length' ? length : unit] - coarser
  return format.numbers.map((number, index) => decimalText(numbers?.[index] ?? 0, places(number)))
}

export const scoreText = ({ score }: RobotAnswer): string => decimalText(score, 2)

/**
 * The finest of the texts that fits into what a controller reads at once.
 * @throws RangeError if none does
 */
export function fitted(longest: number, textOf: (coarser: number) => string): string {
  const texts = steps.map(textOf)
  const text = texts.find((each) => each.length <= longest)
  if (text !== undefined) return text
  throw new RangeError(
    `${texts[0] ?? ''}: longer than the ${String(longest)} characters that the robot reads`,
  )
}
