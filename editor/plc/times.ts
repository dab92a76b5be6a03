import type { DurationSummary } from '../../lib/plc/cell/durations'
import type { HandshakeSnapshot } from '../../nodes/plc/handshake-snapshot'
import type { Translator } from './translator'
import { numberText, timeText } from './phase-text'

/** Upper ends of the bars in milliseconds, as the runtime has them; the last bar is open. */
const ends = ['1', '2', '5', '10', '20', '50', '100', '200', '500', '1 s', '2 s', '5 s', '…']

/** How long reaction and cycles took, as numbers and bars. */
export const panelTimes = ({ reactions, cycles }: HandshakeSnapshot, told: Translator): JQuery[] =>
  [
    { name: told('reactions'), summary: reactions },
    { name: told('cycles'), summary: cycles },
  ].flatMap(({ name, summary }) => (summary ? [histogram(name, summary, told)] : []))

/** Median, 99th percentile and longest. */
export const timesText = ({ count, p50, p99, most }: DurationSummary, told: Translator): string =>
  told('times', {
    p50: timeText(p50),
    p99: timeText(p99),
    most: timeText(most),
    count: numberText(count),
  })

/** The bars with something in them, and one more at each end; the longest is 1. */
export function barsOf({ bars }: DurationSummary): { end: string; count: number; part: number }[] {
  const highest = Math.max(...bars)
  const first = Math.max(0, bars.findIndex((bar) => bar > 0) - 1)
  const last = Math.min(bars.length, bars.findLastIndex((bar) => bar > 0) + 2)
  return bars
    .slice(first, last)
    .map((count, index) => ({ end: ends[first + index] ?? '…', count, part: count / highest }))
}

function histogram(name: string, summary: DurationSummary, told: Translator): JQuery {
  const shown = barsOf(summary).map(({ end, count, part }) =>
    $('<span>')
      .attr('title', `≤ ${end}: ${numberText(count)}`)
      .append($('<i>').css('height', `${part * 100}%`), $('<small>').text(end)),
  )
  return $('<section>').append(
    $('<h4>').text(name),
    $('<div>').text(timesText(summary, told)),
    $('<div class="vision-plc-bars" aria-hidden="true">').append(shown),
  )
}
