import type { CellCounts } from '../../lib/plc/handshake/cell'
import { stateOf, type Alarm } from '../../lib/alarms/alarms'
import type { HandshakeTimes } from '../plc/handshake-of'
import { spoken } from '../shared/node-error'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('operator-panel')

/** A row of Dashboard's table: its columns are named by the rows. */
export type TableRow = Record<string, string | number>

/** A cycle that has ended, as it stands in the list. */
export interface ResultRow {
  /** Milliseconds since 1970. */
  at: number
  number: number
  text: string
  milliseconds: number | undefined
}

/** Alarms that a table shows. */
const mostRows = 50

const locale = () => (spoken() ?? 'en').replace(/^en.*/, 'en-GB')
const timeOf = (at: number) => new Date(at).toLocaleTimeString(locale(), { hour12: false })
const dayAndTime = (at: number) =>
  new Date(at).toLocaleString(locale(), {
    ...{ day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    hour12: false,
  })

/** The newest first. */
export const resultTable = (rows: readonly ResultRow[]): TableRow[] =>
  rows.map(({ at, number, text, milliseconds }) => ({
    [say('column-time')]: timeOf(at),
    [say('column-number')]: number,
    [say('column-result')]: milliseconds === undefined ? text : `${text} · ${told(milliseconds)}`,
  }))

export const counterTable = ({ done, failed, missed }: CellCounts, { cycles }: HandshakeTimes): TableRow[] =>
  (
    [
      ['counter-good', grouped(done)],
      ['counter-failed', grouped(failed)],
      ['counter-missed', grouped(missed)],
      ['counter-median', told(cycles?.p50)],
      ['counter-worst', told(cycles?.most)],
    ] as const
  ).map(([key, value]) => ({ [say('column-counter')]: say(key), [say('column-value')]: value }))

/** What a page needs to acknowledge an alarm. */
export interface AlarmOrder {
  /** To send back. */
  alarm: Pick<Alarm, 'key' | 'text'>
  /** Of the button; empty where there is nothing to acknowledge. */
  acknowledge: string
}

/** One for each row. */
export const alarmOrders = (alarms: readonly Alarm[], mayAcknowledge: boolean): AlarmOrder[] =>
  alarms.slice(0, mostRows).map(({ key, text, acknowledged }) => ({
    alarm: { key, text },
    acknowledge: mayAcknowledge && acknowledged === undefined ? say('acknowledge-one') : '',
  }))

/** The alarm that an order is about; undefined: all. */
export function alarmOf(payload: unknown): AlarmOrder['alarm'] | undefined {
  const { alarm } = (payload ?? {}) as { alarm?: { key?: unknown; text?: unknown } | null }
  const { key, text } = alarm ?? {}
  return typeof key === 'string' && typeof text === 'string' ? { key, text } : undefined
}

/** Those that need somebody first. */
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
const told = (milliseconds: number | undefined) =>
  milliseconds === undefined ? '–' : `${grouped(Math.round(milliseconds))} ms`
