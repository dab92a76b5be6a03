import type { SparkplugMessage } from './decoded'
import type { WireConnection } from './wire'

/**
 * What the specification demands of the sessions of an edge node and was not so; empty if all was right.
 * @param skips numbers that may be left out between two connections, because a request for one got lost; then one without
 * births may have its number once more, too, and end without a death: no host knows of it
 */
export function sessionProblems(connections: readonly WireConnection[], skips = 0): string[] {
  const accepted = connections.filter(({ isAccepted }) => isAccepted)
  return [
    ...accepted.flatMap((connection, index) => problemsOf(connection, accepted[index - 1], skips)),
    ...connections.filter(({ will }) => will?.bdSeq === undefined).map(() => 'a CONNECT without a death'),
  ]
}

function problemsOf(
  { connect, will, sent }: WireConnection,
  before: WireConnection | undefined,
  skips: number,
): string[] {
  const problems: string[] = []
  const number = will?.bdSeq ?? -1
  const say = (isRight: boolean, problem: string) => {
    if (!isRight) problems.push(`connection ${number}: ${problem}`)
  }
  say(connect.clean === true, 'not a clean session')
  say(will?.kind === 'NDEATH' && will.qos === 1 && will.retain === false, 'the will is no death')
  say(will?.seq === undefined, 'the will has a sequence number')
  const distance = (number - (before?.will?.bdSeq ?? 0) + 256) % 256
  // The edge node may not know of a connection that was cut at once.
  const least = skips > 0 && before && !before.sent.some(({ kind }) => kind === 'NBIRTH') ? 0 : 1
  if (before) say(distance >= least && distance <= 1 + skips, `follows ${before.will?.bdSeq ?? '?'}`)

  /** Names of metrics by device; the node itself is `''`. */
  const born = new Map<string, Set<string>>()
  let seq: number | undefined
  let isSubscribed = false
  let isDead = false
  for (const packet of sent) {
    if (packet.kind === 'subscribe') {
      isSubscribed ||= (packet as { topics: string[] }).topics.some((topic) => topic.includes('/NCMD/'))
      continue
    }
    if (packet.kind === 'disconnect') {
      say(isDead || (skips > 0 && born.size === 0), 'ended without a death')
      continue
    }
    const message = packet as SparkplugMessage
    say(message.qos === 0 && message.retain === false, `${message.topic} is retained or has a QoS`)
    if (message.kind === 'NDEATH') {
      say(message.bdSeq === number, `death ${message.bdSeq ?? '?'}`)
      isDead = true
      continue
    }
    say(!isDead, `${message.kind} after the death`)
    if (message.kind === 'NBIRTH') {
      say(isSubscribed, 'birth before the subscription')
      say(message.bdSeq === number, `birth ${message.bdSeq ?? '?'}`)
      say(message.seq === 0, `birth with the sequence number ${message.seq ?? '?'}`)
      born.clear()
      born.set('', namesOf(message))
      seq = 0
      continue
    }
    say(seq !== undefined, `${message.kind} before the birth`)
    seq = ((seq ?? 0) + 1) % 256
    say(message.seq === seq, `${message.kind} ${message.seq ?? '?'} instead of ${seq}`)
    const { device = '' } = message
    if (message.kind === 'DBIRTH') born.set(device, namesOf(message))
    else say(born.has(device), `${message.kind} of ${device}, which is not born`)
    for (const name of namesOf(message))
      say(born.get(device)?.has(name) === true, `${message.kind} with ${name}, which the birth lacks`)
    if (message.kind === 'DDEATH') born.delete(device)
  }
  return problems
}

const namesOf = ({ metrics }: SparkplugMessage) => new Set(metrics.map(({ name }) => String(name)))
