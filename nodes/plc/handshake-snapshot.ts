import type { CellCounts } from '../../lib/plc/handshake/cell'
import type { ManualTrigger } from '../../lib/plc/handshake/figures'
import type { Phase } from '../../lib/plc/handshake'
import { codeText } from '../../lib/plc/program'
import { refusalOf } from '../shared/admin'
import type { DeployedHandshake } from './deployed-handshake'
import type { HandshakeSettings } from './handshake-settings'
import { asVisionError } from './as-vision-error'
import { linkOf, type HandshakeLink } from './link-of'
import { timesNow, type HandshakeTimes } from './times-of'
import { cellLamps, plcLamps, resultLamps, type Lamp } from './lamps'

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
  /** What the code word says now. */
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
    plc: seen ? plcLamps(settings, seen.says, language) : [],
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
  const isAllowed = cell?.figures.seen?.says.manualAllowed === true
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
