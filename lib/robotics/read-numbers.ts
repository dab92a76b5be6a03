import { poseFormat, type PoseFormat, type PoseFormatId } from './pose-formats'

/** What follows a name: a unit (`X[mm] 100`), an assignment sign, the number. */
const named = /(?:\s*\[\w*\])?[\s:="]*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)/y
const unnamed = /(?<![\w.])[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/g

/**
 * Reads the numbers of a pose from what a controller or a flow delivers: an array (nested or not), an object with the
 * format's names, or text with names (`{X 100, Y 0, Z 500, A 0, B 90, C 180}`) or without (`p[0.1, 0, 0.5, 0, 3.14,
 * 0]`). Ignores what follows the pose, such as external axes and status bits; case matters only where it distinguishes
 * names.
 *
 * @returns the numbers in the order of the format; fewer if some are missing, NaN for anything that is not a number
 */
export function numbersIn(format: PoseFormatId | PoseFormat, given: unknown): number[] {
  const known = typeof format === 'string' ? poseFormat(format) : format
  const names = known.numbers.map(({ name }) => name)
  if (typeof given === 'string') return numbersInText(names, given)
  if (Array.isArray(given)) return (given.flat(3) as unknown[]).map(asNumber).slice(0, names.length)
  if (typeof given === 'object' && given !== null) return numbersInObject(known, given)
  return []
}

const asNumber = (value: unknown): number =>
  typeof value === 'number'
    ? value
    : typeof value === 'string' && value.trim()
      ? Number(value.replace(',', '.'))
      : NaN

function numbersInText(names: readonly string[], text: string): number[] {
  // If semicolons separate and there is no point, the comma is the decimal separator.
  const plain = text.includes(';') && !text.includes('.') ? text.replaceAll(',', '.') : text
  const found = names.map((name) => numberAfter(name, plain))
  if (found.every((value) => value !== undefined)) return found
  const all = plain.match(unnamed) ?? []
  return all.slice(0, names.length).map(Number)
}

/** The number after the first occurrence of the name that has one; undefined if there is none. */
function numberAfter(name: string, text: string): number | undefined {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (/[\w.]/.test(text.charAt(at - 1))) continue
    named.lastIndex = at + name.length
    const [, value] = named.exec(text) ?? []
    if (value !== undefined) return Number(value)
  }
  return undefined
}

function numbersInObject({ numbers, rotation }: PoseFormat, given: object): number[] {
  const flat = Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => spread(key, value as unknown)),
  )
  const byLowerCase = new Map(Object.entries(flat).map(([key, value]) => [key.toLowerCase(), value]))
  const order = rotation.kind === 'quaternion' ? rotation.order : []
  const offset = numbers.length - order.length
  const found = numbers.map(({ name }, index) => {
    const part = order[index - offset]
    // In a separate quaternion { x, y, z, w }, the components have no prefix.
    return flat[name] ?? byLowerCase.get(name.toLowerCase()) ?? (part && flat[`q${part}`])
  })
  return found.some((value) => value === undefined) ? found.filter(isNumber) : found.map(asNumber)
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** Fields of a position keep their names, those of an orientation get the prefix q. */
function spread(key: string, value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[key, value]]
  const prefix = /^(orientation|rotation|quaternion)$/i.test(key) ? 'q' : ''
  return Object.entries(value).map(([inner, part]) => [prefix + inner, part])
}
