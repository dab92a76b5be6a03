import type { HandshakeSnapshot } from '../../nodes/plc/handshake-snapshot'
import type { Translator } from './translator'
import { numberText, timeText } from './phase-text'

/** Link, counters and the last code, line by line. */
export function panelFacts(snapshot: HandshakeSnapshot, told: Translator): JQuery {
  const { link, trouble, clients, refused, heard, age, code, poll } = snapshot
  const facts: [name: string, value: string | undefined][] = [
    [told('link'), trouble ?? told(`links.${link}`)],
    [told('clients'), clients && (clients.length ? clients.join(', ') : told('nobody'))],
    [
      told('refused'),
      refused && refused.count > 0 ? `${numberText(refused.count)} (${refused.hosts.join(', ')})` : undefined,
    ],
    [told('heard'), heard === undefined ? undefined : told('ago', { time: timeText(heard) })],
    [told('seen'), age === undefined ? undefined : told('ago', { time: timeText(age) })],
    [told('poll'), poll?.longest === undefined ? undefined : pollText(poll, told)],
    [told('counts'), countsText(snapshot, told)],
    [told('code'), code && `${code.value} · ${code.text}`],
  ]
  return $('<dl class="vision-plc-facts">').append(
    facts.flatMap(([name, value]) => (value ? [$('<dt>').text(name), $('<dd>').text(value)] : [])),
  )
}

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
