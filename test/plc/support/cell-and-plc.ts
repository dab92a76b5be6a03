import 'should'
import { openMap, type OpenMap, type PlcMap } from '../../../lib/plc/data'
import type { Family } from '../../../lib/plc/families'
import { createHandshake, type Effect } from '../../../lib/plc/handshake'
import { writeProgram, type NamedProtocol, type ProgramLanguage } from '../../../lib/plc/program'
import type { CellOutputs, PlcInputs } from '../../../lib/plc/rows'
import { runProgram, type RunningBlock } from './structured-text'

/** A program, and how the cell reads and writes the memory of a PLC with it. */
export interface Exchange {
  source: string
  map: OpenMap
  write: (block: RunningBlock, outputs: CellOutputs, all: boolean) => void
  read: (block: RunningBlock) => PlcInputs
  /** Whether the cell's words are still there. */
  kept: (block: RunningBlock) => boolean
}

/** By arrays of words, as a Modbus block of the controller exchanges them: the registers are the cell's own. */
export function byRegisters(family: Family, language: ProgramLanguage): Exchange {
  const map: PlcMap = { lines: family.map }
  const source = writeProgram(map, family, language)
  const opened = openMap(map)
  const addressOf = (side: string) =>
    Number(new RegExp(`^// ${side}Cell: \\d+ registers from (\\d+)`, 'm').exec(source)?.[1])
  const [toCell, fromCell] = [addressOf('to'), addressOf('from')]
  const memory = new Map<number, number>()
  return {
    source,
    map: opened,
    write: (_, outputs) => {
      for (const { address, value } of opened.words(outputs)) memory.set(address, value)
    },
    read: (block) => {
      const from = block.vars.fromCell as number[]
      from.forEach((_, word) => (from[word] = memory.get(fromCell + word) ?? 0))
      return opened.readWords((_, address) => (block.vars.toCell as number[])[address - toCell] ?? 0)
    },
    kept: () => true,
  }
}

type DeviceOf = (place: { address: number }) => string

/** By global labels of a MELSEC PLC at the devices of the map, low word first, as its memory has 32 bit. */
export function byDevices(map: PlcMap, family: Family, deviceOf: DeviceOf): Exchange {
  const source = writeProgram(map, family, 'st', { protocol: 'slmp' })
  const opened = openMap(map)
  const labels = [...source.matchAll(/^ {3}(Vision_\w+) : (\w+).*;   \/\/ (\w+) ·/gm)].map(
    ([, label = '', type = '', device = '']) => ({ label, type, device }),
  )
  const memory = new Map<string, number>()
  const listOf = ({ globals }: RunningBlock) => globals['VisionLabels'] as Record<string, number>
  const isDouble = (type: string) => /^(REAL|DINT|DWORD)$/.test(type)
  const view = new DataView(new ArrayBuffer(4))
  const next = (device: string) => `D${Number(device.slice(1)) + 1}`
  const load = (block: RunningBlock) => {
    for (const { label, type, device } of labels) {
      const [low, high] = [memory.get(device) ?? 0, memory.get(next(device)) ?? 0]
      view.setUint16(0, isDouble(type) ? high : 0)
      view.setUint16(2, low)
      listOf(block)[label] =
        type === 'REAL'
          ? view.getFloat32(0)
          : type === 'DINT'
            ? view.getInt32(0)
            : type === 'INT'
              ? view.getInt16(2)
              : view.getUint32(0)
    }
  }
  const store = (block: RunningBlock) => {
    for (const { label, type, device } of labels) {
      const value = Number(listOf(block)[label])
      if (type === 'REAL') view.setFloat32(0, value)
      else view.setInt32(0, value)
      memory.set(device, view.getUint16(2))
      if (isDouble(type)) memory.set(next(device), view.getUint16(0))
    }
  }
  const written = new Map<string, number>()
  return {
    source,
    map: opened,
    write: (block, outputs) => {
      store(block)
      for (const { address, value } of opened.words(outputs)) {
        const device = deviceOf({ address })
        memory.set(device, value)
        written.set(device, value)
      }
      load(block)
    },
    read: (block) => {
      store(block)
      return opened.readWords((_, address) => memory.get(deviceOf({ address })) ?? 0)
    },
    kept: (block) => {
      store(block)
      return [...written].every(([device, value]) => memory.get(device) === value)
    },
  }
}

/**
 * By variables that others read and write in the PLC's memory.
 * @param place list or data block and members of a name, as the protocol means it
 */
export function byNames(
  family: Family,
  language: ProgramLanguage,
  { protocol, lines }: { protocol: NamedProtocol; lines: PlcMap['lines'] },
  place: (name: string, side: 'toCell' | 'fromCell') => string[],
): Exchange {
  const map: PlcMap = { by: 'name', lines }
  const opened = openMap(map)
  const written = new Map<string, unknown>()
  const variable = ({ globals }: RunningBlock, path: readonly string[]) => {
    const parents = path.slice(0, -1)
    const parent = parents.reduce<Record<string, unknown> | undefined>(
      (inside, name) => inside?.[name] as Record<string, unknown> | undefined,
      globals,
    )
    const name = path.at(-1) ?? ''
    if (!parent || !Reflect.ownKeys(parent).includes(name))
      throw new Error(`${path.join('.')} is not declared`)
    return { parent, name }
  }
  const valueOf = (block: RunningBlock, path: readonly string[]) => {
    const { parent, name } = variable(block, path)
    return parent[name]
  }
  return {
    source: writeProgram(map, family, language, { protocol }),
    map: opened,
    write: (block, outputs, all) => {
      for (const { name, value } of opened.variables(outputs)) {
        if (!all && written.get(name) === value) continue
        written.set(name, value)
        const found = variable(block, place(name, 'fromCell'))
        found.parent[found.name] = value
      }
    },
    read: (block) => opened.readNames((name) => valueOf(block, place(name, 'toCell'))),
    kept: (block) => [...written].every(([name, value]) => valueOf(block, place(name, 'fromCell')) === value),
  }
}

/** A cell and a PLC that exchange their words every 10 ms. */
export function cellAndPlc(family: Family, { source, write, read, kept }: Exchange) {
  let now = 0
  let tokens = 0
  const cell = createHandshake({ family, newToken: () => `token ${++tokens}`, now })
  const running: { token: string; at: number; job: number | undefined }[] = []
  const started: (number | undefined)[] = []
  let plc = runProgram(source)
  plc.vars.connected = true
  let answer: 'result' | 'error' | 'none' = 'result'

  const heed = (effects: readonly Effect[]) => {
    for (const effect of effects) {
      if (effect.type === 'write') write(plc, effect.outputs, effect.all)
      if (effect.type !== 'start') continue
      started.push(effect.cycle.job)
      running.push({ token: effect.cycle.token, at: now + 40, job: effect.cycle.job })
    }
  }
  heed(cell.handle({ type: 'link', up: true }, now))
  heed(cell.handle({ type: 'device', ready: true }, now))

  const step = () => {
    now += 10
    for (const { token, at, job = 0 } of [...running])
      if (at <= now) {
        running.shift()
        const pose = {
          position: { x: 0.1 + job / 1000, y: -0.2, z: 1.5 },
          orientation: { w: 1, x: 0, y: 0, z: 0 },
        }
        if (answer === 'result') heed(cell.handle({ type: 'result', token, data: { poses: [pose] } }, now))
        if (answer === 'error') heed(cell.handle({ type: 'error', token, code: 201 }, now))
      }
    heed(cell.handle({ type: 'sample', inputs: read(plc), kept: kept(plc) }, now))
    plc.call(now)
  }
  const steps = (count: number) => {
    for (let each = 0; each < count; each++) step()
  }
  steps(5)
  return {
    started,
    steps,
    plc: (): RunningBlock => plc,
    answerWith: (how: typeof answer) => (answer = how),
    /** A program that begins anew, with empty memory. */
    restart: () => {
      plc = runProgram(source)
      plc.vars.connected = true
    },
    /** One cycle of the PLC: what it has at its end. */
    cycle: (job = 0) => {
      const { vars } = plc
      if (source.includes('job :')) vars.job = job
      vars.start = true
      steps(1)
      ;(vars.busy as boolean).should.be.true()
      for (let waited = 0; vars.busy === true && waited < 1200; waited++) step()
      vars.start = false
      // Until the PLC has taken its request back.
      steps(30)
      return {
        done: vars.done,
        error: vars.error,
        timedOut: vars.timedOut,
        result: vars.result as Record<string, unknown>,
      }
    },
  }
}
