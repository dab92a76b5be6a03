import { fitted, poseTexts, scoreText } from './numbers-text'
import type { Way } from './way'

/** `code,count,score,` and the numbers of the pose: what nearly every controller can take apart. */
export const ascii: Way = {
  format: 'kuka',
  end: 'lf',
  requests: 'text',
  // A matrix of sixteen numbers is longer than what most controllers read.
  longest: 254,
  write: (answer, numbers, end) => {
    const line = (coarser: number) =>
      [answer.code, answer.count, scoreText(answer), ...poseTexts(answer, numbers, coarser)].join(',') + end
    const isShort = numbers.format.numbers.length <= 7
    return fitted(isShort ? 80 : ascii.longest, line)
  },
}
