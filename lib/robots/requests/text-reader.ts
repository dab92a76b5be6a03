import { longestRequest, type RawRequest, type RequestReader } from './reader'

/** What ends a line on any controller. */
const lineEnd = /[\r\n\0]/
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
        if (text !== '' && !isRest) return requestIn(text)
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
