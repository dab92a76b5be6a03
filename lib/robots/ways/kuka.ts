import { poseTexts, scoreText } from './numbers-text'
import type { Way } from './way'

/**
 * One complete XML element, as EthernetKRL reads it by its configuration file (`docs/robots/kuka-vision.xml`): a FRAME has its
 * six numbers as attributes. The tags are always the same ones, in the same order.
 */
export const kuka: Way = {
  format: 'kuka',
  end: 'none',
  requests: 'xml',
  // The buffer of EthernetKRL, unless its file says otherwise.
  longest: 16_384,
  write: (answer, numbers, end) => {
    const names = numbers.format.numbers.map(({ name }) => name)
    const pose = poseTexts(answer, numbers).map((text, index) => `${names[index] ?? ''}="${text}"`)
    const { code, count } = answer
    return (
      `<Vision><Code>${String(code)}</Code><Count>${String(count)}</Count>` +
      `<Score>${scoreText(answer)}</Score><Pose ${pose.join(' ')}/></Vision>${end}`
    )
  },
}
