import type { NodeAPI } from 'node-red'
import type { PlcValue, ShownValue } from '../../lib/plc/data'
import type { Phase } from '../../lib/plc/handshake'
import type { CellCounts } from '../../lib/plc/handshake/cell'
import type { ManualTrigger } from '../../lib/plc/handshake/figures'
import { codeText, shortMeaningOf } from '../../lib/plc/program'
import { type CellData, type CellOutputs, isDataRow, type PlcInputs } from '../../lib/plc/rows'
import { refusalOf } from '../shared/admin'
import type { DeployedHandshake, HandshakeSettings } from './deployed-handshake'
import { type HandshakeLink, handshakeOf, type HandshakeTimes, linkOf, timesNow } from './handshake-of'
import { asVisionError } from '../shared/node-error'

/** A deployed handshake as it is now, for a person. Times in milliseconds, texts in the language of the person. */
export interface HandshakeSnapshot extends HandshakeTimes {
  phase: Phase
  /** `unused`: no trigger node works with it, so that nothing is connected. */
  link: HandshakeLink
  /** Why the link is down. */
  trouble?: string
  /** The words of both sides; empty before the first look. */
  plc: Lamp[]
  cell: Lamp[]
  /** Since the PLC's words were last seen, or written; missing before the first time. */
  age?: number
  /** Since the PLC last asked for anything. */
  heard?: number
  counts: CellCounts
  /** The present code. */
  code?: { value: number; text: string }
  lastDuration?: number
  /** Where the PLC connects. */
  port?: number
  clients?: readonly string[]
  refused?: { count: number; hosts: readonly string[] }
  manual: {
    /** The PLC allows it, and nothing is in its way; `noRow`: the map has no bit for it. */
    may: 'yes' | 'notNow' | 'notAllowed' | 'noRow'
    last?: Pick<ManualTrigger, 'state' | 'duration'> & {
      code?: { value: number; text: string }
      results?: Lamp[]
    }
  }
}

const nothingCounted: CellCounts = { accepted: 0, done: 0, failed: 0, missed: 0, dropped: 0 }

/** @param language of the editor */
export function snapshotOf(handshake: DeployedHandshake, language?: string): HandshakeSnapshot {
  const { cell, settings, phase } = handshake
  const trouble = troubleOf(handshake, language)
  const reason = trouble === undefined ? {} : { trouble }
  const link = linkOf(handshake)
  if (!cell || !settings)
    return { phase, link, ...reason, plc: [], cell: [], counts: nothingCounted, manual: { may: 'notNow' } }
  const { figures, port } = cell
  const { seen, shown, counts, lastDuration } = figures
  const { clients, port: listens, refused = 0, refusedHosts = [], heardAt } = port?.figures ?? {}
  const now = performance.now()
  return {
    phase,
    link,
    ...reason,
    plc: seen ? plcLamps(settings, seen.inputs, language) : [],
    cell: shown ? cellLamps(settings, shown, language) : [],
    ...(seen && { age: now - seen.at }),
    ...(heardAt !== undefined && { heard: now - heardAt }),
    counts,
    ...(shown && { code: { value: shown.code, text: codeText(shown.code, settings.codes, language) } }),
    ...(lastDuration !== undefined && { lastDuration }),
    ...timesNow(cell),
    ...(listens !== undefined && { port: listens, refused: { count: refused, hosts: refusedHosts } }),
    ...(clients && { clients }),
    manual: manualOf(handshake, settings, language),
  }
}

/** Whether a trigger by hand is possible, and how the last one ended. */
export function manualOf(
  { cell, phase }: DeployedHandshake,
  settings: HandshakeSettings,
  language?: string,
): HandshakeSnapshot['manual'] {
  const { last } = cell?.figures.manual ?? {}
  const isRunning = phase === 'busy' || last?.state === 'running'
  const hasRow = settings.map.slots.some(({ row }) => row === 'manualAllowed')
  const isAllowed = cell?.figures.seen?.inputs.manualAllowed === true
  const may = !hasRow ? 'noRow' : !isAllowed ? 'notAllowed' : isRunning || !cell.isUp ? 'notNow' : 'yes'
  if (!last) return { may }
  const { state, code, duration, data } = last
  return {
    may,
    last: {
      state,
      ...(duration !== undefined && { duration }),
      ...(code !== undefined && { code: { value: code, text: codeText(code, settings.codes, language) } }),
      ...(data && { results: resultLamps(settings, data, language) }),
    },
  }
}

/** Why the link is down, in the language of a person. */
export const troubleOf = ({ trouble }: DeployedHandshake, language?: string): string | undefined =>
  trouble === undefined ? undefined : refusalOf(asVisionError(trouble, language), language).body.message

/** A value of the map as it is now. */
export interface Lamp {
  row: string
  /** The meaning in a word or two. */
  name: string
  /** A bit is a lamp; everything else is written. */
  value: boolean | number | string
  unit?: string
  /** Registers or coils of a value of the cell. */
  words?: readonly number[]
}

type Of = Pick<HandshakeSettings, 'map' | 'plcMap'>

/** The PLC's inputs; values that were not read are missing. */
const plcLamps = ({ map, plcMap }: Of, inputs: PlcInputs, language?: string): Lamp[] =>
  map.slots
    .filter(({ meaning }) => meaning.from === 'plc')
    .flatMap((slot) => {
      const value =
        slot.row === 'argument' ? inputs.argument?.[slot.index - 1] : inputs[slot.row as keyof PlcInputs]
      return typeof value === 'boolean' || typeof value === 'number'
        ? [{ row: slot.row, name: shortMeaningOf(slot, plcMap, language), value }]
        : []
    })

/** The cell's outputs. */
const cellLamps = ({ map, plcMap }: Of, outputs: CellOutputs, language?: string): Lamp[] =>
  map.preview(outputs).map((shown) => lampOf(shown, plcMap, language))

/** The results of a cycle as the PLC would have got them. */
const resultLamps = ({ map, plcMap }: Of, data: CellData, language?: string): Lamp[] =>
  map
    .preview({ data } as CellOutputs)
    .filter(({ slot }) => isDataRow(slot.row))
    .map((shown) => lampOf(shown, plcMap, language))

function lampOf({ slot, value, words }: ShownValue, plcMap: Of['plcMap'], language?: string): Lamp {
  return {
    row: slot.row,
    name: shortMeaningOf(slot, plcMap, language),
    value: plain(value),
    ...(slot.unit !== undefined && { unit: slot.unit }),
    ...(slot.type !== 'bit' && { words }),
  }
}

/** A REAL has seven digits. */
const plain = (value: PlcValue): Lamp['value'] =>
  typeof value === 'number'
    ? Number(value.toPrecision(7))
    : value instanceof Uint8Array
      ? Buffer.from(value).toString('hex')
      : value

/** A deployed handshake in a line. */
export interface HandshakeState {
  phase: Phase
  link: HandshakeSnapshot['link']
  /** Why the link is down, in the language of the person. */
  trouble?: string
  counts: Pick<CellCounts, 'accepted' | 'missed'>
  /** Milliseconds of the last cycle that ended well. */
  lastDuration?: number
}

/** By the ids of the configuration nodes. */
export type HandshakeStates = Record<string, HandshakeState>

/** The states of all running handshakes. @param language of the editor */
export function handshakeStates(RED: NodeAPI, language?: string): HandshakeStates {
  const states: HandshakeStates = {}
  RED.nodes.eachNode(({ id, type }) => {
    if (type !== 'vision-plc-handshake') return
    const handshake = handshakeOf(RED, id)
    if (!handshake) return
    const { phase, counts, cell } = handshake
    const { accepted, missed } = counts
    const trouble = troubleOf(handshake, language)
    states[id] = {
      phase,
      link: linkOf(handshake),
      ...(trouble !== undefined && { trouble }),
      counts: { accepted, missed },
      ...(cell?.lastDuration !== undefined && { lastDuration: cell.lastDuration }),
    }
  })
  return states
}
