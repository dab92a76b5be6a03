import type { NodeMessage } from 'node-red'
import { referenceIn, type Reference } from '../../lib/contract/reading/form/reference'
import { asType } from './as-type'
import type { FieldKind } from './field-kind'
import type { PreparedField } from './prepared-field'
import { shown } from './shown'
import { invalidInput } from './sentences'

/** Prepares one value of a form; the field is its path, `args.pose.position.x`. */
type ReaderOf = (field: string, kind: FieldKind, text: string) => PreparedField

/**
 * Reads a form that a dialog stored as JSON: fixed values, and references to other sources. A missing value, or one of
 * the wrong type, is an INVALID_INPUT naming the field.
 */
export function formReader(field: string, text: string, readerOf: ReaderOf): PreparedField {
  try {
    return part(field, JSON.parse(text), readerOf)
  } catch (cause) {
    return constant(() => {
      throw invalidInput('not-json', { field }, cause)
    })
  }
}

function part(field: string, stored: unknown, readerOf: ReaderOf): PreparedField {
  if (typeof stored === 'string') return readerOf(field, 'str', stored)
  if (typeof stored !== 'object' || stored === null) return constant(() => stored)
  const reference = referenceIn(stored)
  if (reference) return referred(field, reference, readerOf)
  const parts = Object.entries(stored).map(
    ([name, value]) => [name, part(pathTo(field, stored, name), value, readerOf)] as const,
  )
  const whole = Array.isArray(stored)
    ? (values: [string, unknown][]) => values.map(([, value]) => value)
    : (values: [string, unknown][]) => Object.fromEntries(values)
  if (parts.some(([, { ahead }]) => ahead))
    return {
      ahead: true,
      read: async (msg) =>
        whole(
          await Promise.all(
            parts.map(async ([name, { read }]) => [name, await read(msg)] as [string, unknown]),
          ),
        ),
    }
  return { ahead: false, read: (msg) => whole(parts.map(([name, { read }]) => [name, read(msg)])) }
}

function referred(field: string, { kind, text, as }: Reference, readerOf: ReaderOf): PreparedField {
  const reader = readerOf(field, kind, text)
  const checked = (value: unknown) => {
    if (value === undefined) throw invalidInput('nothing-there', { field, place: `${kind} ${text}` })
    const accepted = as === undefined ? value : asType(as, value)
    if (accepted === undefined) throw invalidInput('wrong-type', { field, expected: as, value: shown(value) })
    return accepted
  }
  return reader.ahead
    ? { ahead: true, read: async (msg) => checked(await reader.read(msg)) }
    : { ahead: false, read: (msg) => checked(reader.read(msg)) }
}

const constant = (read: (msg: NodeMessage) => unknown): PreparedField => ({ ahead: false, read })

const pathTo = (field: string, within: object, name: string) =>
  Array.isArray(within) ? `${field}[${name}]` : `${field}.${name}`
