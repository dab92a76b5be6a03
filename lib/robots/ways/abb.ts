import { fitted, poseTexts, scoreText } from './numbers-text'
import type { Way } from './way'

/**
 * `code;count;score;[[x,y,z],[q1,q2,q3,q4]]`: four parts, each of which `StrToVal` reads, the last one as a `pose`. A RAPID
 * string has at most 80 characters; decimal places are left out where they do not fit.
 */
export const abb: Way = {
  format: 'abb',
  end: 'lf',
  requests: 'text',
  longest: 80,
  write: (answer, numbers, end) =>
    fitted(abb.longest, (coarser) => {
      const texts = poseTexts(answer, numbers, coarser)
      // The orientation of no pose is a unit quaternion all the same: RAPID refuses any other.
      const rotation = answer.numbers ? texts.slice(3) : ['1', '0', '0', '0']
      const pose = `[[${texts.slice(0, 3).join(',')}],[${rotation.join(',')}]]`
      return [answer.code, answer.count, scoreText(answer), pose].join(';') + end
    }),
}
