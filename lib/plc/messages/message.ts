import type { NamedValue } from '../data'
import type { CellWord } from '../words'

/** What a message of another node said, by name or by memory and address. */
export interface Reading {
  values: ReadonlyMap<string, unknown>
  /** The message holds everything that the reader reads; otherwise others follow with the rest. */
  complete: boolean
  /** The reader has connected anew: what it says was there before. */
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
