/**
 * How each make of robot reads an answer: order of numbers, separators and line ends, longest line.
 *
 * In: code, count, score and the numbers of a pose in the robot's format. Out: the text to send, or a RangeError for a
 * number that does not fit into its columns.
 */
import type { LengthUnit, PoseFormat, PoseFormatId, PoseNumber } from '../robotics/pose-formats'
import { decimalText } from '../robotics/pose-numbers'

/** In the robot's own numbers. */
export interface RobotAnswer {
  /** 0: success. */
  code: number
  count: number
  /** Of this pose, from the device's module; 0 without one. */
  score: number
  /** The pose in order and units of the format; zeros are written if undefined. */
  numbers?: readonly number[]
}

/** How poses are written in answers and requests. */
export interface RobotNumbers {
  format: PoseFormat
  length: LengthUnit
}

export const lineEnds = { lf: '\n', crlf: '\r\n', cr: '\r', none: '' } as const

export type LineEnd = keyof typeof lineEnds

export interface Dialect {
  /** The usual one. */
  format: PoseFormatId
  /** The usual one. */
  end: LineEnd
  requests: 'text' | 'xml'
  /** Characters of an answer, including its end: what the controller can read at once. */
  longest: number
  /** @param end as characters @throws RangeError for an answer longer than `longest` */
  write: (answer: RobotAnswer, numbers: RobotNumbers, end: string) => string
}

/** Decimal places from fine to coarse, of which the first that fits is used; the last is 0.1 mm and 0.01°. */
const finest = { mm: 3, m: 6, deg: 4, rad: 6, '1': 6 } as const

const steps = [0, 1, 2]

/** With a decimal point, no exponent, no unit; zeros without a pose. */
function poseTexts(
  { numbers }: RobotAnswer,
  { format, length }: RobotNumbers,
  coarser = 0,
): readonly string[] {
  const places = ({ unit }: PoseNumber) => finest[unit === 'length' ? length : unit] - coarser
  return format.numbers.map((number, index) => decimalText(numbers?.[index] ?? 0, places(number)))
}

const scoreText = ({ score }: RobotAnswer): string => decimalText(score, 2)

/** The finest text that the controller can read at once. @throws RangeError if none fits */
function fitted(longest: number, textOf: (coarser: number) => string): string {
  const texts = steps.map(textOf)
  const text = texts.find((each) => each.length <= longest)
  if (text !== undefined) return text
  throw new RangeError(
    `${texts[0] ?? ''}: longer than the ${String(longest)} characters that the robot reads`,
  )
}

/**
 * `code;count;score;[[x,y,z],[q1,q2,q3,q4]]`: four parts, each of which `StrToVal` reads, the last one as a `pose`. A
 * RAPID string has at most 80 characters; decimal places are dropped to fit.
 */
const abb: Dialect = {
  format: 'abb',
  end: 'lf',
  requests: 'text',
  longest: 80,
  write: (answer, numbers, end) =>
    fitted(abb.longest, (coarser) => {
      const texts = poseTexts(answer, numbers, coarser)
      // Without a pose the orientation is a unit quaternion too: RAPID refuses any other.
      const rotation = answer.numbers ? texts.slice(3) : ['1', '0', '0', '0']
      const pose = `[[${texts.slice(0, 3).join(',')}],[${rotation.join(',')}]]`
      return [answer.code, answer.count, scoreText(answer), pose].join(';') + end
    }),
}

/** `code,count,score,` and the numbers of the pose: nearly every controller can parse it. */
const ascii: Dialect = {
  format: 'kuka',
  end: 'lf',
  requests: 'text',
  // A matrix of sixteen numbers is longer than most controllers read.
  longest: 254,
  write: (answer, numbers, end) => {
    const line = (coarser: number) =>
      [answer.code, answer.count, scoreText(answer), ...poseTexts(answer, numbers, coarser)].join(',') + end
    const isShort = numbers.format.numbers.length <= 7
    return fitted(isShort ? 80 : ascii.longest, line)
  },
}

/**
 * Fixed columns, because KAREL reads numbers by position only: `code:count:score:X:Y:Z:W:P:R`, the code as a sign and
 * four digits, the count as three digits, the score as a sign, a digit and three decimals, each number of the pose as a
 * sign and thirteen characters, `+000445.000000`. 106 characters; a KAREL string has at most 254.
 */
const fanuc: Dialect = {
  format: 'fanuc',
  end: 'lf',
  requests: 'text',
  longest: 254,
  write: ({ code, count, score, numbers = [] }, { format }, end) =>
    [
      signed(code, 5, 0),
      String(Math.min(count, 999)).padStart(3, '0'),
      // Its columns end at 9.999: a better score is clamped.
      signed(Math.max(-9.999, Math.min(score, 9.999)), 6, 3),
      ...format.numbers.map((_, index) => signed(numbers[index] ?? 0, 14, 6)),
    ].join(':') + end,
}

/** @throws RangeError for a number that does not fit */
function signed(value: number, width: number, places: number): string {
  const digits = Math.abs(value).toFixed(places)
  const text = (value < 0 && Number(digits) !== 0 ? '-' : '+') + digits.padStart(width - 1, '0')
  if (text.length !== width) throw new RangeError(`${text}: does not fit ${String(width)} columns`)
  return text
}

/**
 * A complete XML element, as EthernetKRL reads it by its configuration file (`docs/robots/kuka-vision.xml`): a FRAME
 * has its six numbers as attributes. The tags are always the same, in the same order.
 */
const kuka: Dialect = {
  format: 'kuka',
  end: 'none',
  requests: 'xml',
  // Default buffer of EthernetKRL.
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

/**
 * `(code,count,score,x,y,z,rx,ry,rz)`, always nine numbers: `socket_read_ascii_float(9)` reads a list in parentheses,
 * and a variable keeps the length of its first list. Metres and a rotation vector, as in `p[…]`.
 */
const universalRobots: Dialect = {
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

export const dialects = {
  'universal-robots': universalRobots,
  kuka,
  abb,
  fanuc,
  ascii,
} as const satisfies Record<string, Dialect>

export type DialectId = keyof typeof dialects

export const dialectIds = Object.keys(dialects) as DialectId[]

export const robotInterface = 'robot-interface'
