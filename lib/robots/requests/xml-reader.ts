import { longestRequest, type RawRequest, type RequestReader } from './reader'

const declaration = /^<\?[^<>]*>\s*/
const nameOfTag = /^<([A-Za-z_][\w.-]*)/

/**
 * Reads complete XML elements, as `EKI_Send` writes them: `<Robot><Command>PICK</Command><Job>3</Job><Pose X="445" …/></Robot>`.
 * Values stand as attributes or content, names in upper or lower case. Only what is between the first and the last tag counts.
 */
export function xmlReader(): RequestReader {
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
        // Plain text without an end may still be on its way; it is never a request.
        if (start < 0 && !/[\r\n\0]/.test(text) && text.length <= longestRequest) return undefined
        rest = rest.slice(text.length)
        return { fault: 'unreadable', text: text.trim() }
      }
      const end = endOfElement(rest)
      if (end === undefined && rest.length <= longestRequest) return undefined
      const text = rest.slice(0, end)
      rest = rest.slice(text.length)
      return end === undefined ? { fault: 'too-long', text } : requestIn(text)
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

/** Where the first element ends; undefined while it does not. */
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

function requestIn(text: string): RawRequest {
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

/** The attributes, and the contents of elements that have no others in them, by their names in lower case. */
function valuesIn(text: string): Map<string, string> {
  const attributes = Array.from(text.matchAll(attribute), ([, name = '', one, other]) => [
    name,
    one ?? other ?? '',
  ])
  const contents = Array.from(text.matchAll(element), ([, name = '', value = '']) => [name, value])
  // An element without content is one that the program has not set.
  return new Map(
    [...contents, ...attributes]
      .map(([name = '', value = '']): [string, string] => [name.toLowerCase(), value.trim()])
      .filter(([, value]) => value !== ''),
  )
}
