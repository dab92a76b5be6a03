/** What a robot program has after it has read an answer. */
export interface RobotRead {
  code: number
  count: number
  score: number
  numbers: number[]
}

const failed = (reason: string): never => {
  throw new Error(reason)
}

/** A number as the controllers read it: digits and a point, nothing else. */
function real(text: string): number {
  return /^[-+]?\d+(\.\d*)?$/.test(text) ? Number(text) : failed(`not a number: "${text}"`)
}

const parted = ([code = NaN, count = NaN, score = NaN, ...numbers]: readonly number[]): RobotRead => ({
  code,
  count,
  score,
  numbers,
})

/** `socket_read_ascii_float(9)`: from the parenthesis to the parenthesis, at most 30 numbers, [count, …]. */
export function urReads(text: string, wanted = 9): RobotRead {
  const inside = /\(([^()]*)\)/.exec(text)?.[1] ?? failed('no parentheses')
  const numbers = inside.split(',').map((each) => real(each.trim()))
  if (numbers.length > 30) failed('more than 30 numbers')
  if (numbers.length !== wanted) failed(`${String(numbers.length)} numbers instead of ${String(wanted)}`)
  return parted(numbers)
}

/** EthernetKRL: one complete element with exactly the tags of its configuration file; a FRAME has attributes X to C. */
export function kukaReads(text: string): RobotRead {
  const found =
    /^<Vision><Code>([^<]*)<\/Code><Count>([^<]*)<\/Count><Score>([^<]*)<\/Score><Pose X="([^"]*)" Y="([^"]*)" Z="([^"]*)" A="([^"]*)" B="([^"]*)" C="([^"]*)"\/><\/Vision>$/.exec(
      text,
    ) ?? failed(`other tags than in the configuration file: ${text}`)
  return parted(found.slice(1).map(real))
}

/** RAPID: a string of at most 80 characters; StrFind for the line feed and the semicolons, then StrToVal of each part. */
export function abbReads(text: string): RobotRead {
  if (text.length > 80) failed(`a string of ${String(text.length)} characters`)
  const end = text.indexOf('\n')
  if (end < 0) failed('no line feed')
  const parts = text.slice(0, end).split(';')
  if (parts.length !== 4) failed('not four parts')
  const [, position = '', rotation = ''] =
    /^\[\[([^[\]]*)\],\[([^[\]]*)\]\]$/.exec(parts[3] ?? '') ?? failed('not a RAPID pose')
  const quaternion = rotation.split(',').map(real)
  if (Math.abs(Math.hypot(...quaternion) - 1) > 0.001) failed('not a unit quaternion')
  return parted([...parts.slice(0, 3).map(real), ...position.split(',').map(real), ...quaternion])
}

/** KAREL: a string of at most 254 characters, SUB_STR at fixed places, CNV_STR_INT and CNV_STR_REAL. */
export function fanucReads(text: string): RobotRead {
  if (text.length > 254) failed('longer than a KAREL string')
  if (!text.endsWith('\n') || text.length !== 107) failed(`${String(text.length)} characters`)
  const columns = [[1, 5], [7, 3], [11, 6], ...[18, 33, 48, 63, 78, 93].map((start) => [start, 14])]
  return parted(columns.map(([start = 0, length = 0]) => real(text.slice(start - 1, start - 1 + length))))
}

/** Any controller that splits a line at its commas. */
export function asciiReads(text: string): RobotRead {
  if (text.length > 80) failed('longer than 80 characters')
  return parted(text.trimEnd().split(',').map(real))
}
