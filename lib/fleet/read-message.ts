import { Value, type Static, type TSchema } from '../typebox'
import { checkJson } from '../codec/json'
import { NotJson, plainJson } from '../kernel/json'
import { mostBytes } from './messages'

/** Containers inside one another, at most. */
const deepest = 32

/** What a result or the data of an event may be at most: the rest of the message has its place too. */
export const partLimits = { depth: deepest - 2, bytes: mostBytes - 16 * 1024 } as const

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
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) return plain(payload)
  if (payload.length > mostBytes) return tooLarge()
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

const tooLarge = () => problem('fleet-too-large', { kilobytes: mostBytes / 1024 })

/** A copy of an object, which can be checked, kept and sent. */
function plain(payload: unknown): Reading<unknown> {
  try {
    return { value: plainJson(payload, { name: 'payload', depth: deepest, bytes: mostBytes }) }
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    const isLarge = error.key === 'json-too-large' || error.key === 'json-too-deep'
    return isLarge ? tooLarge() : problem('fleet-field', { field: error.path })
  }
}
