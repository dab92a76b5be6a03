import { longestRequest, type RawRequest, type RequestReader } from './reader'

/** What ends a line on any controller. */
const ends = /[\r\n\0]+/
/** Letters of a command. */
const longestCommand = 32
const number = /[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/g

/**
 * Reads lines: a word, then numbers with anything between them (`PICK 3 p[0.4, -0.2, 0.3, 0, 3.14, 0]`). A line ends with a
 * carriage return, a line feed, both or a zero byte; one without an end is complete when nothing more comes.
 */
export function textReader(): RequestReader {
  let rest = ''
  /** The rest of a line that is too long is thrown away, up to its end. */
  let isSkipping = false
  let hasEnds = false

  const lineOf = (line: string): RawRequest[] => {
    const text = line.trim()
    return text ? [requestIn(text)] : []
  }
  return {
    take: (piece) => {
      const lines = (rest + piece).split(ends)
      rest = lines.pop() ?? ''
      const found = lines.flatMap((line, index) => (isSkipping && index === 0 ? [] : lineOf(line)))
      if (lines.length > 0) {
        isSkipping = false
        hasEnds = true
      }
      if (isSkipping) rest = ''
      if (rest.length <= longestRequest) return found
      const text = rest
      rest = ''
      isSkipping = true
      return [...found, { fault: 'too-long', text }]
    },
    flush: () => {
      const text = rest.trim()
      rest = ''
      isSkipping = false
      if (!text) return []
      // Half a line of a robot that ends its lines is no request.
      return [hasEnds ? { fault: 'incomplete', text } : requestIn(text)]
    },
    get isWaiting() {
      return rest.trim() !== '' || isSkipping
    },
    get hasEnds() {
      return hasEnds
    },
  }
}

function requestIn(text: string): RawRequest {
  if (text.length > longestRequest) return { fault: 'too-long', text }
  const [whole, command = ''] = /^["'(\s]*([A-Za-z_]+)/.exec(text) ?? []
  if (whole === undefined || command.length > longestCommand) return { fault: 'unreadable', text }
  return {
    command: command.toUpperCase(),
    numbers: (text.slice(whole.length).match(number) ?? []).map(Number),
  }
}
