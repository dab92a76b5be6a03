import { createRequire } from 'node:module'
import { durationSteps, signalNames, type ManualTrigger } from '../../lib/plc/handshake/figures'
import type * as Plots from '../../lib/plots'
import type { DeployedHandshake, HandshakeSettings } from '../plc/deployed-handshake'
import { timesOf, type HandshakeTimes, meaningOf } from '../plc/handshake-of'
import { loadOverlay } from '../shared/load-later'
import { currentLanguage } from '../shared/node-error'
import type { CellCounts, EndedCycle } from '../../lib/plc/handshake/cell'
import { stateOf, type Alarm } from '../../lib/alarms/alarms'
import { sentencesOf } from '../sentences'
import type { CellData } from '../../lib/plc/rows'
import type { LastCycle } from './cell-state'

const { say } = sentencesOf('operator-panel')

const load = createRequire(__filename)

/** Data URLs. */
export interface PanelPlots {
  cycleTimes: string
  timeLine: string
}

/** Cycle times, and the signals of the last seconds. */
export function plotsOf({ cell }: DeployedHandshake, theme: 'light' | 'dark'): PanelPlots {
  const { cycleTimesPlot, timeLinePlot } = load('../../lib/plots') as typeof Plots
  const { svgDataUrl } = loadOverlay()
  const { cycles } = timesOf(cell)
  const language = currentLanguage() ?? 'en-US'
  const times = { steps: durationSteps, bars: cycles?.bars ?? [], median: cycles?.p50, longest: cycles?.most }
  const lines = cell?.figures.signals.lines
  const shown = signalNames.map((name) => ({ name, changes: lines?.[name] ?? [] }))
  return {
    cycleTimes: svgDataUrl(cycleTimesPlot(times, { theme, language })),
    timeLine: svgDataUrl(timeLinePlot(shown, { theme, language, now: performance.now() })),
  }
}

/** Dashboard's table takes its columns from the rows. */
export type TableRow = Record<string, string | number>

interface ResultRow {
  /** Milliseconds since 1970. */
  at: number
  number: number
  text: string
  milliseconds: number | undefined
}

const mostRows = 50

const locale = () => (currentLanguage() ?? 'en').replace(/^en.*/, 'en-GB')

const timeOf = (at: number) => new Date(at).toLocaleTimeString(locale(), { hour12: false })

const dayAndTime = (at: number) =>
  new Date(at).toLocaleString(locale(), {
    ...{ day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    hour12: false,
  })

export const resultTable = (rows: readonly ResultRow[]): TableRow[] =>
  rows.map(({ at, number, text, milliseconds }) => ({
    [say('column-time')]: timeOf(at),
    [say('column-number')]: number,
    [say('column-result')]: milliseconds === undefined ? text : `${text} · ${format(milliseconds)}`,
  }))

export const counterTable = ({ done, failed, missed }: CellCounts, { cycles }: HandshakeTimes): TableRow[] =>
  (
    [
      ['counter-good', grouped(done)],
      ['counter-failed', grouped(failed)],
      ['counter-missed', grouped(missed)],
      ['counter-median', format(cycles?.p50)],
      ['counter-worst', format(cycles?.most)],
    ] as const
  ).map(([key, value]) => ({ [say('column-counter')]: say(key), [say('column-value')]: value }))

export interface AlarmOrder {
  /** Sent back. */
  alarm: Pick<Alarm, 'key' | 'text'>
  /** Label of the button; empty: nothing to acknowledge. */
  acknowledge: string
}

export const alarmOrders = (alarms: readonly Alarm[], mayAcknowledge: boolean): AlarmOrder[] =>
  alarms.slice(0, mostRows).map(({ key, text, acknowledged }) => ({
    alarm: { key, text },
    acknowledge: mayAcknowledge && acknowledged === undefined ? say('acknowledge-one') : '',
  }))

/** Undefined: all alarms. */
export function alarmOf(payload: unknown): AlarmOrder['alarm'] | undefined {
  const { alarm } = (payload ?? {}) as { alarm?: { key?: unknown; text?: unknown } | null }
  const { key, text } = alarm ?? {}
  return typeof key === 'string' && typeof text === 'string' ? { key, text } : undefined
}

/** Those that need attention first. */
export const alarmTable = (alarms: readonly Alarm[]): TableRow[] =>
  alarms.slice(0, mostRows).map((alarm) => {
    const { raised, gone, text, count } = alarm
    const state = say(`alarm-${stateOf(alarm)}`, { time: gone === undefined ? '' : timeOf(gone) })
    return {
      [say('column-since')]: dayAndTime(raised),
      [say('column-alarm')]: count > 1 ? `${text} (${count} ×)` : text,
      [say('column-state')]: state,
    }
  })

/** @param at milliseconds since 1970 */
export const pictureCaption = (at: number): string => say('picture-of', { time: timeOf(at) })

const grouped = (count: number) => count.toLocaleString(locale())

const format = (milliseconds: number | undefined) =>
  milliseconds === undefined ? '–' : `${grouped(Math.round(milliseconds))} ms`

const mostResults = 20

/** Newest first, manual cycles included. */
export class Results {
  readonly rows: ResultRow[] = []
  /** The last one that the PLC has read. */
  last: LastCycle | undefined

  /** @param data as sent to the PLC */
  ended({ code, counter, milliseconds }: EndedCycle, data: CellData, reason: string, of: HandshakeSettings) {
    const isDone = code === of.codes.DONE
    const text = isDone
      ? foundText(data, of)
      : say('result-failed', { code, meaning: meaningOf(code, of.codes) })
    this.last = { code, reason, text }
    // A failed cycle is not counted; the next one gets its number.
    this.#add({ number: counter + (isDone ? 0 : 1), text, milliseconds })
  }

  byHand({ state, code = 0, duration, data }: ManualTrigger, of: HandshakeSettings) {
    const text =
      state === 'done'
        ? foundText(data ?? {}, of)
        : say('result-failed', { code, meaning: meaningOf(code, of.codes) })
    this.#add({ number: 0, text: say('result-by-hand', { text }), milliseconds: duration })
  }

  #add(row: Omit<ResultRow, 'at'>): void {
    this.rows.unshift({ at: Date.now(), ...row })
    this.rows.length = Math.min(this.rows.length, mostResults)
  }
}

/** `done, 3 found, score 0.93`, as far as the PLC gets it. */
function foundText({ count, score }: CellData, { map }: HandshakeSettings): string {
  const has = (row: string) => map.slots.some((slot) => slot.row === row)
  const parts = [
    count !== undefined && (has('count') || has('pose')) ? say('result-found', { count }) : '',
    score !== undefined && has('score')
      ? say('result-score', { score: Number(score.toPrecision(3)).toLocaleString(currentLanguage()) })
      : '',
  ].filter(Boolean)
  return [say('result-done'), ...parts].join(', ')
}
