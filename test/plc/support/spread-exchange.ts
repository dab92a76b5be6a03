import { openMap, type PlcMap } from '../../../lib/plc/data'
import type { MapLine } from '../../../lib/plc/data'
import type { Family } from '../../../lib/plc/families'
import { createHandshake, type Effect } from '../../../lib/plc/handshake'
import { writeProgram, type ProgramLanguage } from '../../../lib/plc/program'
import { writingOrder } from '../../../lib/plc/rows'
import type { Random } from '../handshake/model/random'
import { watchStarts } from './start-ledger'
import { runProgram } from './structured-text'

/** Milliseconds between two calls of the block. */
const scanTime = 10

/** How words travel: all of one side in one request, or one word per scan in some order. */
export type Way = 'together' | 'ascending' | 'descending' | 'shuffled'

/**
 * The map of a family with what tells the results of different starts apart: argument 1 of the request, which comes back as the
 * property `payload.id`. Words of the cell stand apart from those of the PLC.
 */
export function numberedMap(family: Family): PlcMap {
  const isPlcs = ({ row }: MapLine) =>
    openMap({ lines: family.map }).slots.find((slot) => slot.row === row)?.meaning.from === 'plc'
  const own = family.map.filter(isPlcs)
  const cells = family.map.filter((line) => !isPlcs(line) && line.row !== 'pose')
  const end = (lines: readonly MapLine[]) => Math.max(...lines.map((line) => line.address ?? 0)) + 2
  const asks: MapLine[] = own.some(({ row }) => row === 'argument')
    ? [...own]
    : [...own, { row: 'argument', index: 1, address: end(own), type: 'DINT' }]
  const shifted = cells.map((line) => ({ ...line, address: line.address + 12 }))
  return {
    lines: [
      ...asks,
      ...shifted,
      { row: 'property', path: 'payload.id', address: end(shifted), type: 'DINT' },
    ],
  }
}

/**
 * The generated block and the cell's state machine, with the words under way between them: the PLC reads and writes memory of
 * the cell (`server`), or the cell reads and writes memory of the PLC (`client`).
 */
export function spreadExchange(
  family: Family,
  {
    mode,
    way,
    language,
    random,
    workTime = 40,
  }: { mode: 'server' | 'client'; way: Way; language: ProgramLanguage; random: Random; workTime?: number },
) {
  const map = numberedMap(family)
  const source = writeProgram(map, family, language)
  const opened = openMap(map)
  const firstOf = (side: string) =>
    Number(new RegExp(`^// ${side}Cell: \\d+ registers from (\\d+)`, 'm').exec(source)?.[1])
  const [toCell, fromCell] = [firstOf('to'), firstOf('from')]
  const askedAt = opened.slots.find(({ row }) => row === family.request)?.address
  const rankAt = new Map(
    opened.slots.map(({ address = 0, meaning }) => [
      address,
      writingOrder.findIndex((group) => group === meaning.group),
    ]),
  )

  const stateAt = new Set(
    opened.slots
      .filter(({ meaning }) => meaning.group === 'state' || meaning.group === 'echo')
      .map(({ address }) => address),
  )

  let now = 0
  let tokens = 0
  let connection = 1
  let isUp = false
  const running: { token: string; at: number; id: number }[] = []
  /** Of the cell in server mode. */
  const memory = new Map<number, number>()
  /** What the cell has under way to the memory of the PLC in client mode. */
  let outgoing: { address: number; value: number }[][] = []
  const confirmed = new Map<number, number>()
  const cell = createHandshake({ family, newToken: () => `token ${++tokens}`, now })

  let plc = runProgram(source)
  const watch = watchStarts(family, () => plc)
  const { ledger } = watch
  const to = () => plc.vars.toCell as number[]
  const from = () => plc.vars.fromCell as number[]
  const passOf = (count: number) => {
    const words = Array.from({ length: count }, (_, word) => word)
    if (way === 'descending') return words.reverse()
    if (way === 'shuffled') words.sort(() => (random.chance(0.5) ? 1 : -1))
    return words
  }
  let writes: number[] = []
  let reads: number[] = []
  /** All words are exchanged in so many scans. */
  const pass = way === 'together' || mode === 'client' ? 0 : Math.max(to().length, from().length) + 1
  const powerOn = () => {
    plc = runProgram(source)
    plc.vars.connected = mode === 'client' || isUp
    plc.vars.exchange = pass * 2 * scanTime
    ;[writes, reads] = [[], []]
  }

  const heed = (effects: readonly Effect[]) => {
    for (const effect of effects) {
      if (effect.type === 'write') {
        const words = opened.words(effect.outputs)
        if (mode === 'server') for (const { address, value } of words) memory.set(address, value)
        else
          writingOrder.forEach((_, rank) =>
            outgoing.push(
              words.filter(
                ({ address }) => rankAt.get(address) === rank || (rank === 0 && !rankAt.has(address)),
              ),
            ),
          )
      }
      if (effect.type === 'start') {
        const [id = 0] = effect.cycle.arguments
        ledger.executed.push(id)
        running.push({ token: effect.cycle.token, at: now + random.between(0, 2 * workTime), id })
      }
    }
  }
  const link = (up: boolean) => {
    if (up === isUp) return
    isUp = up
    if (up) connection += 1
    if (!up) outgoing = []
    plc.vars.connected = mode === 'client' || up
    ;[writes, reads] = [[], []]
    heed(cell.handle({ type: 'link', up, own: mode === 'server' }, now))
  }
  const writeToCell = (words: readonly number[]) => {
    const before = words.map((word) => memory.get(toCell + word) ?? 0)
    words.forEach((word) => memory.set(toCell + word, to()[word] ?? 0))
    if (!words.length || (way !== 'together' && before[0] === to()[words[0] ?? 0] && random.chance(0.5)))
      return
    const inputs = opened.readWords((_, address) => memory.get(address) ?? 0)
    const request = words.some((word) => toCell + word === askedAt)
    heed(cell.handle({ type: 'sample', inputs, kept: true, write: { request, connection } }, now))
  }
  const exchange = () => {
    if (!isUp) return
    if (mode === 'client') {
      const words = outgoing.shift()
      for (const { address, value } of words ?? []) {
        from()[address - fromCell] = value
        confirmed.set(address, value)
      }
      if (outgoing.length > 0 || random.chance(0.3)) return
      const kept = [...confirmed].every(([address, value]) => from()[address - fromCell] === value)
      if (!kept) confirmed.clear()
      const inputs = opened.readWords((_, address) => to()[address - toCell] ?? 0)
      heed(cell.handle({ type: 'sample', inputs, kept }, now))
      return
    }
    if (way === 'together') {
      writeToCell(to().map((_, word) => word))
      from().forEach((_, word, all) => (all[word] = memory.get(fromCell + word) ?? 0))
      heed(cell.handle({ type: 'read', state: true }, now))
      return
    }
    if (!writes.length) writes = passOf(to().length)
    if (!reads.length) reads = passOf(from().length)
    const [write, read] = [writes.shift() ?? 0, reads.shift() ?? 0]
    writeToCell([write])
    from()[read] = memory.get(fromCell + read) ?? 0
    heed(cell.handle({ type: 'read', state: stateAt.has(fromCell + read) }, now))
  }

  const scan = () => {
    now += scanTime
    for (const done of running.splice(0))
      if (done.at > now) running.push(done)
      else
        heed(
          cell.handle(
            { type: 'result', token: done.token, data: { message: { payload: { id: done.id } } } },
            now,
          ),
        )
    heed(cell.handle({ type: 'clock' }, now))
    exchange()
    plc.call(now)
    watch.look()
  }

  link(true)
  heed(cell.handle({ type: 'device', ready: true }, now))
  powerOn()
  return {
    ledger,
    faults: () => watch.settled(),
    scan,
    scans: (count: number) => {
      for (let each = 0; each < count; each++) scan()
    },
    /** A rising edge, with a number of its own. */
    start: () => {
      if (plc.vars.start === true) {
        plc.vars.start = false
        scan()
      }
      watch.start()
      scan()
    },
    /** @returns how the last start ended, once it has */
    end: () => {
      for (let waited = 0; waited < 1200 && watch.isOpen(); waited++) scan()
      watch.mustHaveEnded()
      return ledger.ends.at(-1)
    },
    link,
    isUp: () => isUp,
    /** The program begins anew, with empty memory. */
    restart: () => {
      if (mode === 'server' && isUp) {
        link(false)
        link(true)
      }
      powerOn()
      watch.forget()
    },
    device: (ready: boolean) =>
      heed(
        cell.handle(
          ready ? { type: 'device', ready } : { type: 'device', ready, code: 201, reason: 'unreachable' },
          now,
        ),
      ),
  }
}
