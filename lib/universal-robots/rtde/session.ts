import type { Socket } from 'node:net'
import type { RobotError } from '../../robot-motion'
import { patientTimeout } from '../../timers/patient-timeout'
import { openSocket, type Place, urError } from '../place'
import { packageTypes, rtdePackage, RtdeReader, type RtdePackage } from './package'
import { readValues, recipeOf, writeValues, type Recipe, type RecipeField, type RtdeValue } from './values'

/** Version of the controller's software. */
export interface ControllerVersion {
  major: number
  minor: number
  bugfix: number
  build: number
}

/** What a session reads and writes. */
export interface SessionOptions extends Place {
  /** Packages per second; a controller sends at most 125 (CB3) or 500. */
  frequency: number
  outputs: readonly string[]
  /** Left out where the controller does not have them. */
  optional: readonly string[]
  /** Input registers of which this session becomes the owner; none: a reader disturbs nobody. */
  inputs: readonly string[]
}

/** What a session tells. */
export interface SessionEvents {
  onValues: (values: Readonly<Record<string, RtdeValue>>) => void
  /** Once, after it was open. */
  onEnd: (error: RobotError) => void
}

/** A session in which the controller sends its state until it ends. */
export interface RtdeSession {
  readonly version: ControllerVersion
  /** Whether the input registers are ours; another client may have them. */
  readonly ownsInputs: boolean
  /** Writes the input registers; nothing after the end. */
  write: (values: Readonly<Record<string, number>>) => void
  close: () => void
}

/** Milliseconds for an answer. */
const answerWithin = 3000
/** Milliseconds without a package until a session is dead. */
const silence = 1000
/** The protocol that names types and a frequency; every controller of the last ten years speaks it. */
const protocol = 2

/**
 * Opens a session: version 2, the version of the controller, recipes, start. Ends with an error for bytes that are no RTDE,
 * when the controller falls silent, sends no numbers any more, or when the time of its packages stands still.
 * @throws RobotError UNREACHABLE, TIMEOUT, BAD_REPLY, ABORTED
 */
export async function openSession(
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

/** Questions and answers in turn, and then a stream. */
class Talk {
  data: { recipe: Recipe; needed: readonly string[] } | undefined
  readonly #socket: Socket
  readonly #place: Place
  readonly #reader = new RtdeReader()
  #awaited:
    | { type: number; resolve: (payload: Buffer) => void; reject: (error: RobotError) => void }
    | undefined
  #onValues: SessionEvents['onValues'] | undefined
  #onEnd: SessionEvents['onEnd'] | undefined
  #ended: RobotError | undefined
  #stopWatching: (() => void) | undefined
  #time = Number.NaN
  /** What was known last. */
  #values: Readonly<Record<string, RtdeValue>> = {}
  /** The field for whose sake the last package said nothing. */
  #without: string | undefined

  constructor(socket: Socket, place: Place) {
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

  /** The payload of the next package of that type; texts and data may come in between. */
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

  /** A stream that is silent, or repeats the same moment, says nothing of the robot. */
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
      // A package that lacks a number says nothing; what is optional stays as it was.
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

/** Asks for all outputs, and again without those that the controller does not know. */
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

/** @returns undefined where another client owns the registers, or the controller does not have them */
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

function versionIn(payload: Buffer, place: Place): ControllerVersion {
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
