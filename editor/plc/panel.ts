import type { DurationSummary } from '../../lib/plc/handshake/figures'
import type { HandshakeSnapshot, Lamp } from '../../nodes/plc/handshake-snapshot'
import { inBackground, type Dialog, stored } from '../dialog'
import { livePanel } from '../live-panel'
import { problemIn, request } from '../device-api'
import { numberText, phaseText, timeText, type Translator } from '../texts'

/** Milliseconds from one answer to the next request. */
const pause = 500

/** Shows the deployed handshake of a dialog as it is now, while the dialog is visible, and triggers by hand. */
export function plcPanel(dialog: Dialog, told: Translator): void {
  const { node } = dialog
  const facts = $('<div>')
  const lamps = $('<div class="vision-plc-lamps">')
  const times = $('<div class="vision-plc-times">')
  const at = `vision-devices/plc/${encodeURIComponent(node.id)}`
  const hand = byHand(told, async () => {
    show((await request('POST', `${at}/trigger`, {})) as HandshakeSnapshot)
  })
  const { state, announce: say } = livePanel<HandshakeSnapshot>(dialog, told, {
    ...{ pause, show, clear, parts: [facts, lamps, times, hand.element] },
    ask: async () => (await request('GET', at)) as HandshakeSnapshot,
  })

  function show(snapshot: HandshakeSnapshot): void {
    say(stored(node, 'changed') ? told('changed') : '')
    state.text(phaseText(snapshot)).attr('data-phase', snapshot.phase)
    facts.empty().append(panelFacts(snapshot, told))
    lamps.empty().append(lampColumns(snapshot, told))
    times.empty().append(panelTimes(snapshot, told))
    hand.show(snapshot.manual)
  }

  function clear(): void {
    state.removeAttr('data-phase')
    for (const part of [facts, lamps, times]) part.empty()
    hand.show(undefined)
  }
}

type Manual = HandshakeSnapshot['manual']

/**
 * The button that triggers a cycle after a question, and how the last one ended.
 * @param trigger rejects with the reason where it is refused
 */
function byHand(told: Translator, trigger: () => Promise<void>) {
  const button = $('<button type="button" class="red-ui-button">').text(told('hand.trigger')).on('click', ask)
  const hint = $('<span class="vision-unit">')
  const place = $('<div>')
  const result = $('<div class="vision-plc-result">')
  const outcome = $('<div role="status">')
  const results = $('<div class="vision-plc-lamps">')
  const element = $('<div class="vision-plc-hand">').append(
    $('<div class="vision-plc-hand-row">').append(button, ' ', hint),
    place,
    result.append(outcome, results),
  )
  let refusal = ''
  return { element, show }

  function ask(): void {
    const question = told('hand.question')
    const yes = $('<button type="button" class="red-ui-button">')
      .text(told('hand.yes'))
      .on('click', () => inBackground(confirmed()))
    const no = $('<button type="button" class="red-ui-button">').text(told('hand.no')).on('click', cancel)
    const box = $('<div class="vision-try-question" role="group">').attr('aria-label', question)
    box.on('keydown', (event) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      cancel()
    })
    place.empty().append(box.append($('<p>').text(question), yes, ' ', no))
    no.trigger('focus')
    RED.tray.resize()
  }

  function cancel(): void {
    place.empty()
    button.trigger('focus')
    RED.tray.resize()
  }

  async function confirmed(): Promise<void> {
    cancel()
    refusal = ''
    try {
      await trigger()
    } catch (error) {
      refusal = problemIn(error)?.message ?? ''
      say(refusal)
    }
  }

  /** @param manual undefined while nothing is deployed */
  function show(manual: Manual | undefined): void {
    element.prop('hidden', manual === undefined)
    if (!manual) {
      place.empty()
      return
    }
    button.prop('disabled', manual.may !== 'yes')
    if (manual.may !== 'yes' && place.children().length) place.empty()
    hint.text(manual.may === 'yes' ? '' : told(`hand.${manual.may}`))
    const { last } = manual
    results.empty()
    if (refusal || !last) return
    say(outcomeText(last))
    if (last.results) results.append(lampList(last.results, told))
  }

  function outcomeText({ state, code, duration = 0 }: NonNullable<Manual['last']>): string {
    if (state === 'running') return told('hand.running')
    return told(`hand.${state}`, {
      code: code?.value ?? '',
      text: code?.text ?? '',
      time: timeText(duration),
    })
  }

  /** Says it once: a live region that is written again is read aloud again. */
  function say(text: string): void {
    if (outcome.text() !== text) outcome.text(text)
  }
}

/** The words of both sides beside each other: a bit is a lamp, everything else a value. */
function lampColumns({ plc, cell }: HandshakeSnapshot, told: Translator): JQuery[] {
  if (!plc.length && !cell.length) return []
  return [column(told('plc'), plc, told), column(told('cell'), cell, told)]
}

const column = (title: string, lamps: readonly Lamp[], told: Translator): JQuery =>
  $('<section>').append($('<h4>').text(title), lampList([...lamps].sort(bitsFirst), told))

const bitsFirst = (one: Lamp, other: Lamp) =>
  Number(typeof other.value === 'boolean') - Number(typeof one.value === 'boolean')

const lampList = (lamps: readonly Lamp[], told: Translator): JQuery =>
  $('<ul>').append(
    lamps.map((each) => $('<li>').append(typeof each.value === 'boolean' ? lamp(each, told) : value(each))),
  )

function lamp({ name, value }: Lamp, told: Translator): JQuery[] {
  const isOn = value === true
  const light = $('<span class="vision-lamp" role="img">')
    .attr({ 'data-on': String(isOn), 'aria-label': told(isOn ? 'on' : 'off') })
    .append($('<i aria-hidden="true">').addClass(`fa fa-circle${isOn ? '' : '-o'}`))
  return [light, $('<span>').text(name)]
}

function value({ name, value, unit, words }: Lamp): JQuery[] {
  const hex = words?.map((word) => word.toString(16).toUpperCase().padStart(4, '0')).join(' ')
  return [
    $('<span class="vision-lamp-value">')
      .text(unit === undefined ? String(value) : `${String(value)} ${unit}`)
      .attr('title', hex ?? null),
    $('<span>').text(name),
  ]
}

type Fact = readonly [key: string, name: string, value: string]

/** Link, counters, poll interval and the last code; what is not known is left out. */
export function factsOf(snapshot: HandshakeSnapshot, told: Translator): Fact[] {
  const { link, trouble, clients, refused, heard, age, code, poll } = snapshot
  const facts: [key: string, value: string | undefined][] = [
    ['link', trouble ?? told(`links.${link}`)],
    ['clients', clients && (clients.length ? clients.join(', ') : told('nobody'))],
    [
      'refused',
      refused && refused.count > 0 ? `${numberText(refused.count)} (${refused.hosts.join(', ')})` : undefined,
    ],
    ['heard', heard === undefined ? undefined : told('ago', { time: timeText(heard) })],
    ['seen', age === undefined ? undefined : told('ago', { time: timeText(age) })],
    ['poll', poll?.longest === undefined ? undefined : pollText(poll, told)],
    ['counts', countsText(snapshot, told)],
    ['code', code && `${code.value} · ${code.text}`],
  ]
  return facts.flatMap(([key, value]): Fact[] => (value ? [[key, told(key), value]] : []))
}

/** The facts line by line. */
const panelFacts = (snapshot: HandshakeSnapshot, told: Translator): JQuery =>
  $('<dl class="vision-plc-facts">').append(
    factsOf(snapshot, told).flatMap(([, name, value]) => [$('<dt>').text(name), $('<dd>').text(value)]),
  )

const pollText = ({ mean = 0, longest = 0 }: { mean?: number; longest?: number }, told: Translator) =>
  told('polled', { mean: timeText(mean), longest: timeText(longest), pulse: numberText(Math.ceil(longest)) })

/** What has happened, without what has not. */
function countsText({ counts }: HandshakeSnapshot, told: Translator): string {
  const { accepted, done, failed, missed, dropped } = counts
  const parts = [
    told('count.accepted', { count: numberText(accepted) }),
    told('count.done', { count: numberText(done) }),
    failed && told('count.failed', { count: numberText(failed) }),
    missed && told('count.missed', { count: numberText(missed) }),
    dropped && told('count.dropped', { count: numberText(dropped) }),
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Upper ends of the bars in milliseconds, as the runtime has them; the last bar is open. */
const ends = ['1', '2', '5', '10', '20', '50', '100', '200', '500', '1 s', '2 s', '5 s', '…']

/** How long reaction and cycles took, as numbers and bars. */
const panelTimes = ({ reactions, cycles }: HandshakeSnapshot, told: Translator): JQuery[] =>
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
