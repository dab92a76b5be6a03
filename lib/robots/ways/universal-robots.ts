import { fitted, poseTexts, scoreText } from './numbers-text'
import type { Way } from './way'

/**
 * `(code,count,score,x,y,z,rx,ry,rz)`, always nine numbers: `socket_read_ascii_float(9)` reads a list in parentheses, and a
 * variable keeps the length of its first list. Metres and a rotation vector, as `p[…]` wants them.
 */
export const universalRobots: Way = {
  format: 'universal-robots',
  end: 'lf',
  requests: 'text',
  longest: 120,
  write: (answer, numbers, end) =>
    fitted(universalRobots.longest, (coarser) => {
      const { code, count } = answer
      return `(${[code, count, scoreText(answer), ...poseTexts(answer, numbers, coarser)].join(',')})${end}`
    }),
}
