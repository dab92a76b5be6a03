import type { logs } from '../../lib'
import type { Properties, OutcomeSummary } from '../shared/outcome'
import { sentencesOf } from '../sentences'

const { say, told } = sentencesOf('log-watch')

/** One entry, or a batch of entries of one log. */
export const entriesMessage = (
  lines: readonly logs.LogLine[],
  isBatch: boolean,
): [Properties, OutcomeSummary] => [
  {
    topic: lines[0]?.log,
    payload: isBatch ? lines : lines[0],
    ...(lines.some(({ repeated }) => repeated) && { repeated: true }),
  },
  toldOf(lines, isBatch),
]

/** A level that needs attention is a warning. */
function toldOf(lines: readonly logs.LogLine[], isBatch: boolean): OutcomeSummary {
  const [line] = lines
  const state = lines.some(({ level }) => alarming.has(level)) ? 'warning' : 'done'
  return isBatch || !line
    ? told('result-entries', { log: line?.log, count: lines.length }, { state, value: lines.length })
    : told('result-entry', { ...line }, { state, value: line.level })
}

const alarming: ReadonlySet<string> = new Set(['WARN', 'WARNING', 'ERROR', 'FATAL'])

/** Reports that something may be missing here, and the time range. */
export function gapMessage(gap: logs.LogGap): [Properties, OutcomeSummary] {
  const { log, reason, after, before } = gap
  const times = {
    ...(after !== undefined && { after: iso(after) }),
    ...(before !== undefined && { before: iso(before) }),
  }
  const text = say(`log-gap-${reason}`, { log })
  const payload = { log, reason, ...times, message: text }
  return [
    { topic: log, gap: true, payload },
    { text, state: 'warning', code: reason },
  ]
}

export function heldBackMessage(held: logs.HeldBack): [Properties, OutcomeSummary] {
  const { entries, levels, logs: byLog } = held
  const shown = Object.entries(levels)
    .map(([level, count]) => `${count} ${level}`)
    .join(', ')
  const text = say('log-held-back', { entries, levels: shown })
  const topic = Object.keys(byLog).join(', ')
  const message = { topic, heldBack: entries, payload: { ...held, message: text } }
  return [message, { text, state: 'warning', code: 'held-back', value: entries }]
}

function iso(seconds: number): string {
  const date = new Date(1000 * seconds)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}
