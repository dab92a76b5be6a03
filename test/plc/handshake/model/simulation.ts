import { codeTable } from '../../../../lib/plc/codes'
import { families, type FamilyId } from '../../../../lib/plc/families'
import {
  createHandshake,
  nothingKnown,
  remembered,
  type Effect,
  type Handshake,
  type HandshakeEvent,
  type HandshakeOptions,
} from '../../../../lib/plc/handshake'
import { rows, writingOrder, type CellOutputs, type PlcInputs, type RowGroup } from '../../../../lib/plc/rows'
import { isKept, partsOf, zeroed, type Part } from './memory'
import { RandomPlc, type Edge, type PlcRow } from './plc'
import { randomOf } from './random'

/** Milliseconds of one step. */
const tick = 5
const deadline = 400
const settling = 300
const release = 1000
const beat = 100
const unasked = 150
const quiet = 150
/** Without a connection the PLC is gone, where it connects to the cell. */
const absence = 300
/** No answer for so long although the life counter goes on: the PLC was left waiting. */
const patience = 6000
const codes = codeTable()
/** These say that nothing was acquired. */
const notExecuted: ReadonlySet<number> = new Set([
  codes.STILL_BUSY,
  codes.UNREACHABLE,
  codes.ALREADY_SET,
  codes.NOT_ALLOWED,
  codes.NOT_PREPARED,
])
/** Of a cycle that a person triggered; no PLC may see it. */
const handFailure = 31_000
/** A failure of the device names the edge that it belongs to. */
const failureOf = (edge: number) => 1000 + (edge % 20_000)

/** A fault that the model must see. */
export interface Mutation {
  machine?: (machine: Handshake) => Handshake
  order?: readonly RowGroup[]
  options?: Partial<HandshakeOptions>
  /** The journal does not know what the PLC wrote. */
  forgetsWords?: boolean
}

/** What one run showed. */
export interface Simulated {
  wrong: string[]
  edges: number
  started: number
  done: number
  /** Cycles that a person triggered. */
  byHand: number
  codes: Set<number>
}

/**
 * One random PLC, device and Node-RED, on one family.
 * @param isServed the memory is the cell's own, and each write of the PLC is seen; otherwise the cell polls the PLC's memory
 */
export function simulate(
  family: FamilyId,
  seed: number,
  steps: number,
  isServed: boolean,
  {
    machine: changed = (machine) => machine,
    order = writingOrder,
    options = {},
    forgetsWords = false,
  }: Mutation = {},
): Simulated {
  const random = randomOf(seed)
  // A person at the editor, whose doing changes nothing of what is random elsewhere.
  const hand = { random: randomOf(seed + 1_000_000_000), allowed: false, isSeen: false, count: 0 }
  const byHand = new Map<string, number>()
  const plc = new RandomPlc(families[family], random)
  const own = {
    whileBusy: random.oneOf('queue', 'refuse', undefined),
    onDrop: random.oneOf('finish', 'abort', 'finish'),
    // Longer than the PLC takes for a scan where an answer ends with the request.
    minimumDone: families[family].answerUntil === 'release' ? random.oneOf(80, 120) : random.oneOf(0, 50),
  } as const
  const { wrong, started, seen } = {
    wrong: [] as string[],
    started: new Set<number>(),
    seen: new Set<number>(),
  }
  const { request } = families[family]
  /** The PLC's words where the cell sees them, and the edge that the request there belongs to. */
  let visible: PlcInputs = {}
  let visibleEdge = 0
  /** The edges that the tokens were given out for. */
  const edgeOf = new Map<string, number>()
  /** The PLC has begun to read, and has the state so far. */
  let reading: Partial<CellOutputs> | undefined
  let connection = 0
  let downAt = 0
  let idleSince = 0
  let now = 0
  let tokens = 0
  let done = 0
  let journal = nothingKnown
  const cell: { machine?: Handshake | undefined } = {}
  /** `told`: the node has told the machine. */
  /** `hasLost`: writes of the cell did not arrive. */
  const link = { up: true, told: false, backAt: 0, hasLost: false }
  let startsAt = 0
  let nextPoll = 0
  let scannedAt = 0
  let memory: CellOutputs = zeroed
  /** As the cell believes that the memory is. */
  let written: CellOutputs | undefined
  /** The words in the cell's own memory, for a PLC that reads them there. */
  let served: CellOutputs = zeroed
  let pending: Part[] = []
  let calls: {
    token: string
    edge: number
    at: number
    since: number
    outcome: 'done' | 'failed' | 'twice'
  }[] = []
  let lifeAt = 0
  let waitsSince = 0
  let deviceReady = true

  const fault = (text: string) =>
    wrong.push(`${text} at ${now} ms (edge ${plc.edge?.id}, words ${JSON.stringify(memory)})`)

  const observe = () => {
    const edge = plc.observe(memory)
    if (edge) check(edge)
  }
  const check = ({ id, answer, checked, certain, isCommandOnly }: Edge) => {
    if (!answer) return
    seen.add(answer.code)
    if (answer.done) done += 1
    if (answer.missed) {
      if (started.has(id)) fault(`edge ${id} was executed, and the PLC is told that it was missed`)
      return
    }
    if (answer.code === codes.ALREADY_SET && isServed && certain)
      fault(`edge ${id} was refused although its write was seen`)
    if (isCommandOnly || !checked) return
    if (answer.done && answer.data !== id) fault(`edge ${id} got the answer to ${String(answer.data)}`)
    if (answer.code >= 1000 && answer.code !== failureOf(id))
      fault(`edge ${id} got the failure of another one`)
    if (notExecuted.has(answer.code) && started.has(id))
      fault(`edge ${id} was executed, and its code ${answer.code} denies it`)
  }
  const apply = (part: Part) => {
    if (part.life !== undefined && part.life !== memory.life) lifeAt = now
    memory = { ...memory, ...part }
    observe()
  }
  const write = (outputs: CellOutputs, all: boolean) => {
    const parts = partsOf(outputs, all ? undefined : written, order)
    written = outputs
    if (isServed) served = outputs
    else if (link.up) pending.push(...parts)
    else link.hasLost = true
  }

  const send = (event: HandshakeEvent) => {
    if (!cell.machine) return
    const effects = cell.machine.handle(event, now)
    checkHand(effects)
    for (const effect of effects)
      if (effect.type === 'write') write(effect.outputs, effect.all)
      else if (effect.type === 'journal') {
        const { entry } = effect
        if (!forgetsWords || entry.kind !== 'plc') journal = remembered(journal, entry)
        if ((entry.kind === 'noted' || entry.kind === 'sent') && !edgeOf.has(entry.token))
          edgeOf.set(entry.token, visibleEdge)
      } else if (effect.type === 'start' && effect.cycle.manual) beginByHand(effect.cycle.token)
      else if (effect.type === 'start') begin(effect.cycle.token, edgeOf.get(effect.cycle.token) ?? 0)
    if (effects.some(({ type, ...rest }) => type === 'write' && 'outputs' in rest && rest.outputs.ready))
      checkReady()
  }
  const begin = (token: string, edge: number) => {
    if (started.has(edge)) fault(`edge ${edge} was executed twice`)
    started.add(edge)
    const slow = random.chance(0.1)
    const never = random.chance(0.03)
    const wait = never ? 1e9 : slow ? random.between(300, 900) : random.between(0, 120)
    const outcome = random.oneOf('done', 'done', 'done', 'failed', 'twice')
    calls.push({ token, edge, at: now + wait, since: now, outcome })
  }
  const beginByHand = (token: string) => {
    if (!hand.isSeen) fault('triggered by hand although the PLC does not allow it')
    if (calls.some(({ since }) => now - since < deadline + settling))
      fault('triggered by hand while a call is under way')
    hand.count += 1
    byHand.set(token, now)
    const wait = hand.random.chance(0.1) ? hand.random.between(300, 900) : hand.random.between(0, 120)
    const outcome = hand.random.oneOf('done', 'failed', 'twice')
    calls.push({ token, edge: -hand.count, at: now + wait, since: now, outcome })
  }
  /** Its end is told once, and the PLC sees nothing of it. */
  const checkHand = (effects: readonly Effect[]) => {
    for (const effect of effects) {
      if (effect.type === 'told' && (effect.what === 'manual-done' || effect.what === 'manual-failed'))
        if (!byHand.delete(effect.token ?? '')) fault(`${effect.what} was told of no open trigger by hand`)
      if (effect.type !== 'write') continue
      const { code, data } = effect.outputs
      if (code === handFailure || Number(data.message) < 0)
        fault('the PLC sees the result of a trigger by hand')
    }
  }
  const lookForHand = () => {
    if (hand.random.chance(0.01)) hand.allowed = !hand.allowed
    if (hand.random.chance(0.01)) send({ type: 'manual' })
    for (const [token, since] of byHand)
      if (cell.machine && now - since > deadline + 2 * tick) {
        fault('a trigger by hand never ended')
        byHand.delete(token)
      }
  }
  const checkReady = () => {
    const open = calls.find(({ since }) => now - since < deadline + settling)
    if (open) fault(`ready, and the call of edge ${open.edge} is under way`)
  }

  const answerCalls = () => {
    const due = calls.filter(({ at }) => at <= now)
    if (!due.length) return
    calls = calls.filter(({ at }) => at > now)
    for (const { token, edge, outcome } of due) {
      if (outcome === 'failed') send({ type: 'error', token, code: edge < 0 ? handFailure : failureOf(edge) })
      else send({ type: 'result', token, data: { message: edge } })
      if (outcome === 'twice') send({ type: 'result', token, data: { message: edge } })
      if (random.chance(0.02)) send({ type: 'result', token: 'made up', data: { message: -1 } })
    }
  }

  /** One word of the PLC is written to where the cell sees it. */
  const deliver = (row: PlcRow) => {
    visible = { ...visible, [row]: plc.says[row] }
    if (row !== request) return
    const { edge } = plc
    visibleEdge = plc.request === 0 ? 0 : edge && edge.request === plc.request ? edge.id : visibleEdge
    if (!edge || edge.id !== visibleEdge || edge.delivered) return
    edge.delivered = true
    edge.certain = isServed && cell.machine !== undefined && cell.machine.phase !== 'unknown'
  }
  /** The PLC writes what it has not written yet: words one by one, all together now and then. */
  const writeWords = () => {
    if (isServed && !(link.up && link.told && cell.machine)) return
    const count = random.chance(0.1) ? plc.unwritten.length : random.between(0, 3)
    if (isServed)
      for (const row of plc.unwritten.splice(0, count)) {
        deliver(row)
        sample({ request: row === request, connection })
      }
    else for (const row of plc.unwritten.splice(0, count)) deliver(row)
  }
  /** The PLC reads the state first and the results then, in one request or two. */
  const read = () => {
    if (!isServed || !(link.up && link.told && cell.machine)) return
    const begins = reading === undefined
    if (begins) {
      reading = wordsOf((name) => name !== 'data' && rows[name].group !== 'result')
      send({ type: 'read', state: true })
    }
    if (!begins || random.chance(0.7)) endReading()
  }
  const wordsOf = (wants: (name: keyof CellOutputs) => boolean): Partial<CellOutputs> =>
    Object.fromEntries(Object.entries(served).filter(([name]) => wants(name as keyof CellOutputs)))
  /** What was read has arrived: a request that is under way when the connection ends is not part of this model. */
  const endReading = () => {
    if (!reading) return
    const all = { ...wordsOf((name) => name === 'data' || rows[name].group === 'result'), ...reading }
    reading = undefined
    apply({ ...all })
  }

  const sample = (write?: { request: boolean; connection: number }) => {
    const { edge } = plc
    if (plc.request === 0 && Number(visible[request] ?? 0) === 0) plc.lowSampled = true
    if (edge && edge.id === visibleEdge) {
      edge.sampled = true
      if (!pending.length && !isServed && families[family].refusal === 'answer') edge.checked = true
    }
    const kept = isServed ? true : written && isKept(memory, written)
    const repeats = random.chance(0.03) ? 2 : 1
    const says = { ...visible, manualAllowed: hand.allowed }
    hand.isSeen = hand.allowed
    for (let left = repeats; left > 0; left -= 1)
      send({ type: 'sample', inputs: says, ...(kept !== undefined && { kept }), ...(write && { write }) })
  }

  const start = () => {
    cell.machine = changed(
      createHandshake({
        family: families[family],
        newToken: () => `token ${(tokens += 1)}`,
        now,
        journal,
        deadline,
        settling,
        release,
        beat,
        plcLife: 300,
        unasked,
        quiet,
        minimumDone: own.minimumDone,
        onDrop: own.onDrop,
        ...(own.whileBusy && { whileBusy: own.whileBusy }),
        ...options,
      }),
    )
    written = undefined
    link.told = false
    // Our memory is empty, apart from what the journal knows.
    if (isServed) {
      served = zeroed
      visible = { [request]: request === 'trigger' ? false : 0, ...journal.plc }
      visibleEdge = journal.plc?.[request] ? visibleEdge : 0
    }
    send(deviceReady ? { type: 'device', ready: true } : away)
  }
  const away = { type: 'device', ready: false, code: codes.UNREACHABLE, reason: 'unreachable' } as const

  const stop = (killed: boolean) => {
    if (plc.edge) plc.edge.certain = false
    if (!killed) send({ type: 'close' })
    cell.machine = undefined
    byHand.clear()
    // The last words are on the wire before the connection ends.
    if (!killed && link.up) pending.forEach(apply)
    pending = []
    if (!killed && isServed && link.up && random.chance(0.5)) apply(served)
    if (isServed && link.up) drop(random.between(0, 200))
    // A deploy leaves the calls of other nodes alone; a kill ends the process.
    if (killed || random.chance(0.3)) calls = []
    startsAt = now + random.between(0, 300)
  }

  /** The memory that the cell polls is the PLC's: it is empty then. */
  const lose = () => {
    visible = plc.says
    visibleEdge = 0
    plc.unwritten = []
  }
  /** The connection ends. */
  const drop = (pause: number) => {
    link.up = false
    downAt = now
    endReading()
    link.hasLost ||= pending.length > 0
    pending = []
    link.backAt = now + pause
  }
  const trouble = () => {
    if (link.up && random.chance(0.000_4)) {
      drop(random.between(20, 1500))
    }
    if (random.chance(0.000_3)) {
      const keepsMemory = random.chance(0.5)
      plc.restart(keepsMemory, now)
      // Its connections end with it.
      pending = []
      if (!keepsMemory) memory = isServed ? memory : zeroed
      if (link.up) drop(random.between(0, 400))
      if (!isServed && !keepsMemory) lose()
    }
    if (cell.machine && random.chance(0.000_4)) stop(random.chance(0.5))
    if (!cell.machine && now >= startsAt) start()
    if (random.chance(0.000_5)) {
      deviceReady = !deviceReady
      send(deviceReady ? { type: 'device', ready: true } : away)
    }
  }

  const notice = () => {
    if (!link.told) return
    link.told = false
    if (!isServed) written = undefined
    send({ type: 'link', up: false, own: isServed })
  }
  const connect = () => {
    if (!link.up && now >= link.backAt && (!isServed || cell.machine)) {
      // Whoever connects anew knows that what was under way did not arrive.
      if (!isServed && link.hasLost) notice()
      link.up = true
      link.hasLost = false
      connection += 1
      if (isServed) plc.rewrite()
    }
    // A loss is noticed late, or not at all.
    if (link.told && !link.up && (isServed ? now >= downAt + absence : random.chance(0.05))) {
      notice()
    }
    if (!link.told && link.up && cell.machine && (isServed || random.chance(0.2))) {
      link.told = true
      send({ type: 'link', up: true, own: isServed })
      if (isServed) sample({ request: false, connection: 0 })
    }
  }

  const lookForWaiting = () => {
    const { edge } = plc
    const lifeGoesOn = now - lifeAt < 8 * beat
    const asks = edge?.delivered && !edge.answer && edge.checked && (plc.request !== 0 || edge.sampled)
    if (!lifeGoesOn || !asks || edge.at > waitsSince) waitsSince = now
    if (now - waitsSince > patience) {
      fault(`edge ${edge?.id} is left waiting`)
      waitsSince = now
    }
    // Nothing but the words of the cell keeps the PLC from asking: they must let it.
    const isWritten = plc.unwritten.every((row) => row === 'plcLife')
    const isFree = !calls.some(({ edge, since }) => edge > 0 && now - since < deadline + settling)
    const may = memory.ready && plc.canBegin(memory)
    if (!lifeGoesOn || !plc.isIdle || !deviceReady || !isWritten || !isFree || may) idleSince = now
    if (now - idleSince > patience) {
      fault('the PLC waits for ready')
      idleSince = now
    }
  }

  if (!isServed) lose()
  start()
  for (let step = 0; step < steps && wrong.length < 3; step += 1) {
    now += tick
    trouble()
    connect()
    while (cell.machine?.wakeAt !== undefined && cell.machine.wakeAt <= now) send({ type: 'clock' })
    answerCalls()
    const part = link.up && random.chance(0.6) ? pending.shift() : undefined
    if (part) apply(part)
    if (random.chance(0.5) || now - scannedAt > 30) {
      scannedAt = now
      plc.scan(memory, now)
      writeWords()
      read()
    }
    if (!isServed && link.up && link.told && cell.machine && now >= nextPoll && !pending.length) {
      nextPoll = now + random.between(2, 8) * tick
      if (random.chance(0.95)) sample()
    }
    lookForWaiting()
    lookForHand()
  }
  return { wrong, edges: plc.edges, started: started.size, done, byHand: hand.count, codes: seen }
}
