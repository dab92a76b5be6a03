import { median, type BenchRow } from '../row'

const rounds = 31
/** Long enough for the clock, short enough that fluctuations affect all sides alike. */
const roundSeconds = 0.008

/** Work per second, beside others in the same rounds. */
export function compared(
  what: string,
  ours: () => unknown,
  others: Record<string, () => unknown>,
): BenchRow[] {
  const all = [ours, ...Object.values(others)]
  const calls = all.map(callsPerRound)
  const rates = all.map((): number[] => [])
  for (let round = 0; round < rounds; round++)
    for (const [side, work] of all.entries()) rates[side]?.push(perSecond(work, calls[side] as number))
  const own = rates[0] as number[]
  return Object.keys(others).map((against, index) => ({
    what,
    value: median(own),
    unit: 'messages/s',
    against,
    ratio: median(own.map((rate, round) => rate / (rates[index + 1]?.[round] as number))),
  }))
}

/** Also warms up the work. */
function callsPerRound(work: () => unknown): number {
  perSecond(work, 2000)
  return Math.ceil(roundSeconds * perSecond(work, 1000))
}

function perSecond(work: () => unknown, calls: number): number {
  const started = process.hrtime.bigint()
  for (let call = 0; call < calls; call++) work()
  return (calls * 1e9) / Number(process.hrtime.bigint() - started)
}

export function each<T>(items: readonly T[], work: (item: T) => unknown): () => unknown {
  let next = 0
  return () => work(items[next++ % items.length] as T)
}
