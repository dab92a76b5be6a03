/**
 * RTDE, the real-time data exchange: values and packages, a session, and a persistent session.
 *
 * In: fields to read and registers to write. Out: packages as values by name; a reason for each end. Moves nothing.
 */
import type { Socket } from 'node:net'
import { PersistentConnection } from '../kernel/connection'
import { RobotError } from '../robot-motion'
import { patientTimeout } from '../kernel/timers'
import { openSocket, type Endpoint, urError } from './connections'

/** A vector is a list. */
export type RtdeValue = number | readonly number[]

interface RtdeType {
  size: number
  count: number
  read: (bytes: Buffer, at: number) => number
  write: (bytes: Buffer, value: number, at: number) => unknown
}

const uint8: RtdeType = {
  size: 1,
  count: 1,
  read: (bytes, at) => bytes.readUInt8(at),
  write: (bytes, value, at) => bytes.writeUInt8(value, at),
}

const uint32: RtdeType = {
  size: 4,
  count: 1,
  read: (bytes, at) => bytes.readUInt32BE(at),
  write: (bytes, value, at) => bytes.writeUInt32BE(value, at),
}

const int32: RtdeType = {
  size: 4,
  count: 1,
  read: (bytes, at) => bytes.readInt32BE(at),
  write: (bytes, value, at) => bytes.writeInt32BE(value, at),
}

const double: RtdeType = {
  size: 8,
  count: 1,
  read: (bytes, at) => bytes.readDoubleBE(at),
  write: (bytes, value, at) => bytes.writeDoubleBE(value, at),
}

/** Big-endian. */
const types: Readonly<Record<string, RtdeType>> = {
  BOOL: uint8,
  UINT8: uint8,
  UINT32: uint32,
  INT32: int32,
  UINT64: {
    size: 8,
    count: 1,
    read: (bytes, at) => Number(bytes.readBigUInt64BE(at)),
    write: (bytes, value, at) => bytes.writeBigUInt64BE(BigInt(value), at),
  },
  DOUBLE: double,
  VECTOR3D: { ...double, count: 3 },
  VECTOR6D: { ...double, count: 6 },
  VECTOR6INT32: { ...int32, count: 6 },
  VECTOR6UINT32: { ...uint32, count: 6 },
}

interface RecipeField {
  name: string
  type: string
}

/** Values in the order of a package, after its recipe's number. */
interface Recipe {
  readonly id: number
  readonly fields: readonly RecipeField[]
  readonly length: number
}

/** @throws RangeError for an unknown type */
export function recipeOf(id: number, fields: readonly RecipeField[]): Recipe {
  const length = fields.reduce((sum, { type }) => {
    const known = Object.hasOwn(types, type) ? types[type] : undefined
    if (!known) throw new RangeError(`the type ${type.slice(0, 40)}`)
    return sum + known.size * known.count
  }, 0)
  return { id, fields, length }
}

/** Skips NaN, which a controller may send at the moment of a change. @throws RangeError for another recipe or length */
export function readValues({ id, fields, length }: Recipe, payload: Buffer): Record<string, RtdeValue> {
  if (payload.length !== length + 1 || payload[0] !== id)
    throw new RangeError(`${payload.length} bytes of recipe ${String(payload[0])}`)
  const values: Record<string, RtdeValue> = {}
  let at = 1
  for (const { name, type } of fields) {
    const { size, count, read } = types[type] ?? uint8
    const numbers = Array.from({ length: count }, (_, index) => read(payload, at + index * size))
    if (numbers.every(Number.isFinite)) values[name] = count === 1 ? (numbers[0] ?? 0) : numbers
    at += size * count
  }
  return values
}

/** Single numbers, in the order of the recipe. */
export function writeValues(
  { id, fields, length }: Recipe,
  values: Readonly<Record<string, number>>,
): Buffer {
  const payload = Buffer.alloc(length + 1)
  payload.writeUInt8(id, 0)
  let at = 1
  for (const { name, type } of fields) {
    const { size, write } = types[type] ?? uint8
    write(payload, values[name] ?? 0, at)
    at += size
  }
  return payload
}

const packageTypes = {
  version: 86,
  controllerVersion: 118,
  outputs: 79,
  inputs: 73,
  start: 83,
  pause: 80,
  data: 85,
  text: 77,
} as const

interface RtdePackage {
  type: number
  payload: Buffer
}

const header = 3

/** Size including header (u16, big-endian), type, payload. */
export function rtdePackage(type: number, payload: Buffer | string = ''): Buffer {
  const body = typeof payload === 'string' ? Buffer.from(payload, 'latin1') : payload
  const bytes = Buffer.alloc(header + body.length)
  bytes.writeUInt16BE(bytes.length, 0)
  bytes.writeUInt8(type, 2)
  body.copy(bytes, header)
  return bytes
}

/** Splits a stream into packages. Buffers less than one package, 64 KiB. */
export class RtdeReader {
  #pieces: Buffer[] = []
  #length = 0

  /** @throws RangeError for a package shorter than its header; the stream is then useless */
  push(chunk: Buffer): RtdePackage[] {
    this.#pieces.push(chunk)
    this.#length += chunk.length
    if (this.#length < header) return []
    const bytes = this.#pieces.length === 1 ? chunk : Buffer.concat(this.#pieces, this.#length)
    const packages: RtdePackage[] = []
    let at = 0
    while (bytes.length - at >= header) {
      const size = bytes.readUInt16BE(at)
      if (size < header) throw new RangeError(`an RTDE package of ${size} bytes`)
      if (bytes.length - at < size) break
      packages.push({ type: bytes.readUInt8(at + 2), payload: bytes.subarray(at + header, at + size) })
      at += size
    }
    const rest = bytes.subarray(at)
    this.#pieces = rest.length > 0 ? [rest] : []
    this.#length = rest.length
    return packages
  }
}

export interface ControllerVersion {
  major: number
  minor: number
  bugfix: number
  build: number
}

interface SessionOptions extends Endpoint {
  /** Packages per second; a controller sends at most 125 (CB3) or 500. */
  frequency: number
  outputs: readonly string[]
  /** Left out if the controller does not have them. */
  optional: readonly string[]
  /** Input registers that this session owns; none for a read-only session. */
  inputs: readonly string[]
}

interface SessionEvents {
  onValues: (values: Readonly<Record<string, RtdeValue>>) => void
  /** Once, after it was open. */
  onEnd: (error: RobotError) => void
}

interface RtdeSession {
  readonly version: ControllerVersion
  /** The session owns the input registers; another client may own them. */
  readonly ownsInputs: boolean
  /** Writes the input registers; nothing after the end. */
  write: (values: Readonly<Record<string, number>>) => void
  close: () => void
}

const answerWithin = 3000 // milliseconds for an answer

const silence = 1000 // milliseconds without a package until a session is lost

/** With types and a frequency; every controller of the last ten years supports it. */
const protocol = 2

/**
 * Opens a session: version 2, the version of the controller, recipes, start. Ends with an error for bytes that are not
 * RTDE, when the controller is silent, sends no more numbers, or the time of its packages stops.
 * @throws RobotError UNREACHABLE, TIMEOUT, BAD_REPLY, ABORTED
 */
async function openSession(
  options: SessionOptions,
  { onValues, onEnd }: SessionEvents,
  signal: AbortSignal,
): Promise<RtdeSession> {
  const socket = await openSocket(options, signal)
  const talk = new Talk(socket, options)
  const aborted = () => talk.end(urError({ code: 'ABORTED', key: 'ur-closed' }))
  signal.addEventListener('abort', aborted, { once: true })
  try {
    const accepted = await talk.ask(packageTypes.version, uint16(protocol))
    if (accepted[0] !== 1)
      throw urError({ code: 'BAD_REPLY', key: 'ur-old-protocol', values: { ...options } })
    const version = versionIn(await talk.ask(packageTypes.controllerVersion), options)
    const outputs = await setUpOutputs(talk, options)
    const inputs = options.inputs.length > 0 ? await setUpInputs(talk, options) : undefined
    talk.data = { recipe: outputs, needed: options.outputs }
    const started = await talk.ask(packageTypes.start)
    if (started[0] !== 1) throw talk.bad()
    talk.stream(onValues, (error) => {
      signal.removeEventListener('abort', aborted)
      onEnd(error)
    })
    return {
      version,
      ownsInputs: inputs !== undefined,
      write: (values) => {
        if (inputs) talk.send(packageTypes.data, writeValues(inputs, values))
      },
      close: () => talk.end(urError({ code: 'ABORTED', key: 'ur-closed' })),
    }
  } catch (error) {
    signal.removeEventListener('abort', aborted)
    talk.end(talk.bad())
    throw error
  }
}

/** Requests and answers in turn, then a stream. */
class Talk {
  data: { recipe: Recipe; needed: readonly string[] } | undefined
  readonly #socket: Socket
  readonly #place: Endpoint
  readonly #reader = new RtdeReader()
  #awaited:
    | { type: number; resolve: (payload: Buffer) => void; reject: (error: RobotError) => void }
    | undefined
  #onValues: SessionEvents['onValues'] | undefined
  #onEnd: SessionEvents['onEnd'] | undefined
  #ended: RobotError | undefined
  #stopWatching: (() => void) | undefined
  #time = Number.NaN
  #values: Readonly<Record<string, RtdeValue>> = {}
  #without: string | undefined // the field that made the last package useless

  constructor(socket: Socket, place: Endpoint) {
    this.#socket = socket
    this.#place = place
    socket.on('data', (chunk) => this.#read(chunk))
    socket.once('close', () =>
      this.end(urError({ code: 'UNREACHABLE', key: 'ur-lost', values: { ...this.#place } })),
    )
  }

  bad(): RobotError {
    return urError({ code: 'BAD_REPLY', key: 'ur-not-rtde', values: { ...this.#place } })
  }

  send(type: number, payload?: Buffer | string): void {
    if (!this.#ended) this.#socket.write(rtdePackage(type, payload))
  }

  /** Payload of the next package of that type; texts and data may arrive in between. */
  ask(type: number, payload?: Buffer | string): Promise<Buffer> {
    const { promise, stop } = this.#answer(type)
    this.send(type, payload)
    return promise.finally(stop)
  }

  #answer(type: number): { promise: Promise<Buffer>; stop: () => void } {
    if (this.#ended) return { promise: Promise.reject(this.#ended), stop: () => undefined }
    let stop = () => {}
    const promise = new Promise<Buffer>((resolve, reject) => {
      this.#awaited = { type, resolve, reject }
      stop = patientTimeout(
        () => this.end(urError({ code: 'TIMEOUT', key: 'ur-no-answer', values: { ...this.#place } })),
        answerWithin,
      )
    })
    return { promise, stop: () => stop() }
  }

  stream(onValues: SessionEvents['onValues'], onEnd: SessionEvents['onEnd']): void {
    if (this.#ended) throw this.#ended
    this.#onValues = onValues
    this.#onEnd = onEnd
    this.#watch()
  }

  end(error: RobotError): void {
    if (this.#ended) return
    this.#ended = error
    this.#stopWatching?.()
    this.#socket.destroy()
    this.#awaited?.reject(error)
    this.#awaited = undefined
    this.#onEnd?.(error)
  }

  /** A stream that is silent, or repeats the same moment, is useless. */
  #watch(): void {
    this.#stopWatching?.()
    this.#stopWatching = patientTimeout(() => {
      const field = this.#without
      const key = field === undefined ? 'ur-silent' : 'ur-no-number'
      this.end(urError({ code: 'UNREACHABLE', key, values: { ...this.#place, field } }))
    }, silence)
  }

  #read(chunk: Buffer): void {
    if (this.#ended) return
    try {
      for (const each of this.#reader.push(chunk)) this.#take(each)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.end(this.bad())
    }
  }

  #take({ type, payload }: RtdePackage): void {
    if (type === packageTypes.data && this.data) {
      const { recipe, needed } = this.data
      const values = readValues(recipe, payload)
      const time = values['timestamp']
      if (!this.#onValues || time === this.#time) return
      this.#without = needed.find((name) => values[name] === undefined)
      // A package that lacks a number is ignored; optional values stay as they were.
      if (this.#without !== undefined) return
      this.#time = Number(time)
      this.#watch()
      this.#values = { ...this.#values, ...values }
      this.#onValues(this.#values)
    } else if (type === this.#awaited?.type) {
      const { resolve } = this.#awaited
      this.#awaited = undefined
      // The socket may reuse the memory of its chunk.
      resolve(Buffer.from(payload))
    }
  }
}

/** Requests all outputs, and again without those that the controller does not know. */
async function setUpOutputs(talk: Talk, options: SessionOptions): Promise<Recipe> {
  let names = [...options.outputs, ...options.optional]
  for (;;) {
    const payload = Buffer.concat([float64(options.frequency), Buffer.from(names.join(','), 'latin1')])
    const { id, fields } = answeredFields(await talk.ask(packageTypes.outputs, payload), names, talk)
    const missing = fields.filter(({ type }) => type === 'NOT_FOUND').map(({ name }) => name)
    if (missing.length === 0) return recipe(id, fields, talk)
    const needed = missing.filter((name) => !options.optional.includes(name))
    if (needed.length > 0)
      throw urError({
        code: 'BAD_REPLY',
        key: 'ur-no-field',
        values: { ...options, field: needed.join(', ') },
      })
    names = names.filter((name) => !missing.includes(name))
  }
}

/** @returns undefined if another client owns the registers, or the controller does not have them */
async function setUpInputs(talk: Talk, { inputs }: SessionOptions): Promise<Recipe | undefined> {
  const { id, fields } = answeredFields(await talk.ask(packageTypes.inputs, inputs.join(',')), inputs, talk)
  if (fields.some(({ type }) => type === 'IN_USE' || type === 'NOT_FOUND')) return undefined
  return recipe(id, fields, talk)
}

function answeredFields(payload: Buffer, names: readonly string[], talk: Talk) {
  const types = payload.subarray(1).toString('latin1').split(',')
  if (types.length !== names.length) throw talk.bad()
  const fields = names.map((name, index): RecipeField => ({ name, type: types[index] ?? '' }))
  return { id: payload[0] ?? 0, fields }
}

function recipe(id: number, fields: readonly RecipeField[], talk: Talk): Recipe {
  try {
    return recipeOf(id, fields)
  } catch {
    throw talk.bad()
  }
}

function versionIn(payload: Buffer, place: Endpoint): ControllerVersion {
  if (payload.length < 16) throw urError({ code: 'BAD_REPLY', key: 'ur-not-rtde', values: { ...place } })
  const [major = 0, minor = 0, bugfix = 0, build = 0] = [0, 4, 8, 12].map((at) => payload.readUInt32BE(at))
  return { major, minor, bugfix, build }
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function float64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}

interface PersistentSessionEvents {
  onValues: SessionEvents['onValues']
  onUp: (session: RtdeSession) => void
  /** Repeated only for another reason. */
  onDown: (error: RobotError) => void
}

/** Reopens a session for ever. */
export function persistentSession(
  options: SessionOptions,
  { onValues, onUp, onDown }: PersistentSessionEvents,
) {
  let shown: string | undefined
  const connection = new PersistentConnection<RtdeSession, RobotError>({
    open: ({ signal, ended }) => openSession(options, { onValues, onEnd: ended }, signal),
    release: (session) => session.close(),
    failureOf: (error) =>
      error instanceof RobotError
        ? error
        : urError({ code: 'BAD_REPLY', key: 'ur-not-rtde', values: { ...options } }),
    causeOf: ({ key }) => key,
    onUp: (session) => {
      shown = undefined
      onUp(session)
    },
    onDown: (error) => {
      if (shown !== error.key) onDown(error)
      shown = error.key
    },
  })
  return {
    get session(): RtdeSession | undefined {
      return connection.connection
    },
    close: () => connection.close(),
  }
}
