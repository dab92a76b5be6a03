import { types } from 'node:util'
import { CodedError } from './errors'
import { sentencesIn } from './sentences'
import type en from './locales/en-US/sentences.json'

/*
 * In: any value of a flow or another program, before it is stored, sent or passed on. Out: a copy that is plain JSON,
 * read once, so that nothing in it can throw, change or run later; or a `NotJson` that names the place which is not.
 */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

export interface JsonLimits {
  name?: string
  depth?: number
  /** Bytes of the JSON text. @default 4 MiB */
  bytes?: number
}

const sentences = sentencesIn<typeof en>(__dirname)
type Key = keyof typeof en & `json-${string}`

/** A value is not plain JSON. The message says where, why, and what to do. */
export class NotJson extends CodedError<'INVALID_INPUT'> {
  override readonly name = 'NotJson'
  declare readonly key: Key
  declare readonly values: Readonly<Record<string, string | number>>

  constructor(
    key: Key,
    /** Such as `payload.items[3].x`. */
    readonly path: string,
    values: Readonly<Record<string, string | number>> = {},
  ) {
    super({ code: 'INVALID_INPUT', key, values }, sentences, { further: { path } })
  }
}

/**
 * A plain copy of a value. As in `JSON.stringify`, `toJSON` is used (dates, buffers), undefined properties are left
 * out, and numbers that are not finite become null; typed arrays become lists. Everything else that JSON would drop is
 * an error. @throws NotJson
 */
export const plainJson = (value: unknown, limits: JsonLimits = {}): Json => written(value, limits).plain

/** @throws NotJson */
export const jsonText = (value: unknown, limits: JsonLimits = {}): string => written(value, limits).text

function written(value: unknown, { name = 'payload', depth = 64, bytes = 4 * 1024 * 1024 }: JsonLimits) {
  const plain = new Copy(name, depth, bytes).of(value)
  const text = JSON.stringify(plain)
  if (Buffer.byteLength(text) > bytes) throw tooLarge(name, bytes)
  return { plain, text }
}

const tooLarge = (path: string, bytes: number) =>
  new NotJson('json-too-large', path, { kilobytes: Math.round(bytes / 1024) })

/** Names that change an object's behaviour when copied into another. */
const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Objects whose content JSON loses. */
const lossy: readonly [type: string, is: (value: unknown) => boolean][] = [
  ['Map', types.isMap],
  ['Set', types.isSet],
  ['WeakMap', types.isWeakMap],
  ['WeakSet', types.isWeakSet],
  ['Promise', types.isPromise],
  ['RegExp', types.isRegExp],
  ['Error', types.isNativeError],
  ['ArrayBuffer', types.isAnyArrayBuffer],
  ['DataView', types.isDataView],
  ['Generator', types.isGeneratorObject],
]

/** Most objects are plain and need no further test. */
const isPlain = (value: object): boolean =>
  Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype

class Copy {
  readonly #around = new Set<object>() // enclosing lists and objects
  readonly #path: (string | number)[] = []
  #bytes = 0 // written so far, at least

  constructor(
    private readonly name: string,
    private readonly depth: number,
    private readonly most: number,
  ) {}

  of(value: unknown): Json {
    switch (typeof value) {
      case 'string':
        this.#count(value.length + 2)
        return value
      case 'number':
        this.#count(1)
        return Number.isFinite(value) ? value : null
      case 'boolean':
        this.#count(4)
        return value
      case 'undefined':
        this.#count(4)
        return null
      case 'object':
        if (value !== null) return this.#object(value)
        this.#count(4)
        return null
      case 'bigint':
        throw this.#problem('json-big-integer')
      case 'symbol':
        throw this.#problem('json-symbol')
      case 'function':
        throw this.#problem('json-function')
    }
  }

  #object(value: object): Json {
    if (types.isProxy(value)) throw this.#problem('json-proxy')
    if (this.#around.has(value)) throw this.#problem('json-circular')
    if (this.#path.length >= this.depth) throw this.#problem('json-too-deep', { most: this.depth })
    if (types.isDate(value) && Number.isNaN(value.getTime())) throw this.#problem('json-date')
    const lost = isPlain(value) ? undefined : lossy.find(([, is]) => is(value))
    if (lost) throw this.#problem('json-class', { type: lost[0] })
    // Before copying: a typed array is small to name and large to write.
    if (Array.isArray(value) || types.isTypedArray(value)) this.#room(2 * value.length)

    this.#around.add(value)
    const ownJson = this.#read(() => jsonOf(value))
    const isWritten = ownJson !== value && (typeof ownJson !== 'object' || ownJson === null)
    const copy = isWritten ? this.of(ownJson) : this.#parts(ownJson)
    this.#around.delete(value)
    return copy
  }

  #parts(value: object): Json {
    if (types.isBoxedPrimitive(value)) return this.of(this.#read(() => value.valueOf()))
    this.#count(2)
    if (types.isTypedArray(value)) return this.#list(this.#read(() => [...value]))
    if (Array.isArray(value)) return this.#list(value)
    const copy: { [name: string]: Json } = {}
    for (const name of this.#read(() => Object.keys(value))) {
      this.#path.push(name)
      if (reserved.has(name)) throw this.#problem('json-reserved')
      const part = this.#read(() => (value as Record<string, unknown>)[name])
      if (part !== undefined) {
        this.#count(name.length + 4)
        copy[name] = this.of(part)
      }
      this.#path.pop()
    }
    return copy
  }

  #list(values: readonly unknown[]): Json[] {
    const copy: Json[] = []
    for (let at = 0; at < values.length; at++) {
      this.#path.push(at)
      this.#count(1)
      copy.push(this.of(this.#read(() => values[at])))
      this.#path.pop()
    }
    return copy
  }

  /** @throws NotJson if reading throws: a getter, a `toJSON` */
  #read<Read>(read: () => Read): Read {
    try {
      return read()
    } catch (problem) {
      throw this.#problem('json-unreadable', { detail: reasonOf(problem) })
    }
  }

  #problem(key: Key, values: NotJson['values'] = {}): NotJson {
    const path = this.#path.reduce<string>(pathTo, this.name)
    return new NotJson(key, path.length > 300 ? `…${path.slice(-300)}` : path, values)
  }

  #count(bytes: number): void {
    this.#room(bytes)
    this.#bytes += bytes
  }

  #room(bytes: number): void {
    if (this.#bytes + bytes > this.most) throw tooLarge(this.name, this.most)
  }
}

function jsonOf(value: object): unknown {
  const { toJSON } = value as { toJSON?: unknown }
  return typeof toJSON === 'function' ? (toJSON.call(value, '') as unknown) : value
}

/** The thrown value may be unreadable too. */
function reasonOf(problem: unknown): string {
  try {
    return (problem instanceof Error ? problem.message : String(problem)).slice(0, 200)
  } catch {
    return typeof problem
  }
}

function pathTo(path: string, name: string | number): string {
  if (typeof name === 'number') return `${path}[${name}]`
  const short = name.length > 40 ? `${name.slice(0, 40)}…` : name
  return /^[A-Za-z_$][\w$]*$/.test(short) ? `${path}.${short}` : `${path}[${JSON.stringify(short)}]`
}
