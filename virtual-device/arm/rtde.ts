import type { Socket } from 'node:net'
import type { Arm } from './arm'
import {
  inputField,
  type InputField,
  outputField,
  type OutputField,
  readField,
  sizeOf,
  writeField,
} from './rtde-fields'

const types = {
  version: 86,
  controller: 118,
  outputs: 79,
  inputs: 73,
  start: 83,
  pause: 80,
  data: 85,
  text: 77,
}

/** Longest list of names in a recipe, bytes. */
const longestNames = 2048

/** Unsent bytes beyond which packages are dropped, and beyond which a client that does not read is cut off. */
const dropsFrom = 64 * 1024

/** Packages dropped in a row until a client is cut off. */
const mostDropped = 2000

interface Package {
  type: number
  payload: Buffer
}

interface Recipe<Field> {
  id: number
  names: string[]
  fields: Field[]
}

/** One client of the real-time data exchange. */
export class RtdeConnection {
  #received: Buffer = Buffer.alloc(0)
  /** The protocol of a connection that has not asked for another. */
  #version = 1
  #outputs: (Recipe<OutputField> & { every: number }) | undefined
  readonly #inputs = new Map<number, Recipe<InputField>>()
  #isStarted = false
  #cycles = 0
  #dropped = 0

  /** @param owners which connection owns each input field */
  constructor(
    private readonly socket: Socket,
    private readonly arm: Arm,
    private readonly owners: Map<string, RtdeConnection>,
  ) {}

  /** Seconds between two packages; undefined if none are sent. */
  get period(): number | undefined {
    return this.#isStarted && this.#outputs ? this.#outputs.every * this.arm.controller.cycle : undefined
  }

  push(bytes: Buffer): void {
    this.#received = this.#received.length > 0 ? Buffer.concat([this.#received, bytes]) : bytes
  }

  next(): Package | undefined {
    if (this.#received.length < 3) return undefined
    const size = this.#received.readUInt16BE(0)
    if (size < 3) this.socket.destroy()
    if (size < 3 || this.#received.length < size) return undefined
    const [type, payload] = [this.#received.readUInt8(2), this.#received.subarray(3, size)]
    this.#received = this.#received.subarray(size)
    return { type, payload }
  }

  /** Called after each cycle. */
  cycled(): void {
    const outputs = this.#outputs
    if (!this.#isStarted || !outputs || this.#cycles++ % outputs.every !== 0) return
    if (this.arm.link === 'frozen') return
    if (this.socket.writableLength > dropsFrom) {
      if (++this.#dropped > mostDropped) this.socket.destroy()
      return
    }
    this.#dropped = 0
    const numbered = this.#version > 1 ? 1 : 0
    const bytes = Buffer.alloc(numbered + outputs.fields.reduce((size, { type }) => size + sizeOf(type), 0))
    if (numbered) bytes.writeUInt8(outputs.id, 0)
    let at = numbered
    for (const { type, read } of outputs.fields) at = writeField(bytes, at, type, read(this.arm.controller))
    this.#send(types.data, bytes)
  }

  /** Gives its input fields back. */
  close(): void {
    for (const [name, owner] of this.owners) if (owner === this) this.owners.delete(name)
  }

  answer({ type, payload }: Package): void {
    switch (type) {
      case types.version: {
        const asked = payload.length >= 2 ? payload.readUInt16BE(0) : 0
        const accepted = asked === 1 || asked === 2
        if (accepted) this.#version = asked
        this.#send(type, Buffer.from([accepted ? 1 : 0]))
        return
      }
      case types.controller: {
        const bytes = Buffer.alloc(16)
        this.arm.version.forEach((part, index) => bytes.writeUInt32BE(part, 4 * index))
        this.#send(type, bytes)
        return
      }
      case types.outputs:
        this.#setOutputs(payload)
        return
      case types.inputs:
        this.#setInputs(payload)
        return
      case types.start:
      case types.pause: {
        const accepted = type === types.pause || this.#outputs !== undefined || this.#inputs.size > 0
        this.#isStarted = type === types.start && accepted
        this.#cycles = 0
        this.#send(type, Buffer.from([accepted ? 1 : 0]))
        this.arm.wake()
        return
      }
      case types.data:
        this.#write(payload)
        return
      case types.text:
        return
      default:
        this.#say(`Unknown package type ${type}`)
    }
  }

  #setOutputs(payload: Buffer): void {
    const hasRate = this.#version > 1
    const names = this.#listed(payload.subarray(hasRate ? 8 : 0))
    const most = this.arm.controller.model.generation === 'e' ? 500 : 125
    const given = hasRate && payload.length >= 8 ? payload.readDoubleBE(0) : most
    const rate = given >= 1 && given <= most ? given : most
    const fields = names.map(outputField)
    const valid = !fields.includes(undefined)
    this.#outputs = valid
      ? { id: 1, names, fields: fields as OutputField[], every: Math.max(1, Math.floor(most / rate)) }
      : undefined
    const told = fields.map((field) => field?.type ?? 'NOT_FOUND').join(',')
    this.#send(types.outputs, this.#numbered(valid ? 1 : 0, told))
  }

  #setInputs(payload: Buffer): void {
    const names = this.#listed(payload)
    const fields = names.map(inputField)
    const told = names.map((name, index) => {
      const owner = this.owners.get(name)
      return owner && owner !== this ? 'IN_USE' : (fields[index]?.type ?? 'NOT_FOUND')
    })
    const valid = !told.includes('IN_USE') && !told.includes('NOT_FOUND') && this.#inputs.size < 255
    const id = valid ? this.#inputs.size + 1 : 0
    if (valid) {
      for (const name of names) this.owners.set(name, this)
      this.#inputs.set(id, { id, names, fields: fields as InputField[] })
    }
    this.#send(types.inputs, this.#numbered(id, told.join(',')))
  }

  /** An empty list has no names; one that is too long has one that no field has. */
  #listed(bytes: Buffer): string[] {
    if (bytes.length > longestNames) {
      this.#say(`The names of a recipe may have ${longestNames} bytes`)
      return ['']
    }
    const text = bytes.toString('latin1')
    return text === '' ? [] : text.split(',').map((name) => name.trim())
  }

  #numbered(id: number, text: string): Buffer {
    return this.#version > 1 ? Buffer.from([id, ...Buffer.from(text)]) : Buffer.from(text)
  }

  #write(payload: Buffer): void {
    const recipe = payload.length > 0 ? this.#inputs.get(payload.readUInt8(0)) : undefined
    const size = recipe?.fields.reduce((sum, { type }) => sum + sizeOf(type), 1)
    if (!recipe || payload.length !== size) {
      this.#say('Input data does not fit its recipe')
      return
    }
    const { controller } = this.arm
    let at = 1
    const values = recipe.fields.map(({ type }) => {
      const value = readField(payload, at, type)
      at += sizeOf(type)
      return value
    })
    const mask = recipe.names.indexOf('speed_slider_mask')
    recipe.fields.forEach(({ write }, index) => {
      const masked = recipe.names[index] === 'speed_slider_fraction' && mask >= 0 && values[mask] === 0
      const value = values[index]
      if (!masked && value !== undefined) write(controller, value)
    })
    controller.watchdogs.came(recipe.names, controller.time)
  }

  #say(text: string): void {
    const bytes = Buffer.from(text.slice(0, 200))
    const source = Buffer.from('RTDE Data Interface')
    this.#send(
      types.text,
      this.#version > 1
        ? Buffer.from([bytes.length, ...bytes, source.length, ...source, 2])
        : Buffer.from([2, ...bytes]),
    )
  }

  #send(type: number, payload: Buffer): void {
    const bytes = Buffer.alloc(3 + payload.length)
    bytes.writeUInt16BE(bytes.length, 0)
    bytes.writeUInt8(type, 2)
    payload.copy(bytes, 3)
    this.socket.write(bytes)
  }
}
