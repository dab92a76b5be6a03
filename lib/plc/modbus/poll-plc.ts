import { startTimeout } from '../../kernel/timers'
import { checkOption, isWholeWithin, isWithin, PlcError } from '../plc-error'
import { type CellWord, type RowGroup, type SharedArea, writingOrder } from '../rows'
import { type ClientCounts, type ModbusClient, type ModbusClientOptions, startModbusClient } from './client'
import {
  exceptions,
  type ModbusArea,
  modbusError,
  mostItems,
  type ReadRequest,
  type WriteRequest,
} from './frames'

/** Which words of which PLC are polled, and how often. */
export interface PolledPlcOptions extends ModbusClientOptions {
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
  value: (area: ModbusArea, address: number) => number | undefined
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

/** A PLC whose words are polled and written over Modbus TCP. */
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
export function pollPlc(
  { reads, interval = 50, gap = 16, ...options }: PolledPlcOptions,
  { onSample, onUp, onDown, onNotice, onFault }: PolledPlcEvents,
): PolledPlc {
  checkOption('interval', interval, isWithin(interval, 1, 3_600_000), '1 ms to 1 h')
  checkOption('gap', gap, isWholeWithin(gap, 0, 120), '0 to 120')
  let fault: string | undefined
  const client = startModbusClient(options, {
    onUp: () => {
      writer.forget()
      onUp?.()
    },
    onDown: (error) => onDown?.(error),
    onNotice: (error) => onNotice?.(error),
  })
  const writer = wordWriter(client)
  const isOpen = () => client.isOpen
  const reader = wordReader(client, writer, reads, gap)

  const polling = startPolling(async () => {
    if (!isOpen()) return
    try {
      if (!client.isUp) await reader.ask()
      const words = await reader.read()
      fault = undefined
      onSample(words)
    } catch (error) {
      const failure = error instanceof PlcError ? error : internal(error)
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

/** Reads the wanted words, with as few requests as the PLC takes. */
function wordReader(client: ModbusClient, writer: WordWriter, items: readonly ReadItem[], gap: number) {
  const requests = planReads(items, gap)

  /** Without the addresses in between, which do not exist everywhere. */
  const partsOf = ({ area, address, count }: ReadRequest): ReadRequest[] =>
    planReads(
      items.filter((item) => item.area === area && item.address >= address && item.address < address + count),
      0,
    )

  /** @returns undefined where the request has been replaced by its parts */
  async function ask(request: ReadRequest, place: number): Promise<number[] | undefined> {
    try {
      return await client.request(request)
    } catch (error) {
      const parts = isRefused(error, exceptions.illegalAddress) ? partsOf(request) : []
      if (parts.length < 2) throw error
      requests.splice(place, 1, ...parts)
      return undefined
    }
  }

  return {
    /** Whether a PLC answers at all: what it says is read anew, after what is written at first. */
    ask: async () => {
      const [first] = requests
      if (!first) return
      await client.request(first).catch((error: unknown) => {
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
      for (let place = 0; place < requests.length; place++) {
        const request = requests[place] as ReadRequest
        const values = await ask(request, place)
        if (!values) {
          place--
          continue
        }
        values.forEach((value, index) => {
          const { area } = request
          const address = request.address + index
          words.set(`${area} ${address}`, value)
          // Compared at once: no write can have been confirmed since the reading was sent.
          const written = area === 'registers' || area === 'coils' ? writer.known(area, address) : undefined
          if (written === undefined) return
          compared++
          if (written !== value) different++
          if (value === 0) zeros++
        })
      }
      return {
        value: (area, address) => words.get(`${area} ${address}`),
        own: ownWords(compared, different, zeros),
      }
    },
  }
}

const isRefused = (error: unknown, exception: number): boolean =>
  error instanceof PlcError && error.cause?.exception === exception

function ownWords(compared: number, different: number, zeros: number): PolledWords['own'] {
  if (compared === 0) return 'unknown'
  if (different === 0) return 'written'
  return zeros === compared ? 'zero' : 'different'
}

const internal = (error: unknown): PlcError => {
  const reason = error instanceof Error ? error.message : String(error)
  return modbusError({ code: 'INTERNAL', key: 'modbus-internal', values: { reason } })
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

/** One item that is to be read. */
export interface ReadItem {
  area: ModbusArea
  address: number
  /** Is read before the others: what is asked for must not be older than what belongs to it. @default false */
  first?: boolean
}

/**
 * As few requests as the limits of Modbus allow.
 * @param gap most items between two wanted ones that are read along; 0 where a PLC refuses addresses in between
 */
export function planReads(items: readonly ReadItem[], gap = 16): ReadRequest[] {
  const planned: { request: ReadRequest; first: boolean }[] = []
  for (const { area, address, first = false } of [...items].sort(byReadPlace)) {
    const last = planned.at(-1)
    const count = last ? address - last.request.address + 1 : 0
    const fits = last?.request.area === area && count <= mostItems.read[area]
    if (last && fits && count - last.request.count <= gap + 1) {
      last.request.count = count
      last.first ||= first
    } else planned.push({ request: { kind: 'read', area, address, count: 1 }, first })
  }
  return planned.sort((one, other) => Number(other.first) - Number(one.first)).map(({ request }) => request)
}

const byReadPlace = (one: ReadItem, other: ReadItem): number =>
  one.area === other.area ? one.address - other.address : one.area < other.area ? -1 : 1

/** Keeps the PLC's copy of the cell's words as they should be. */
interface WordWriter {
  /**
   * Writes what is not at the PLC already, results before state. Each write ends before the next begins: flags that are
   * taken back first must not come together with the results after them.
   * @returns when these words are at the PLC
   * @throws PlcError of the first request that failed; `BUSY` where too many writes wait
   */
  write: (words: readonly CellWord[]) => Promise<void>
  /** The value that the PLC has confirmed; missing where that is unknown. */
  known: (area: SharedArea, address: number) => number | undefined
  /** Everything is written again the next time: the PLC's memory may be another. */
  forget: () => void
}

interface WaitingWrite {
  words: readonly CellWord[]
  /** Those who wait for it; several where a newer one has replaced an older one. */
  ended: { resolve: () => void; reject: (error: unknown) => void }[]
}

/** A handshake waits for its PLC: more changes than these never wait for a PLC that answers. */
const mostWaiting = 64

function wordWriter(client: ModbusClient): WordWriter {
  const known = new Map<string, number>()
  const waiting: WaitingWrite[] = []
  let sending: readonly CellWord[] | undefined

  /** How many items go into a request, for memory whose PLC has the function for that alone. */
  const only = new Map<SharedArea, 'one' | 'several'>()

  async function send(words: readonly CellWord[]): Promise<void> {
    const tried = new Set<SharedArea>()
    for (;;) {
      const refused = await sendAll(words)
      if (!refused) return
      const { area, values, several } = refused.request
      if (tried.has(area)) throw refused.error
      tried.add(area)
      only.set(area, values.length > 1 || several ? 'one' : 'several')
    }
  }

  /** @returns the request whose function the PLC does not have: nothing of it is done */
  async function sendAll(
    words: readonly CellWord[],
  ): Promise<{ request: WriteRequest; error: unknown } | undefined> {
    const isChanged = ({ area, address, value }: CellWord) => known.get(keyOf(area, address)) !== value
    for (const planned of planWrites(words, isChanged, (area) => only.get(area) === 'one')) {
      const request = { ...planned, ...(only.get(planned.area) === 'several' && { several: true }) }
      const isUrgent = words.some(
        (word) =>
          word.group !== 'life' &&
          word.area === request.area &&
          word.address >= request.address &&
          word.address < request.address + request.values.length &&
          isChanged(word),
      )
      const keys = request.values.map((_, index) => keyOf(request.area, request.address + index))
      // Until it is confirmed nobody knows what stands there.
      for (const key of keys) known.delete(key)
      try {
        await client.request(request, { isUrgent })
      } catch (error) {
        if (isRefused(error, exceptions.illegalFunction)) return { request, error }
        throw error
      }
      keys.forEach((key, index) => known.set(key, request.values[index] ?? 0))
    }
    return undefined
  }

  function proceed(): void {
    const { words, ended = [] } = waiting.shift() ?? {}
    sending = words
    if (!words) return
    send(words)
      .then(
        () => ended.forEach(({ resolve }) => resolve()),
        (error: unknown) => ended.forEach(({ reject }) => reject(error)),
      )
      .then(proceed, proceed)
  }

  return {
    write: (words) =>
      new Promise((resolve, reject) => {
        const last = waiting.at(-1)
        const before = waiting.at(-2)?.words ?? sending
        // Beats do not queue up behind a PLC that answers slowly, and no change waits for one: it gets the newest.
        if (last && (isOnlyLife(last.words, words) || (before && isOnlyLife(before, last.words)))) {
          last.words = words
          last.ended.push({ resolve, reject })
          return
        }
        if (waiting.length === mostWaiting)
          throw modbusError({ code: 'BUSY', key: 'modbus-writes', values: { limit: mostWaiting } })
        waiting.push({ words, ended: [{ resolve, reject }] })
        if (!sending) proceed()
      }),
    known: (area, address) => known.get(keyOf(area, address)),
    forget: () => known.clear(),
  }
}

const keyOf = (area: SharedArea, address: number) => `${area} ${address}`

/** Whether the second differs from the first by its life signal alone, or not at all. */
const isOnlyLife = (one: readonly CellWord[], other: readonly CellWord[]): boolean =>
  one.length === other.length &&
  other.every((word, index) => {
    const before = one[index]
    return (
      before?.area === word.area &&
      before.address === word.address &&
      (word.group === 'life' || before.value === word.value)
    )
  })

/**
 * As few requests as possible that bring what changed, and results before the state that makes them valid: in one request
 * where all stand beside each other, otherwise each is to be sent when the one before it was answered. What stands between
 * two changed words is written along.
 * @param isChanged whether a word must be written @default all must
 */
export function planWrites(
  words: readonly CellWord[],
  isChanged: (word: CellWord) => boolean = () => true,
  isSingle: (area: SharedArea) => boolean = () => false,
): WriteRequest[] {
  const runs = runsOf([...words].sort(byPlace), isSingle).sort(byRank)
  const ordered = isInOrder(runs)
    ? runs
    : writingOrder.flatMap((group) => runsOf(ofGroup(words, group), isSingle))
  return ordered.flatMap((run) => {
    const changed = run.slice(run.findIndex(isChanged), run.findLastIndex(isChanged) + 1)
    const [first] = changed
    if (!first) return []
    const { area, address } = first
    return [{ kind: 'write', area, address, values: changed.map(({ value }) => value) }]
  })
}

/** Words beside each other, as many as fit into one request. */
type Run = [CellWord, ...CellWord[]]

function runsOf(sorted: readonly CellWord[], isSingle: (area: SharedArea) => boolean): Run[] {
  const runs: Run[] = []
  for (const word of sorted) {
    const last = runs.at(-1)
    const isNext = last?.[0].area === word.area && last[0].address + last.length === word.address
    const hasRoom = last && !isSingle(word.area) && last.length < mostItems.write[word.area]
    if (isNext && hasRoom) last.push(word)
    else runs.push([word])
  }
  return runs
}

const ofGroup = (words: readonly CellWord[], group: RowGroup) =>
  words.filter((word) => word.group === group).sort(byPlace)

const ranks: readonly RowGroup[] = writingOrder

/** The life signal belongs to no result, and may come at any time. */
const ranksIn = (run: Run) =>
  run.filter(({ group }) => group !== 'life').map(({ group }) => ranks.indexOf(group))

const lowest = (run: Run) => Math.min(...ranksIn(run), Infinity)

const highest = (run: Run) => (lowest(run) === Infinity ? Infinity : Math.max(...ranksIn(run)))

/** No word comes after one that it must come before. */
const isInOrder = (runs: readonly Run[]): boolean =>
  runs.every((run, index) => {
    const before = runs[index - 1]
    return before === undefined || highest(before) <= lowest(run)
  })

const byRank = (one: Run, other: Run) => (highest(one) <= highest(other) ? -1 : 1)

const byPlace = (one: CellWord, other: CellWord): number =>
  one.area === other.area ? one.address - other.address : one.area < other.area ? -1 : 1
