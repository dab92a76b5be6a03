/** Polls the words of a PLC, and writes those of the cell. */
import { startTimeout } from '../../kernel/timers'
import type { MapArea } from '../data/map'
import { checkOption, isWholeWithin, isWithin, PlcError } from '../plc-error'
import { type PlcClient, type PlcClientOptions, startPlcClient } from './client'
import type { ClientCounts } from './connection'
import { internalError } from './failures'
import { planReads, type ReadItem } from './plans'
import type { CellWord } from '../rows'
import type { PlcProtocol, ReadRequest } from './protocol'
import { type WordWriter, wordWriter } from './write-words'

/** Which words of which PLC are polled, and how often. */
export interface PolledPlcOptions<Own = never> extends PlcClientOptions<Own> {
  /** The PLC's words; those that ask for something `first`. The cell's own are read back, where they are listed. */
  reads: readonly ReadItem[]
  /** Milliseconds from one poll to the next. @default 50 */
  interval?: number
  /** Most addresses between two wanted ones that are read along. @default 16 */
  gap?: number
}

/** What one poll has read. */
export interface PolledWords {
  /** Missing for what was not polled. */
  value: (area: MapArea, address: number) => number | undefined
  /**
   * The cell's own words at the PLC: as they were written, all 0 although they were not written so, or different in
   * another way; unknown where none is read back, or none has been confirmed yet.
   */
  own: 'written' | 'zero' | 'different' | 'unknown'
}

export interface PolledPlcEvents {
  onSample: (words: PolledWords) => void
  /** The PLC answers on a new connection; nothing is known of what stands in it. */
  onUp?: () => void
  /** The connection was lost or could not be made: each time. */
  onDown?: (error: PlcError) => void
  /** The same for people: each cause once, until a connection has lasted. */
  onNotice?: (error: PlcError) => void
  /** The PLC refuses a poll, or leaves one unanswered; again only where the reason is another. */
  onFault?: (error: PlcError) => void
}

/** A PLC whose words are polled and written. */
export interface PolledPlc {
  readonly isUp: boolean
  readonly counts: Readonly<ClientCounts>
  readonly measured: MeasuredInterval
  /** Milliseconds to an answer, the median of the last ones; missing before the first. */
  readonly responseTime: number | undefined
  write: WordWriter['write']
  forget: WordWriter['forget']
  close: () => Promise<void>
}

/** Begins to poll, and goes on after each loss of the connection. @throws PlcError `INVALID_INPUT` */
export function pollPlc<Own>(
  { reads, interval = 50, gap = 16, ...options }: PolledPlcOptions<Own>,
  { onSample, onUp, onDown, onNotice, onFault }: PolledPlcEvents,
): PolledPlc {
  checkOption('interval', interval, isWithin(interval, 1, 3_600_000), '1 ms to 1 h')
  checkOption('gap', gap, isWholeWithin(gap, 0, 120), '0 to 120')
  let fault: string | undefined
  const { protocol } = options
  const client = startPlcClient(options, {
    onOpen: () => {
      if (!client.isUp) reader.plan()
    },
    onUp: () => {
      writer.forget()
      onUp?.()
    },
    onDown: (error) => onDown?.(error),
    onNotice: (error) => onNotice?.(error),
  })
  const writer = wordWriter(client, protocol)
  const isOpen = () => client.isOpen
  const reader = wordReader({ client, protocol, writer, items: reads, gap })

  const polling = startPolling(async () => {
    if (!isOpen()) return
    try {
      if (!client.isUp) await reader.ask()
      const words = await reader.read()
      fault = undefined
      onSample(words)
    } catch (error) {
      const failure = internalError(error)
      // The loss of the connection is told by the client itself.
      if (!isOpen() || fault === failure.key) return
      fault = failure.key
      onFault?.(failure)
    }
  }, interval)

  return {
    get isUp() {
      return client.isUp
    },
    counts: client.counts,
    get measured() {
      return polling.measured
    },
    get responseTime() {
      return client.responseTime
    },
    write: (words: readonly CellWord[]) => writer.write(words),
    forget: () => writer.forget(),
    close: () => {
      polling.stop()
      return client.close()
    },
  }
}

interface ReaderOptions<Own> {
  client: PlcClient<Own>
  protocol: PlcProtocol<Own>
  writer: WordWriter
  items: readonly ReadItem[]
  gap: number
}

/** What one request reads, one after the other. */
type ReadGroup = readonly [ReadRequest, ...ReadRequest[]]

/** Reads the wanted words, with as few requests as the PLC takes. */
function wordReader<Own>({ client, protocol, writer, items, gap }: ReaderOptions<Own>) {
  const planned = (some: readonly ReadItem[], most: number) => planReads(some, protocol.most.read, most)
  let groups: ReadGroup[] = []

  const requestOf = (group: ReadGroup) => (group.length === 1 ? group[0] : protocol.joined?.(group))

  function plan(): void {
    groups = []
    for (const request of planned(items, gap)) {
      const last = groups.at(-1)
      const joined: ReadGroup | undefined = last && [...last, request]
      if (joined && requestOf(joined)) groups[groups.length - 1] = joined
      else groups.push([request])
    }
  }

  /** Each alone, and without the addresses in between, which do not exist everywhere. */
  const partsOf = (group: ReadGroup): ReadGroup[] =>
    group
      .flatMap(({ area, address, count }) =>
        planned(
          items.filter(
            (item) => item.area === area && item.address >= address && item.address < address + count,
          ),
          0,
        ),
      )
      .map((request) => [request])

  const send = (group: ReadGroup) => client.request(requestOf(group) ?? group[0])

  /** @returns undefined where the request has been replaced by its parts */
  async function ask(group: ReadGroup): Promise<number[] | undefined> {
    try {
      return await send(group)
    } catch (error) {
      const parts = error instanceof PlcError && protocol.splitsAfter(error) ? partsOf(group) : []
      const place = groups.indexOf(group)
      if (parts.length < 2 || place < 0) throw error
      groups.splice(place, 1, ...parts)
      return undefined
    }
  }

  plan()
  return {
    /** For a new connection, which may agree upon other limits. */
    plan,
    /** Whether a PLC answers at all: what it says is read anew, after what is written at first. */
    ask: async () => {
      const [first] = groups
      if (!first) return
      await send(first).catch((error: unknown) => {
        // A refusal is an answer.
        if (!client.isUp) throw error
      })
    },
    /** One after the other, in the order of the plan. */
    read: async (): Promise<PolledWords> => {
      const words = new Map<string, number>()
      let compared = 0
      let different = 0
      let zeros = 0
      for (let place = 0; place < groups.length; place++) {
        const group = groups[place] as ReadGroup
        const values = await ask(group)
        if (!values) {
          place--
          continue
        }
        let next = 0
        for (const { area, address: first, count } of group)
          for (let address = first; address < first + count; address++) {
            const value = values[next++] ?? 0
            words.set(`${area} ${address}`, value)
            // Compared at once: no write can have been confirmed since the reading was sent.
            const written = writer.known(area, address)
            if (written === undefined) continue
            compared++
            if (written !== value) different++
            if (value === 0) zeros++
          }
      }
      return {
        value: (area, address) => words.get(`${area} ${address}`),
        own: ownWords(compared, different, zeros),
      }
    },
  }
}

function ownWords(compared: number, different: number, zeros: number): PolledWords['own'] {
  if (compared === 0) return 'unknown'
  if (different === 0) return 'written'
  return zeros === compared ? 'zero' : 'different'
}

/** How the interval was kept, milliseconds, over the last polls. */
export interface MeasuredInterval {
  /** Missing before the second poll. */
  mean?: number
  /** The longest; a pulse of the PLC that is shorter may be missed. */
  longest?: number
  /** Intervals that passed without a poll, because the one before had not ended. Since the start. */
  skipped: number
}

interface Polling {
  readonly measured: MeasuredInterval
  /** No further poll begins. */
  stop: () => void
}

const remembered = 100

/**
 * Calls again and again at whole multiples of an interval after the start, by the monotonic clock: neither delays nor
 * early timers add up. While a call has not ended, its intervals pass without another.
 * @param poll reports its failures itself
 */
export function startPolling(poll: () => Promise<void>, interval: number): Polling {
  const started = performance.now()
  const intervals: number[] = []
  let begun: number | undefined
  let slot = 0
  let skipped = 0
  let isStopped = false
  let timer = startTimeout(run, 0)

  function run(): void {
    const now = performance.now()
    if (begun !== undefined) intervals.push(now - begun)
    if (intervals.length > remembered) intervals.shift()
    begun = now
    poll().then(next, next)
  }

  function next(): void {
    if (isStopped) return
    const now = performance.now() - started
    // A timer may fire a little early: the slot that has just been used does not come again.
    const following = Math.max(slot + 1, Math.ceil(now / interval))
    skipped += following - slot - 1
    slot = following
    timer = startTimeout(run, slot * interval - now)
  }

  return {
    get measured() {
      if (!intervals.length) return { skipped }
      const mean = intervals.reduce((sum, each) => sum + each, 0) / intervals.length
      return { mean, longest: Math.max(...intervals), skipped }
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
