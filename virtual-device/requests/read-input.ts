import type { TSchema } from '../../lib/typebox'
import type { Operation } from '../../lib/contract'
import { checkedField } from '../device/check-field'
import { convertedQuery, type QueryValue } from './convert-query'
import { Refusal } from '../refusal'
import { shown } from '../shown'
import { QueryText } from '../device/validate-parameter'

export interface RawInput {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, QueryValue>>
  /** Decoded; undefined if the request has none. */
  body: unknown
}

type Reader = (raw: RawInput, into: Record<string, unknown>) => void

/** Collects the inputs of an operation from path, query and body, each checked against its schema. */
export function inputReader(operation: Operation): (raw: RawInput) => Record<string, unknown> {
  const readers = [paramsReader(operation), queryReader(operation), bodyReader(operation)].filter(
    (reader) => reader !== undefined,
  )
  return (raw) => {
    const input = {}
    for (const read of readers) read(raw, input)
    return input
  }
}

function paramsReader({ params }: Operation): Reader | undefined {
  const fields = Object.entries(params ?? {})
  if (!fields.length) return undefined
  return (raw, into) => {
    for (const [name, schema] of fields) into[name] = checkedField(name, schema, raw.params[name])
  }
}

function queryReader({ method, query }: Operation): Reader | undefined {
  const fields = Object.entries(query ?? {})
  if (!fields.length) return undefined
  return (raw, into) => {
    for (const [name, schema] of fields) {
      // Some stream receivers send the query of a DELETE in its body.
      const given = raw.query[name] ?? (method === 'DELETE' ? fieldOf(raw.body, name) : undefined)
      if (Array.isArray(given) && lists.has(name)) into[name] = checkedList(name, schema, given)
      else {
        const value = checkedField(name, schema, convertedQuery(name, schema, given as QueryValue))
        if (value !== undefined) into[name] = value
      }
    }
  }
}

function bodyReader({ body, queryIsOpen }: Operation): Reader | undefined {
  if (!body || body.encoding === 'multipart') return undefined
  const fields = Object.entries(body.fields)
  return (raw, into) => {
    const pairs = queryIsOpen ? parametersIn(raw.query) : []
    const content = pairs.length ? withPairs(raw.body, pairs) : raw.body
    if (!body.bare && content !== undefined && !isObject(content))
      throw new Refusal(400, `the body: expected an object, got ${shown(content)}`)
    for (const [name, schema] of fields) {
      const given = body.bare ? content : fieldOf(content, name)
      const value =
        Array.isArray(given) && lists.has(name)
          ? checkedList(name, schema, given)
          : checkedField(name, schema, given)
      if (value !== undefined) into[name] = value
    }
  }
}

/** Fields that are a single text in the contract, but that some programs send as a list. */
const lists: ReadonlySet<string> = new Set(['destination'])

const checkedList = (name: string, schema: TSchema, given: readonly unknown[]) =>
  given.map((each) => checkedField(name, schema, each))

const fieldOf = (value: unknown, name: string) =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** Parameters of a node as query pairs, `?fps=10&exp_auto=false`. */
const parametersIn = (query: RawInput['query']) =>
  Object.entries(query).flatMap(([name, values]) =>
    [values ?? []].flat().map((text) => ({ name, value: new QueryText(text) })),
  )

const withPairs = (body: unknown, pairs: readonly object[]) =>
  body === undefined ? pairs : Array.isArray(body) ? [...(body as unknown[]), ...pairs] : body

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
