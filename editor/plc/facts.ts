import type { HandshakeSnapshot } from '../../nodes/plc/handshake-snapshot'
import type { Translator } from './translator'
import { numberText, timeText } from './phase-text'

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
export const panelFacts = (snapshot: HandshakeSnapshot, told: Translator): JQuery =>
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
