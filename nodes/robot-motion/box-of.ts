import type { MotionLimits } from '../../lib/robot-motion/limits'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('robot-motion')

/** Three ranges as they are entered in mm, in metres. @throws INVALID_INPUT */
export function boxOf(text: string): MotionLimits['box'] {
  if (text === '') return undefined
  const ranges = text.split(',').map((part): readonly [number, number] => {
    const [from = Number.NaN, to = Number.NaN, ...more] = part.split('..').map((each) => Number(each) / 1000)
    return more.length > 0 || part.trim() === '' ? [Number.NaN, Number.NaN] : [from, to]
  })
  const [x, y, z, ...more] = ranges
  if (!x || !y || !z || more.length > 0 || !ranges.every(([from, to]) => from < to))
    throw invalidInput('robot-bad-box', { value: text })
  return [x, y, z]
}
