/** The connections of a cell: memory of its own, a PLC that is polled, messages of other nodes. */
import { startInterval, startTimeout } from '../../kernel/timers'
import { type PolledPlcOptions, type PolledWords, pollPlc } from '../client'
import type { OpenMap } from '../data'
import { isBitArea, type Slot } from '../data/map'
import type { Family } from '../families'
import {
  Delivery,
  faultInStatus,
  type Heard,
  messageForm,
  type MessageLink,
  type MessageProtocol,
  messagesError,
  type Reading,
  type WriteOutcome,
} from '../messages'
import {
  modbusError,
  type ModbusServerOptions,
  type ServedRead,
  type ServedWrite,
  startModbusServer,
} from '../modbus'
import { PlcError } from '../plc-error'
import type { CellOutputs, PlcInputs } from '../rows'
import type { HandshakeEvent } from '.'

/** Events of a connection to a PLC. */
export interface PortEvents {
  /** @param reason why it is down; what people should read is reported as a trouble */
  onLink: (up: boolean, reason?: PlcError) => void
  /**
   * A sample of the PLC's inputs, or a write of the PLC.
   * @param write where the memory is the cell's own: what set the words
   * @param kept whether the cell's own words still stand as they were written; undefined where nobody looked
   */
  onSample: (inputs: PlcInputs, kept: boolean | undefined, write?: PlcWrite) => void
  /** The PLC has read from memory of the cell's own. @param state the state, not other words alone */
  onRead?: (state: boolean) => void
  /** A problem that does not end the connection: a refused host, an unanswered poll. */
  onTrouble: (error: PlcError) => void
}

type PlcWrite = NonNullable<Extract<HandshakeEvent, { type: 'sample' }>['write']>

/** One connection to one PLC, whatever the protocol. */
export interface PlcPort {
  /**
   * Writes the cell's words, results before the state that makes them valid.
   * @param all everything, for a PLC whose memory is unknown
   * @returns when the PLC has them, or nothing more is known of it @throws PlcError
   */
  write: (outputs: CellOutputs, all: boolean) => Promise<WriteOutcome>
  /** Whether triggers are polled, instead of each write being reported. */
  readonly isPolled: boolean
  /** Whether the words are in the cell's own memory, where each write of the PLC is reported. */
  readonly isOwn: boolean
  /** Milliseconds after which a reader counts as silent, where it is one that answers rarely. */
  readonly silence?: number
  /** Figures for people; not secret. */
  readonly figures: PortFigures
  /** Resolves when nothing is left. */
  close: () => Promise<void>
}

export interface PortFigures {
  /** Addresses of the PLCs that are connected. */
  clients?: readonly string[]
  /** Where the server listens. */
  port?: number
  /** Hosts that were not allowed to connect. */
  refused?: number
  /** The last of them, newest first. */
  refusedHosts?: readonly string[]
  /** `performance.now()` of the PLC's last request, or of its last value that a reader brought. */
  heardAt?: number
  /** Milliseconds to an answer of the PLC, or until it reads back what was written. */
  responseTime?: number
  /** Milliseconds from one poll to the next, as measured. */
  poll?: { mean?: number; longest?: number; skipped: number }
}

const kept: Record<PolledWords['own'], boolean | undefined> = {
  written: true,
  zero: false,
  different: false,
  unknown: undefined,
}

/**
 * This computer connects to the PLC, polls its words and writes those of the cell. The cell's own are read back with each
 * poll: a PLC that has lost its memory shows by them.
 * @throws PlcError for a setting
 */
export function openClientPort<Own>(
  options: Omit<PolledPlcOptions<Own>, 'reads'>,
  map: OpenMap,
  { onLink, onSample, onTrouble }: PortEvents,
): PlcPort {
  const plc = pollPlc(
    { ...options, reads: map.reads },
    {
      onUp: () => onLink(true),
      onDown: (reason) => onLink(false, reason),
      onNotice: onTrouble,
      onSample: (words) =>
        onSample(
          map.readWords((area, address) => words.value(area, address)),
          kept[words.own],
        ),
      onFault: onTrouble,
    },
  )
  return {
    write: (outputs, all) => {
      if (all) plc.forget()
      return plc.write(map.words(outputs)).then(() => 'confirmed')
    },
    isPolled: true,
    isOwn: false,
    get figures() {
      const { measured, responseTime } = plc
      return { poll: measured, ...(responseTime !== undefined && { responseTime }) }
    },
    close: () => plc.close(),
  }
}

interface MessagePortOptions {
  protocol: MessageProtocol
  link: MessageLink
  /** The row without which nothing is known of the PLC. */
  request: Family['request']
  /** Milliseconds without a value of the PLC after which the reader counts as silent. @default 3000 */
  silent?: number
  /** Milliseconds from one read to the next, for a reader that is asked. @default 100 */
  interval?: number
  /** Milliseconds after which a read counts as lost that was not answered; longer for a reader that answers slowly. @default 1000 */
  answerWithin?: number
}

/** Milliseconds in which single values belong together: a server sends them in any order. */
const together = 20

/** The same after a start or a loss: earlier values arrive first, and are not executed. */
const settling = 500

/** Longest wait for the answer to a read, milliseconds. */
const longestAnswer = 30_000

/** Other nodes read the PLC and write to it; their messages pass through the link. */
export function openMessagePort(
  { protocol, link, request, silent = 3000, interval = 100, answerWithin = 1000 }: MessagePortOptions,
  map: OpenMap,
  { onLink, onSample, onTrouble }: PortEvents,
): PlcPort {
  const form = messageForm(map, protocol.by)
  const wanted = [...form.plcKeys, ...form.cellKeys]
  const isOfCell = new Set(form.cellKeys)
  const { values } = link
  let isUp = false
  let silence: NodeJS.Timeout | undefined
  let gathering: NodeJS.Timeout | undefined
  /** What has come one by one since the last look. */
  let gathered = new Map<string, unknown>()
  /** When the last read was asked for, and the first of those that were not answered. */
  let asked: { first: number; last: number } | undefined
  let patience = answerWithin
  /** What a broker kept from before says nothing about now. */
  let heardAt = -Infinity
  /** Why the last message could not be read, as it was reported. */
  let unreadable: string | undefined

  const delivery = new Delivery({
    steps: (items, isChanged) => protocol.write(items, isChanged),
    send: (message) => link.send(message),
    onTrouble,
  })

  function down(reason?: Parameters<typeof onLink>[1]): void {
    stopGathering()
    if (!isUp && !reason) return
    isUp = false
    delivery.lost()
    onLink(false, reason)
    if (reason) onTrouble(reason)
  }

  function listen(): void {
    clearTimeout(silence)
    silence = startTimeout(() => {
      const seconds = silent / 1000
      down(messagesError({ code: 'UNREACHABLE', key: 'messages-silent', values: { seconds, request } }))
    }, silent)
  }

  function stopGathering(): void {
    clearTimeout(gathering)
    gathering = undefined
    gathered = new Map()
  }

  function look(): void {
    const own = new Map([...gathered].filter(([key]) => isOfCell.has(key)))
    stopGathering()
    const inputs = form.inputs((key) => values.get(key))
    if (inputs[request] === undefined) return
    listen()
    // First: a later reading confirms what is written now.
    const kept = delivery.heard(own)
    if (!isUp) {
      isUp = true
      onLink(true)
    }
    onSample(inputs, kept)
  }

  function take({ values: read, complete, fresh }: Reading): void {
    if (fresh) down()
    heardAt = fresh ? -Infinity : performance.now()
    // A pulse between two looks must not vanish.
    const isPulse = [...read].some(([key, value]) => gathered.has(key) && gathered.get(key) !== value)
    if (isPulse && isUp) look()
    for (const [key, value] of read) {
      values.set(key, value)
      gathered.set(key, value)
    }
    const isWhole = complete || form.plcKeys.every((key) => read.has(key))
    if (isWhole && asked) {
      // Asked more often than it answers, a slow reader would fall behind more and more.
      patience = Math.min(longestAnswer, Math.max(answerWithin, 2 * (performance.now() - asked.first)))
      asked = undefined
    }
    // A server can call the value bad that asks: what it was before says nothing.
    if (isWhole && form.inputs((key) => read.get(key))[request] === undefined) return
    if (isWhole) look()
    else gathering ??= startTimeout(look, isUp ? together : settling)
  }

  function hear(message: object): Heard {
    const fault = faultInStatus(message)
    if (fault !== undefined) {
      if (fault && isUp)
        down(messagesError({ code: 'UNREACHABLE', key: 'messages-reader-fault', values: { text: fault } }))
      return 'status'
    }
    let reading: Reading | undefined
    try {
      reading = protocol.read(message, wanted)
    } catch (error) {
      if (!(error instanceof PlcError)) throw error
      // A reader repeats the same with each poll: one report is enough, until it has read something.
      if (unreadable !== error.key) onTrouble(error)
      unreadable = error.key
      return 'status'
    }
    if (!reading) return 'foreign'
    unreadable = undefined
    take(reading)
    return 'reading'
  }

  /** A message that cannot be read must not keep the cell from starting. */
  function readBefore(message: object): Reading | undefined {
    try {
      return protocol.read(message, wanted)
    } catch {
      return undefined
    }
  }

  function ask(): void {
    const now = performance.now()
    // A reader that is still connecting keeps what it is asked.
    if (asked && now < asked.last + patience) return
    asked = { first: asked?.first ?? now, last: now }
    const message = protocol.ask?.(wanted)
    if (message) link.send(message)
  }

  listen()
  // What has come before is one look: an edge in it was before the start.
  const readings = link.attach(hear).map(readBefore)
  for (const reading of readings) for (const [key, value] of reading?.values ?? []) values.set(key, value)
  if (readings.some((reading) => reading !== undefined)) look()
  const asking = protocol.ask ? startInterval(ask, interval) : undefined
  if (asking) ask()

  return {
    write: (outputs, all) => delivery.write(form.items(outputs), all),
    isPolled: false,
    isOwn: false,
    silence: silent,
    get figures() {
      const { responseTime } = delivery
      return {
        ...(Number.isFinite(heardAt) && { heardAt }),
        ...(responseTime !== undefined && { responseTime }),
      }
    },
    close: () => {
      link.detach(hear)
      clearTimeout(silence)
      clearInterval(asking)
      stopGathering()
      delivery.lost()
      return Promise.resolve()
    },
  }
}

export interface ServerPortOptions extends Omit<ModbusServerOptions, 'blocks'> {
  /** The row that asks: nothing is known of the PLC before it has been written. @default the one that the map has */
  request?: Family['request']
  /** Milliseconds without any connection after which the PLC is gone: some connect anew for every few requests. @default 10000 */
  absence?: number
}

/** Hosts that are not allowed, each reported once. */
const mostReported = 100

/** Refused hosts that are remembered. */
const mostRefused = 5

/**
 * The PLC connects to this computer, writes its words and reads those of the cell. Each write is one look, in order: nothing
 * that the PLC wrote is missed between two looks. The link is up while a PLC is connected. The memory begins with what the PLC
 * had written before the start.
 * @throws PlcError where the server cannot listen
 */
export async function openServerPort(
  { absence = 10_000, request, ...options }: ServerPortOptions,
  map: OpenMap,
  { onLink, onSample, onRead, onTrouble }: PortEvents,
  known: PlcInputs = {},
): Promise<PlcPort> {
  let isUp = false
  /** Address of the PLC that asks. */
  let plc: string | undefined
  let absenceTimer: NodeJS.Timeout | undefined
  const reported = new Set<string>()
  let refusedHosts: readonly string[] = []

  const look = (write: PlcWrite) =>
    onSample(
      map.readWords((area, address) => server.read(isBitArea(area) ? 'coils' : 'registers', address, 1)[0]),
      true,
      write,
    )
  const link = (up: boolean) => {
    if (up === isUp) return
    isUp = up
    onLink(up)
    if (up) look({ request: false, connection: 0 })
  }
  const asking = slotsOf(map, request ? [request] : ['sequence', 'trigger', 'command'])
  const asks = ({ values, ...write }: ServedWrite) => overlap(asking, { ...write, count: values.length })
  const states = map.slots.filter(({ meaning }) => meaning.group === 'state' || meaning.group === 'echo')
  const server = await startModbusServer(
    { ...options, blocks: map.blocks },
    {
      onWrite: (write, connection) => {
        const isRequest = asks(write)
        if (isRequest) plc = write.client
        look({ request: isRequest, connection })
      },
      // Another client does not read for the PLC.
      onRead: (read) => onRead?.((plc ?? read.client) === read.client && overlap(states, read)),
      onClients: (clients) => {
        clearTimeout(absenceTimer)
        if (clients.length === 0) absenceTimer = startTimeout(() => link(false), absence)
        else link(true)
      },
      onRefused: (address) => {
        refusedHosts = [address, ...refusedHosts.filter((each) => each !== address)].slice(0, mostRefused)
        if (reported.size === mostReported || reported.has(address)) return
        reported.add(address)
        onTrouble(modbusError({ code: 'INVALID_INPUT', key: 'modbus-host-refused', values: { address } }))
      },
      onError: onTrouble,
    },
  )
  server.set(map.plcWords(known))
  return {
    write: (outputs) => {
      server.set(map.words(outputs))
      return Promise.resolve('unconfirmed')
    },
    isPolled: false,
    isOwn: true,
    get figures() {
      const { clients, port, counts, lastRequest } = server
      return {
        clients,
        port,
        refused: counts.refused,
        refusedHosts,
        ...(Number.isFinite(lastRequest) && { heardAt: lastRequest }),
      }
    },
    close: () => server.close().finally(() => clearTimeout(absenceTimer)),
  }
}

/** The values of the first of these rows that the map has. */
const slotsOf = ({ slots }: OpenMap, wanted: readonly Family['request'][]) =>
  wanted.map((each) => slots.filter(({ row }) => row === each)).find((found) => found.length > 0) ?? []

const overlap = (slots: readonly Slot[], items: Omit<ServedRead, 'client'>) =>
  slots.some(
    (slot) =>
      isBitArea(slot.area) === (items.area === 'coils') &&
      slot.address !== undefined &&
      items.address < slot.address + slot.words &&
      slot.address < items.address + items.count,
  )
