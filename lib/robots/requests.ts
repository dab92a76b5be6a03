/**
 * Requests of robots as their programs write them: lines of text, or XML elements.
 *
 * In: received text, in pieces of any size. Out: requests one by one, with command, job and pose in metres; or why
 * something is none.
 */
import type { Pose } from '../robotics/pose'
import { poseOfNumbers } from '../robotics/pose-numbers'
import { suspicionsOf } from '../robotics/suspicions'
import type { RobotNumbers } from './dialects'

/** A request as received, before its numbers are interpreted. */
export type RawRequest =
  | { command: string; numbers: number[] }
  /** No request, or never completed. */
  | { fault: 'unreadable' | 'too-long' | 'incomplete'; text: string }
  /** XML without this element or attribute. */
  | { fault: 'missing'; text: string; missing: string }

/** Extracts requests from pieces of any size. */
export interface RequestReader {
  push: (piece: string) => void
  /** The next complete request; undefined if there is none. */
  next: () => RawRequest | undefined
  /** After a pause: received text is complete, or never will be. */
  flush: () => RawRequest[]
  /** An incomplete request was received. */
  readonly isWaiting: boolean
  /** A request shows its own end, as XML does, or lines of a robot that has ended one before. */
  readonly hasEnds: boolean
}

/** Characters; a longer request is refused before it ends. */
export const longestRequest = 4096

export interface RobotRequest {
  /** In capitals. */
  command: string
  job?: number
  /** Of the robot's flange, metres; the picture belongs to it. */
  pose?: Pose
}

/** Answered by a code. */
export interface UnreadableRequest {
  fault: 'unreadable' | 'too-long' | 'incomplete' | 'missing' | 'numbers' | 'pose'
  /** Excerpt for people. */
  text: string
  missing?: string
}

const shownLength = 80 // characters of a request in notices

/**
 * Whether a position and a quaternion were read as a job and a pose with angles, by the length of the last four
 * numbers.
 */
const isQuaternionTaken = (
  { rotation, numbers }: RobotNumbers['format'],
  length: RobotNumbers['length'],
  own: readonly number[],
): boolean =>
  rotation.kind === 'euler' &&
  length === 'mm' &&
  numbers.some(({ unit }) => unit === 'deg') &&
  Math.abs(Math.hypot(...own.slice(-4)) - 1) < 1e-3

/** Parses a word and after it nothing, a job number, the robot's pose in its own format, or both in this order. */
export function requestOf(
  raw: RawRequest,
  { format, length }: RobotNumbers,
): RobotRequest | UnreadableRequest {
  if ('fault' in raw) return { ...raw, text: raw.text.slice(0, shownLength) }
  const { command, numbers } = raw
  const text = [command, ...numbers].join(' ').slice(0, shownLength)
  const count = format.numbers.length
  const hasJob = numbers.length === 1 || numbers.length === count + 1
  const hasPose = numbers.length >= count
  if (numbers.length > count + 1 || (numbers.length > 1 && !hasPose)) return { fault: 'numbers', text }
  const [job = 0] = numbers
  if (hasJob && !(Number.isInteger(job) && Math.abs(job) < 2 ** 31)) return { fault: 'numbers', text }
  const own = numbers.slice(-count)
  if (hasJob && hasPose && isQuaternionTaken(format, length, own)) return { fault: 'numbers', text }
  if (hasPose && suspicionsOf(format, own, { length }).some(({ severity }) => severity === 'impossible'))
    return { fault: 'pose', text }
  return {
    command,
    ...(hasJob && { job }),
    ...(hasPose && { pose: poseOfNumbers(format, own, { length }) }),
  }
}

const lineEnd = /[\r\n\0]/ // line ends of all controllers

const longestCommand = 32 // letters

const numberPattern = /[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/g

/**
 * Reads lines: a word, then numbers with anything between them (`PICK 3 p[0.4, -0.2, 0.3, 0, 3.14, 0]`). A line ends
 * with a carriage return, a line feed, both or a zero byte; one without an end is complete after a pause.
 */
function textReader(): RequestReader {
  let rest = ''
  let isSkipping = false
  let hasEnds = false

  return {
    push: (piece) => {
      rest += piece
    },
    next: () => {
      for (let end = rest.search(lineEnd); end >= 0; end = rest.search(lineEnd)) {
        const text = rest.slice(0, end).trim()
        const isRest = isSkipping
        rest = rest.slice(end + 1)
        isSkipping = false
        hasEnds = true
        if (text !== '' && !isRest) return lineIn(text)
      }
      if (!isSkipping && rest.length <= longestRequest) return undefined
      const text = rest
      rest = ''
      if (isSkipping) return undefined
      isSkipping = true
      return { fault: 'too-long', text }
    },
    flush: () => {
      const text = rest.trim()
      rest = ''
      isSkipping = false
      if (!text) return []
      // Half a line of a robot that ends its lines is no request.
      return [hasEnds ? { fault: 'incomplete', text } : lineIn(text)]
    },
    get isWaiting() {
      return rest.trim() !== '' || isSkipping
    },
    get hasEnds() {
      return hasEnds
    },
  }
}

function lineIn(text: string): RawRequest {
  if (text.length > longestRequest) return { fault: 'too-long', text }
  const [whole, command = ''] = /^["'(\s]*([A-Za-z_]+)/.exec(text) ?? []
  if (whole === undefined || command.length > longestCommand) return { fault: 'unreadable', text }
  return {
    command: command.toUpperCase(),
    numbers: (text.slice(whole.length).match(numberPattern) ?? []).map(Number),
  }
}

const declaration = /^<\?[^<>]*>\s*/

const nameOfTag = /^<([A-Za-z_][\w.-]*)/

/**
 * Reads complete XML elements, as `EKI_Send` writes them: `<Robot><Command>PICK</Command><Job>3</Job><Pose X="445"
 * …/></Robot>`. Values are attributes or content, names in upper or lower case. Only text between the first and the
 * last tag counts.
 */
function xmlReader(): RequestReader {
  let rest = ''

  return {
    push: (piece) => {
      rest += piece
    },
    next: () => {
      rest = rest.replace(/^[\s\0]+/, '')
      if (rest === '') return undefined
      if (!rest.startsWith('<')) {
        const start = rest.indexOf('<')
        const text = start < 0 ? rest : rest.slice(0, start)
        // Plain text without an end may be incomplete; it is never a request.
        if (start < 0 && !/[\r\n\0]/.test(text) && text.length <= longestRequest) return undefined
        rest = rest.slice(text.length)
        return { fault: 'unreadable', text: text.trim() }
      }
      const end = endOfElement(rest)
      if (end === undefined && rest.length <= longestRequest) return undefined
      const text = rest.slice(0, end)
      rest = rest.slice(text.length)
      return end === undefined ? { fault: 'too-long', text } : elementIn(text)
    },
    flush: () => {
      const text = rest.trim()
      rest = ''
      return text ? [{ fault: text.startsWith('<') ? 'incomplete' : 'unreadable', text }] : []
    },
    get isWaiting() {
      return rest.trim() !== ''
    },
    hasEnds: true,
  }
}

/** End of the first element; undefined if it is incomplete. */
function endOfElement(text: string): number | undefined {
  const [before = ''] = declaration.exec(text) ?? []
  const open = text.indexOf('>', before.length)
  if (open < 0) return undefined
  if (text.charAt(open - 1) === '/') return open + 1
  const [, name = ''] = nameOfTag.exec(text.slice(before.length, open)) ?? []
  const end = text.indexOf(`</${name}`, open)
  const close = end < 0 ? -1 : text.indexOf('>', end)
  return close < 0 ? undefined : close + 1
}

function elementIn(text: string): RawRequest {
  const values = valuesIn(text)
  const command = values.get('command')
  if (command === undefined) return { fault: 'missing', text, missing: '<Command>' }
  if (!/^[A-Za-z_]{1,32}$/.test(command)) return { fault: 'unreadable', text }
  const job = values.get('job')
  const names = ['x', 'y', 'z', 'a', 'b', 'c']
  const pose = names.map((name) => values.get(name))
  const isPose = pose.some((value) => value !== undefined)
  const missing = isPose ? names.find((name) => !values.has(name))?.toUpperCase() : undefined
  if (missing !== undefined) return { fault: 'missing', text, missing }
  const given = [...(job === undefined ? [] : [job]), ...(isPose ? pose : [])]
  const numbers = given.map((value) => (value ? Number(value) : Number.NaN))
  return numbers.every(Number.isFinite)
    ? { command: command.toUpperCase(), numbers }
    : { fault: 'unreadable', text }
}

const attribute = /[\s"'](\w+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g

const element = /<(\w+)>([^<]*)(?=<)/g

/** Attributes, and contents of leaf elements, by name in lower case. */
function valuesIn(text: string): Map<string, string> {
  const attributes = Array.from(text.matchAll(attribute), ([, name = '', one, other]) => [
    name,
    one ?? other ?? '',
  ])
  const contents = Array.from(text.matchAll(element), ([, name = '', value = '']) => [name, value])
  // An empty element was not set by the program.
  return new Map(
    [...contents, ...attributes]
      .map(([name = '', value = '']): [string, string] => [name.toLowerCase(), value.trim()])
      .filter(([, value]) => value !== ''),
  )
}

export const requestReader = (kind: 'text' | 'xml'): RequestReader =>
  kind === 'xml' ? xmlReader() : textReader()
