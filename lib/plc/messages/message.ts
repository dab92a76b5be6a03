/** Messages of other nodes as readings and values, and the link by which they come and go. */
import { sentencesIn } from '../../kernel/sentences'
import type { NamedValue, OpenMap, PlcValue, Slot } from '../data'
import { plcErrorsOf } from '../plc-error'
import type { CellOutputs, CellWord, PlcInputs } from '../rows'
import type en from './locales/en-US/sentences.json'

/** The values in a message of another node, by name or by memory and address. */
export interface Reading {
  values: ReadonlyMap<string, unknown>
  /** The message holds everything that the reader reads; otherwise others follow with the rest. */
  complete: boolean
  /** The reader has just connected: its values are from before. */
  fresh?: boolean
}

/** A value of the cell for a message. */
export interface Item extends Omit<NamedValue, 'name'> {
  /** Its name, or memory and address as in `registers 5`. */
  key: string
  /** The word, where the protocol has addresses. */
  word?: CellWord
}

/** A message for the writer. The next one is sent when the PLC has this one. */
export interface Step {
  message: object
  items: readonly Item[]
}

export type IsChanged = (item: Item) => boolean

export const keyOfWord = (area: string, address: number): string => `${area} ${address}`

type Properties = Readonly<Record<string, unknown>>

/** The properties of something; none of what is no object. */
export const propertiesOf = (value: unknown): Properties => Object(value) as Properties

/** The names with the values that an object has of its own, below dots too; `null` is none. */
export function valuesOf(names: readonly string[], value: unknown): Map<string, unknown> {
  const found = new Map<string, unknown>()
  for (const name of names) {
    const own = ownValue(value, name) ?? name.split('.').reduce(ownValue, value)
    if (own !== undefined && own !== null) found.set(name, own)
  }
  return found
}

export const isPlain = (value: unknown): value is Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)

const ownValue = (value: unknown, name: string): unknown =>
  isPlain(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** An error of the connection to a PLC by messages of other nodes. */
export const messagesError = plcErrorsOf(sentencesIn<typeof en>(__dirname))

/** One value under its name as topic. */
export function single(message: object, wanted: readonly string[]): Reading | undefined {
  const { topic, payload } = propertiesOf(message)
  if (typeof topic !== 'string' || !wanted.includes(topic)) return undefined
  return payload === undefined || payload === null
    ? undefined
    : { values: new Map([[topic, payload]]), complete: false }
}

/** An object with everything that the reader reads, by name. */
export function objectIn(payload: unknown, wanted: readonly string[]): Reading | undefined {
  const values = valuesOf(wanted, payload)
  return isPlain(payload) && values.size > 0 ? { values, complete: true } : undefined
}

type Leaf = PlcValue | number[]

type Branch = Map<string, Branch | Leaf>

/** The values as an object; a dot in a name is an object in it. */
export function nested(items: readonly Pick<Item, 'key' | 'value'>[]): object {
  const root: Branch = new Map()
  for (const { key, value } of items) {
    const names = key.split('.')
    const last = names.pop() ?? key
    let branch = root
    for (const name of names) {
      const next = branch.get(name)
      const inner: Branch = next instanceof Map ? next : new Map<string, Branch | Leaf>()
      branch.set(name, inner)
      branch = inner
    }
    branch.set(last, value instanceof Uint8Array ? [...value] : value)
  }
  return toObject(root)
}

const toObject = (branch: Branch): object =>
  Object.fromEntries(
    [...branch].map(([name, value]) => [name, value instanceof Map ? toObject(value) : value]),
  )

/**
 * The reader's state in a message of a Status node: its text if it is red, otherwise ''.
 * @returns undefined where the message is of no Status node
 */
export function faultInStatus(message: object): string | undefined {
  const { status } = propertiesOf(message)
  const { fill, text, source } = propertiesOf(status)
  if (source === undefined) return undefined
  if (fill !== 'red') return ''
  return typeof text === 'string' && text !== '' ? text.slice(0, 200) : '–'
}

/** How a message was interpreted. */
export type Heard = 'reading' | 'status' | 'foreign' | 'kept'

/** Most messages that are kept for a connection that is still being opened. */
const mostKept = 100

/**
 * Where messages of the reader come in and messages for the writer go out: between a connection that takes them and the
 * node that stands in the flow. Either may be there first, or be replaced by a deploy.
 */
export class MessageLink {
  /** The last value that was heard of each name: a reader that tells changes alone does not repeat it after a deploy. */
  readonly values = new Map<string, unknown>()
  readonly #kept: object[] = []
  #hear: ((message: object) => Heard) | undefined
  #send: ((message: object) => void) | undefined

  /** For the node. @returns leaves again; undefined where another is there */
  join(send: (message: object) => void): (() => void) | undefined {
    if (this.#send) return undefined
    this.#send = send
    return () => {
      if (this.#send === send) this.#send = undefined
    }
  }

  /** For the connection. @returns what has come before it, the oldest first */
  attach(hear: (message: object) => Heard): object[] {
    this.#hear = hear
    return this.#kept.splice(0)
  }

  /** The connection leaves again. */
  detach(hear: (message: object) => Heard): void {
    if (this.#hear === hear) this.#hear = undefined
  }

  /** A message of the reader, or the status of its node. */
  hear(message: object): Heard {
    if (this.#hear) return this.#hear(message)
    this.#kept.push(message)
    if (this.#kept.length > mostKept) this.#kept.shift()
    return 'kept'
  }

  /** @returns false where no node is there */
  send(message: object): boolean {
    this.#send?.(message)
    return this.#send !== undefined
  }
}

/** The values of a map by what messages call them. */
export interface MessageForm {
  /** What the PLC writes; those that ask for something first. */
  plcKeys: readonly string[]
  /** What the cell writes. */
  cellKeys: readonly string[]
  /** The cell's values in writing order. */
  items: (outputs: CellOutputs) => Item[]
  /** The PLC's inputs. */
  inputs: (valueOf: (key: string) => unknown) => PlcInputs
}

export function messageForm(map: OpenMap, by: 'address' | 'name'): MessageForm {
  const ofPlc = map.slots.filter(({ meaning }) => meaning.from === 'plc')
  const first = (slot: Slot) =>
    slot.row === 'trigger' || slot.row === 'sequence' || slot.row === 'command' ? 0 : 1
  const keysOf = by === 'name' ? nameOf : wordsOf
  const keys = (slots: readonly Slot[]) => [...new Set(slots.flatMap(keysOf))]
  return {
    plcKeys: keys([...ofPlc].sort((one, other) => first(one) - first(other))),
    cellKeys: keys(map.slots.filter(({ meaning }) => meaning.from === 'cell')),
    items:
      by === 'name'
        ? (outputs) => map.variables(outputs).map(({ name, ...value }) => ({ key: name, ...value }))
        : (outputs) =>
            map.words(outputs).map((word) => ({
              key: keyOfWord(word.area, word.address),
              type: 'UINT',
              value: word.value,
              group: word.group,
              word,
            })),
    inputs:
      by === 'name'
        ? (valueOf) => map.readNames(valueOf)
        : (valueOf) =>
            map.readWords((area, address) => {
              const value = valueOf(keyOfWord(area, address))
              return typeof value === 'number' ? value : undefined
            }),
  }
}

const nameOf = ({ name = '' }: Slot) => [name]

const wordsOf = ({ area, address = 0, words }: Slot) =>
  Array.from({ length: words }, (_, offset) => keyOfWord(area, address + offset))
