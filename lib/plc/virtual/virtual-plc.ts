/** A PLC that is played here, in memory of its own or in that of the cell. */
import { awaitedLater, orUndefined, Scope, settled } from '../../kernel/scope'
import { sleep, startTimeout } from '../../kernel/timers'
import { planReads, type PlcClientOptions, type ReadItem, startPlcClient } from '../client'
import type { OpenMap } from '../data'
import { isBitArea, type MapArea, type Slot, type WordOrder } from '../data/map'
import { fromWords, type MapBlock } from '../data/open-map'
import type { Family } from '../families'
import { startS7Server } from '../s7'
import { startSlmpServer, type SlmpServerOptions } from '../slmp'
import { modbusLimits, modbusProtocol, type ModbusServerOptions, startModbusServer } from '../modbus'
import type { CellWord, PlcInputs, RowName } from '../rows'

/** What the PLC reads of the cell: bits and numbers by their rows; of a pose the numbers in the order of the map. */
export type CellRead = Readonly<Partial<Record<RowName, boolean | number | readonly number[]>>>

/** Rows that ask for something: what belongs to it is to stand by then. */
const asking: ReadonlySet<RowName> = new Set(['trigger', 'sequence', 'command'])

/** The words of the PLC's own rows, in the order in which they are to be written. */
export function plcWords({ slots, plcWords: words }: OpenMap, inputs: PlcInputs): CellWord[] {
  const asks = ({ area, address }: CellWord) =>
    slots.some(
      (slot) =>
        asking.has(slot.row) &&
        isBitArea(slot.area) === isBitArea(area) &&
        isWithin(address, slot.address ?? 0, slot.words),
    )
  return words(inputs).sort((one, other) => Number(asks(one)) - Number(asks(other)))
}

const isWithin = (address: number, first: number, count: number) =>
  address >= first && address < first + count

/** A REAL has about 7 digits. */
const tidy = (value: number) => Number(value.toPrecision(7))

/** What the cell's words say; poses in the units of the map, as a PLC has them. */
export function cellRead({ slots }: OpenMap, order: WordOrder, valueAt: ValueAt): CellRead {
  const read = fromWords(valueAt, order)
  const found: Partial<Record<RowName, boolean | number | number[]>> = {}
  for (const slot of slots) {
    const value = slot.meaning.from === 'cell' ? read(slot) : undefined
    if (value === undefined) continue
    const before = found[slot.row]
    if (slot.row !== 'pose') found[slot.row] = value
    else found.pose = [...(Array.isArray(before) ? before : []), tidy(Number(value) * slot.factor)]
  }
  return found
}

/** A PLC asks in every cycle of its program; this often, in milliseconds, is enough to show the cell that it is there. */
const idleInterval = 1000

type CellMemoryOptions = Omit<PlcClientOptions, 'protocol'> & Pick<ModbusServerOptions, 'unit'>

/** The words in the memory of a cell that is a Modbus server. @throws PlcError `INVALID_INPUT` for an option */
export function cellMemory(options: CellMemoryOptions, { slots }: OpenMap): PlcMemory {
  const client = startPlcClient({ ...options, protocol: modbusProtocol(options) })
  const requests = planReads(slots.flatMap(itemsOf), modbusLimits.read)
  let askedAt = -Infinity
  const read = async (): Promise<ValueAt> => {
    const words: number[][] = []
    for (const request of requests) {
      askedAt = performance.now()
      words.push(await client.request(request))
    }
    return (area, address) => {
      const place = requests.findIndex(
        (each) => each.area === area && address >= each.address && address < each.address + each.count,
      )
      return words[place]?.[address - (requests[place]?.address ?? 0)]
    }
  }
  const scope = new Scope()
  scope.begin(async ({ signal }) => {
    for (;;) {
      await sleep(idleInterval, signal)
      // A cell that is gone answers the next trigger.
      if (performance.now() - askedAt >= idleInterval) await orUndefined(read())
    }
  })
  return {
    opened: Promise.resolve(),
    get isOpen() {
      return client.isOpen
    },
    read,
    write: async (words) => {
      for (const { area, address, value } of words)
        await client.request({ kind: 'write', area, address, values: [value] })
    },
    close: async () => {
      scope.abort()
      await client.close()
      await scope.close()
    },
  }
}

/** The state before the results: what it says of them is then true of those that are read after it. */
const itemsOf = ({ area, address, words, meaning }: Slot): ReadItem[] =>
  address === undefined
    ? []
    : Array.from({ length: words }, (_, offset) => ({
        area,
        address: address + offset,
        first: meaning.group === 'state' || meaning.group === 'echo',
      }))

export interface VirtualPlcOptions extends CellMemoryOptions {
  /** It is the server itself, and a cell on this computer polls it. @default the cell is the Modbus server that it connects to */
  serve?: StartPlcServer
  family: Family
  map: OpenMap
  order: WordOrder
  /** Milliseconds from one look at the cell's words to the next: the cycle of the PLC program. @default 10 */
  cycle?: number
  /**
   * Milliseconds for which it waits for *ready*, and for an answer that stands from before. Then it asks all the same: the code
   * of the answer says why. @default 2000
   */
  patience?: number
  /**
   * It triggers by itself: then *manual allowed* belongs to another client, an operator panel, and while it is set the
   * program yields. @default false, *manual allowed* is always set
   */
  automatic?: boolean
  /** Milliseconds that it stays as a server when it is closed, so that a cell can say its last words. @default 300 */
  farewell?: number
}

export interface TriggerOptions {
  /** Called when the request goes out. */
  asking?: () => void
  /** Ends with `YieldedToHand` as soon as *manual allowed* is set, and writes nothing any more. @default false */
  yields?: boolean
}

/** Somebody operates the cell by hand. */
export class YieldedToHand extends Error {
  override name = 'YieldedToHand'
}

/** What a PLC program has at the end of one trigger. */
export interface PlcAnswer {
  code: number
  done: boolean
  /** Milliseconds from setting the trigger to reading the answer. */
  milliseconds: number
  /** All that the PLC reads of the cell. */
  read: CellRead
}

/** Its PLC was restarted during the trigger. */
export class PlcRestarted extends Error {
  override name = 'PlcRestarted'
}

/** A PLC program that does its part of a handshake, as a Modbus client of the cell or in a server that the cell polls. */
export class VirtualPlc {
  readonly #options: VirtualPlcOptions
  readonly #memory: PlcMemory
  readonly #own: OwnMemory | undefined
  #inputs: PlcInputs
  #number = 0
  #running = new AbortController()

  constructor(options: VirtualPlcOptions) {
    this.#options = options
    const { serve, map, farewell } = options
    this.#own = serve && ownMemory(serve, map, farewell)
    this.#memory = this.#own ?? cellMemory(options, map)
    this.#inputs = this.#first()
  }

  #first(): PlcInputs {
    const { family, automatic } = this.#options
    return { ...(family.needsEnable && { enable: true }), manualAllowed: automatic !== true }
  }

  /** Resolves when the program can begin. @throws PlcError where its port cannot be opened */
  get opened(): Promise<void> {
    return this.#memory.opened
  }

  /**
   * One trigger from beginning to end: request, answer, release.
   * @throws PlcError where the cell cannot be reached, `YieldedToHand`, `PlcRestarted`, or `AbortError`
   */
  async trigger(
    job: number,
    aborted: AbortSignal,
    { asking = () => undefined, yields = false }: TriggerOptions = {},
  ): Promise<PlcAnswer> {
    const { family, patience = 2000 } = this.#options
    const signal = AbortSignal.any([aborted, this.#running.signal])
    const until = (isSo: (cell: CellRead) => boolean) => this.#until(isSo, yields, signal)
    await this.#connected(yields, signal)
    await this.#write({ job, ...this.#neutral() }, true)
    const waits = performance.now()
    const isLate = () => family.refusal === 'answer' && performance.now() - waits > patience
    const before = await until((cell) => (cell.ready === true && !this.#stands(cell)) || isLate())
    const began = performance.now()
    const { request, expected } = this.#request()
    asking()
    await this.#write(request)
    // An answer from before says nothing about this trigger; one that came between two looks is the new one by then.
    if (this.#stands(before))
      await until((cell) => !this.#stands(cell) || performance.now() - began > patience)
    const read = await until((cell) => this.#isAnswered(cell, expected))
    const milliseconds = performance.now() - began
    if (family.answerUntil === 'acknowledged') await this.#acknowledge(until)
    await this.#write({
      ...this.#neutral(),
      ...(family.answerUntil === 'acknowledged' && { resultsAck: false }),
    })
    const code = typeof read.code === 'number' ? read.code : 0
    return { code, done: read.error !== true && code === 0, milliseconds, read }
  }

  /** Missing where it is the client, or before it listens. */
  get server(): PlcServer | undefined {
    return this.#own?.server
  }

  /** The program begins anew, and so does its memory unless it is kept. A trigger under way ends with `PlcRestarted`. */
  async restart(keepsMemory: boolean): Promise<void> {
    this.#running.abort(new PlcRestarted())
    this.#running = new AbortController()
    if (!keepsMemory) {
      this.#number = 0
      this.#inputs = this.#first()
    }
    await this.server?.restart?.({ keepsMemory })
  }

  close(): Promise<void> {
    return this.#memory.close()
  }

  /** Until the cell has seen it: one that polls would miss a pulse. */
  async #acknowledge(until: (isSo: (cell: CellRead) => boolean) => Promise<CellRead>): Promise<void> {
    const { patience = 2000 } = this.#options
    await this.#write({ resultsAck: true })
    const began = performance.now()
    await until((cell) => !this.#isAnswered(cell) || performance.now() - began > patience)
  }

  /** A number asks by being another one; the others are reset. */
  #neutral(): PlcInputs {
    const { family } = this.#options
    if (family.request === 'sequence') return { sequence: this.#number }
    return family.request === 'trigger' ? { trigger: false } : { command: 0 }
  }

  #request(): { request: PlcInputs; expected?: number } {
    const { family } = this.#options
    if (family.request === 'trigger') return { request: { trigger: true } }
    if (family.request === 'command') return { request: { command: 4 }, expected: 4 }
    this.#number = (this.#number % 65_535) + 1
    return { request: { sequence: this.#number }, expected: this.#number }
  }

  /** @param expected number or command whose echo is awaited */
  #isAnswered(cell: CellRead, expected?: number): boolean {
    const { family } = this.#options
    if (family.request === 'sequence') return cell.sequenceEcho === expected
    if (expected !== undefined && cell.commandEcho !== expected) return false
    const isAnswer = cell.done === true || cell.error === true || cell.resultsValid === true
    return isAnswer && (family.busyUntilRelease || cell.busy !== true)
  }

  /** The answer of before is still there, and will be taken away. */
  #stands(cell: CellRead): boolean {
    return this.#options.family.answerUntil !== 'next-request' && this.#isAnswered(cell)
  }

  async #connected(yields: boolean, signal: AbortSignal): Promise<void> {
    await this.#memory.opened
    while (!this.#memory.isOpen) await sleep(this.#cycle, signal)
    // What the cell has from before, such as the number that it answered last.
    const read = await this.#read(yields)
    if (typeof read.sequenceEcho === 'number' && this.#number === 0) this.#number = read.sequenceEcho
  }

  async #until(isSo: (cell: CellRead) => boolean, yields: boolean, signal: AbortSignal): Promise<CellRead> {
    for (;;) {
      const read = await this.#read(yields)
      if (isSo(read)) return read
      await sleep(this.#cycle, signal)
    }
  }

  async #read(yields: boolean): Promise<CellRead> {
    const { map, order, automatic } = this.#options
    const valueAt = await this.#memory.read()
    const { manualAllowed } = map.readWords(valueAt)
    if (yields && manualAllowed) throw new YieldedToHand()
    // What another client has written stays.
    if (automatic) this.#inputs = { ...this.#inputs, manualAllowed: manualAllowed === true }
    return cellRead(map, order, valueAt)
  }

  /** @param all words that are as before too: a cell that has been started anew has none of them */
  async #write(inputs: PlcInputs, all = false): Promise<void> {
    const { map } = this.#options
    const before = all ? [] : plcWords(map, this.#inputs)
    this.#inputs = { ...this.#inputs, ...inputs }
    const isAsBefore = ({ area, address, value }: CellWord) =>
      before.some((word) => word.area === area && word.address === address && word.value === value)
    await this.#memory.write(plcWords(map, this.#inputs).filter((word) => !isAsBefore(word)))
  }

  get #cycle(): number {
    return this.#options.cycle ?? 10
  }
}

/** A register or coil as it was read; undefined for one that is not in the map. */
export type ValueAt = (area: MapArea, address: number) => number | undefined

/** The words that a PLC program works with, its own and those of the cell, wherever they are. */
export interface PlcMemory {
  /** Resolves when the program can begin. @throws PlcError where it cannot, such as a port that is taken */
  readonly opened: Promise<void>
  /** Whether a cell is there: it is connected, and where it reads memory of the PLC's own it has read. */
  readonly isOpen: boolean
  /** The words of the map; results are never older than the state that makes them valid. @throws PlcError */
  read: () => Promise<ValueAt>
  /** Writes one word after the other. @throws PlcError */
  write: (words: readonly CellWord[]) => Promise<void>
  /** Resolves when nothing is left. */
  close: () => Promise<void>
}

/** What a PLC of one protocol has, as a server on this computer. */
export interface PlcServer {
  readonly clients: readonly string[]
  /** `performance.now()` of the last request; `-Infinity` before the first. */
  readonly lastRequest: number
  /** As it is now; undefined for memory that it does not have. */
  read: (area: MapArea, address: number) => number | undefined
  set: (words: Iterable<CellWord>) => void
  /** Changes some of its faults; others stay. Missing where it has none. @throws PlcError `INVALID_INPUT` */
  fail?: (faults: Readonly<Record<string, unknown>>) => void
  readonly faults?: Readonly<Record<string, unknown>>
  /** Cuts all connections. */
  cut?: () => void
  /** Ends, and comes back with its memory or with zeros. */
  restart?: (options: { keepsMemory: boolean }) => Promise<void>
  close: () => Promise<void>
}

/** @throws PlcError where it cannot listen */
export type StartPlcServer = (
  map: OpenMap,
  events: { onClients: (clients: readonly string[]) => void },
) => Promise<PlcServer>

/** A Modbus server with the registers and coils of a map. */
export const modbusPlcServer =
  (options: Pick<ModbusServerOptions, 'host' | 'port' | 'unit'>): StartPlcServer =>
  async ({ blocks }, { onClients }) => {
    const server = await startModbusServer(
      { ...options, blocks: { registers: whole(blocks.registers), coils: whole(blocks.coils) } },
      { onWrite: () => undefined, onClients },
    )
    return {
      get clients() {
        return server.clients
      },
      get lastRequest() {
        return server.lastRequest
      },
      read: (area, address) => server.read(isBitArea(area) ? 'coils' : 'registers', address, 1)[0],
      set: (words) => server.set(words),
      close: () => server.close(),
    }
  }

/** An S7 server with the data blocks of a map. @param block of the registers */
export const s7PlcServer =
  ({ block, ...options }: { host: string; port: number; block: number }): StartPlcServer =>
  ({ slots }, events) => {
    const blocks: Record<number, number> = {}
    for (const { area, address = 0, words } of slots) {
      const number = area === 'registers' ? block : Number(/^words DB(\d+)$/.exec(area)?.[1])
      if (number) blocks[number] = Math.max(blocks[number] ?? 0, address + words)
    }
    return startS7Server({ ...options, block, blocks }, events)
  }

/** An SLMP server with the devices of a usual CPU. */
export const slmpPlcServer =
  (options: Pick<SlmpServerOptions, 'host' | 'port' | 'start' | 'transport'>): StartPlcServer =>
  (_map, events) =>
    startSlmpServer(options, events)

/** The words in memory of its own, all 0 at first: the PLC is the server, which a cell on this computer polls. */
export function ownMemory(start: StartPlcServer, map: OpenMap, farewell = 300): OwnMemory {
  let server: PlcServer | undefined
  let allLeft: () => void = () => undefined
  /** `performance.now()` when the last cell has left. */
  let leftAt = -Infinity
  const onClients = (clients: readonly string[]) => {
    if (clients.length > 0) return
    leftAt = performance.now()
    allLeft()
  }
  const opened = awaitedLater(
    start(map, { onClients }).then((started) => {
      server = started
    }),
  )
  const hasClients = () => server !== undefined && server.clients.length > 0

  return {
    opened,
    get isOpen() {
      return hasClients() && (server?.lastRequest ?? -Infinity) > leftAt
    },
    get server() {
      return server
    },
    read: async () => {
      await opened
      return (area, address) => server?.read(area, address)
    },
    write: async (words) => {
      await opened
      server?.set(words)
    },
    close: async () => {
      await settled(opened)
      if (hasClients()) {
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>((resolve) => {
          allLeft = resolve
          timer = startTimeout(resolve, farewell)
        })
        clearTimeout(timer)
      }
      await server?.close()
    },
  }
}

interface OwnMemory extends PlcMemory {
  /** Missing before it listens. */
  readonly server: PlcServer | undefined
}

/** From the first address to the last: a PLC has memory between two words too. Both sides may write it. */
function whole(blocks: readonly MapBlock[]) {
  if (blocks.length === 0) return []
  const address = Math.min(...blocks.map((each) => each.address))
  const end = Math.max(...blocks.map((each) => each.address + each.count))
  return [{ address, count: end - address, writable: true }]
}
