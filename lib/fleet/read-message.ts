import { Value, type Static, type TSchema } from '../typebox'
import { checkJson } from '../codec/json'
import { mostBytes } from './messages'

/** Containers inside one another, at most. */
const deepest = 32
/** Values of a message that came as an object, at most. */
const mostValues = 50_000

/** What is wrong with a message: a key of `fleetSentences`, with its values. */
export interface Unreadable {
  key: 'fleet-too-large' | 'fleet-no-json' | 'fleet-field' | 'fleet-no-object'
  values: Readonly<Record<string, string | number>>
}

/** What was read, or what is wrong with it. */
export type Reading<Read> = { value: Read; problem?: never } | { value?: never; problem: Unreadable }

/**
 * Reads a message of another program.
 * @param payload bytes, text, or the object that `mqtt in` has made of it
 */
export function readMessage<Schema extends TSchema>(
  schema: Schema,
  payload: unknown,
): Reading<Static<Schema>> {
  const parsed = parse(payload)
  if (parsed.problem) return parsed
  if (Value.Check(schema, parsed.value)) return { value: parsed.value }
  const field = Value.Errors(schema, parsed.value).First()?.path.slice(1).replaceAll('/', '.').slice(0, 100)
  return field ? problem('fleet-field', { field }) : problem('fleet-no-object')
}

const problem = (key: Unreadable['key'], values: Unreadable['values'] = {}) => ({ problem: { key, values } })

function parse(payload: unknown): Reading<unknown> {
  const tooLarge = problem('fleet-too-large', { kilobytes: mostBytes / 1024 })
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array))
    return isModest(payload) ? { value: payload } : tooLarge
  if (payload.length > mostBytes) return tooLarge
  const bytes =
    typeof payload === 'string'
      ? Buffer.from(payload)
      : Buffer.from(payload.buffer, payload.byteOffset, payload.length)
  try {
    checkJson(bytes, deepest)
    return { value: JSON.parse(bytes.toString('utf8')) as unknown }
  } catch {
    return problem('fleet-no-json')
  }
}

/** Whether an object has a size that can be checked and written in a moment. */
function isModest(value: unknown): boolean {
  let level: unknown[] = [value]
  let values = 0
  let characters = 0
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return false
    const next: unknown[] = []
    for (const one of level) {
      if (typeof one === 'string') characters += one.length
      if (typeof one !== 'object' || one === null) continue
      for (const [name, inner] of Object.entries(one)) {
        characters += name.length
        next.push(inner)
        if (++values > mostValues || characters > mostBytes) return false
      }
    }
    level = next
  }
  return characters <= mostBytes
}
