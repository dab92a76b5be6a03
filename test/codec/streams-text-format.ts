import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StreamMessageType } from '../../lib/codec/streams'

const folder = join(__dirname, '../../../test/codec/streams-vectors')

interface Vector {
  name: string
  type: StreamMessageType
  bytes: Buffer
  /** The content in text format; without fields that only newer firmware has. */
  message: object
}

/** Messages encoded by `protoc`. */
export const vectors: readonly Vector[] = readdirSync(folder)
  .filter((file) => file.endsWith('.bin'))
  .map((file) => {
    const name = file.slice(0, -4)
    const text = readFileSync(join(folder, `${name}.txtpb`), 'utf8')
    const message = name.endsWith('-newer') ? older(text) : text
    return {
      name,
      type: name.replace(/-.*/, '') as StreamMessageType,
      bytes: readFileSync(join(folder, file)),
      message: messageOf(message),
    }
  })

export function vector(name: string): Vector {
  const found = vectors.find((each) => each.name === name)
  if (!found) throw new Error(`no vector ${name}`)
  return found
}

/** Today's fields come first in the newer messages. */
function older(text: string): string {
  return text.replace(/ {2}zone: .*\n/, '').replace(/temperature[^]*/, '')
}

/** The subset of the text format that the vectors use. */
function messageOf(text: string): object {
  const tokens = text.match(/"[^"]*"|[{}[\]:,]|[^\s{}[\]:,"]+/g) ?? []
  let at = 0
  const next = () => tokens[at++] ?? ''
  const value = (): unknown => {
    const token = next()
    if (token !== '[') return valueOf(token)
    const list: unknown[] = []
    for (;;) {
      list.push(valueOf(next()))
      if (next() === ']') return list
    }
  }
  const fields = (): object => {
    const message: Record<string, unknown> = {}
    for (let name = next(); name !== '' && name !== '}'; name = next())
      message[name] = next() === '{' ? fields() : value()
    return message
  }
  return fields()
}

function valueOf(token: string): unknown {
  if (token.startsWith('"')) return token.slice(1, -1)
  if (token === 'true' || token === 'false') return token === 'true'
  if (token.endsWith('inf')) return token.startsWith('-') ? -Infinity : Infinity
  if (token === 'nan') return NaN
  const number = Number(token)
  return /^-?\d+$/.test(token) && !Number.isSafeInteger(number) ? BigInt(token) : number
}
