import type { Family } from '../../../../lib/plc/families'
import type { CellOutputs, PlcInputs } from '../../../../lib/plc/rows'
import type { Random } from './random'

/** One request of the PLC, as it knows it. */
export interface Edge {
  id: number
  request: number
  at: number
  /** The PLC holds its request until it is answered. */
  held: boolean
  /** Job and arguments were written before the request. */
  ordered: boolean
  /** The request itself has been written. */
  delivered: boolean
  /** … while the cell watched, and that cell still runs. */
  certain: boolean
  /** The cell has seen it. */
  sampled: boolean
  /** The PLC kept to the rules, or the cell saw the request with no older write under way: an answer must be its own. */
  checked: boolean
  /** A command that runs no cycle. */
  isCommandOnly: boolean
  /** The flags of an older answer were seen off. */
  seenDown: boolean
  /** Trigger acknowledged, or command echoed. */
  begun: boolean
  acquisitionId: number
  missedBefore: number
  answer?: { code: number; done: boolean; missed: boolean; data: unknown }
}

export type PlcRow = keyof PlcInputs
type Words = { -readonly [Name in keyof PlcInputs]: PlcInputs[Name] }

/**
 * A random PLC program for one family. It keeps to the rules mostly. It writes one word after the other, each in a request of its
 * own, and words that it could not write later on.
 */
export class RandomPlc {
  says: Words
  /** Rows that are not written yet, in the order in which they will be. */
  unwritten: PlcRow[] = []
  edge: Edge | undefined
  edges = 0
  /** The cell has seen its request at 0 since the last edge. */
  lowSampled = true
  /** It begins only where no flag of an older answer stands, and holds its request until it is answered. */
  readonly isStrict: boolean
  /** After a loss it writes only what has changed meanwhile. */
  readonly writesChanges: boolean
  #number = 0
  #starts = true
  #bootUntil = 0
  readonly #family: Family
  readonly #random: Random

  constructor(family: Family, random: Random) {
    this.#family = family
    this.#random = random
    this.isStrict = family.answerUntil !== 'next-request' && random.chance(0.5)
    this.writesChanges = random.chance(0.5)
    this.says = { ...this.#nothing(), plcLife: 0 }
    this.rewrite(true)
  }

  #nothing(): Words {
    const { request, needsEnable } = this.#family
    return {
      [request]: request === 'trigger' ? false : 0,
      argument: [0],
      job: 0,
      abort: false,
      clearError: false,
      ...(needsEnable && { enable: true, resultsAck: false }),
    }
  }

  /** Back after a power failure. */
  restart(keepsMemory: boolean, now: number): void {
    if (keepsMemory) return
    this.#bootUntil = now + 200
    this.edge = undefined
    this.#number = 0
    this.#starts = true
    this.says = { ...this.#nothing(), plcLife: 0 }
    this.rewrite(true)
  }

  /** A new connection: the words are written anew, in any order. */
  rewrite(all = !this.writesChanges): void {
    if (!all) return
    const rows = Object.keys(this.says) as PlcRow[]
    this.unwritten = rows
      .map((row) => [this.#random.between(0, 1000), row] as const)
      .sort(([one], [other]) => one - other)
      .map(([, row]) => row)
  }

  get request(): number {
    return Number(this.says[this.#family.request])
  }

  /** Whether it would begin as soon as the cell is ready. */
  get isIdle(): boolean {
    return !this.#starts && this.request === 0 && (!this.edge || this.edge.answer !== undefined)
  }

  /** One scan of the program. */
  scan(words: CellOutputs, now: number): void {
    const before = this.says
    this.says = { ...before }
    const random = this.#random
    if (random.chance(0.3)) this.says.plcLife = ((this.says.plcLife ?? 0) + 1) % 65_536
    if (this.#family.needsEnable) this.#acknowledge(words)
    this.says.abort = random.chance(this.says.abort ? 0.5 : 0.001)
    const hasRead = this.edge?.answer !== undefined
    this.says.clearError = hasRead && random.chance(this.says.clearError ? 0.5 : 0.001)
    if (this.#starts) this.#starts = now < this.#bootUntil || !words.ready || words.sequenceEcho !== 0
    else if (this.request === 0 && this.#mayBegin(words)) this.#begin(words, now)
    else if (this.request !== 0) this.#goOn(words, now)
    this.#note(before)
  }

  /** Rows that have changed are to be written: the request last, where job and arguments belong to it. */
  #note(before: Words): void {
    const { request } = this.#family
    const changed = (Object.keys(this.says) as PlcRow[]).filter(
      (row) => JSON.stringify(this.says[row]) !== JSON.stringify(before[row]),
    )
    const isLast = this.edge?.ordered !== false || this.request === 0
    const rank = (row: PlcRow) => (isLast && row === request ? 1 : this.#random.between(0, 1000) / 1001)
    const ranked = changed.map((row) => [rank(row), row] as const).sort(([one], [other]) => one - other)
    for (const [, row] of ranked) if (!this.unwritten.includes(row)) this.unwritten.push(row)
    // What waits since a loss may stand in any order; a request that begins now still comes after what belongs to it.
    if (isLast && changed.includes(request)) {
      this.unwritten = this.unwritten.filter((row) => row !== request)
      this.unwritten.push(request)
    }
  }

  #acknowledge(words: CellOutputs): void {
    const stands = words.resultsValid || words.error
    const hasRead = !this.edge || this.edge.answer !== undefined
    if (stands && hasRead && this.#random.chance(0.5)) this.says.resultsAck = true
    if (!stands) this.says.resultsAck = false
  }

  /** Whether nothing but *ready* keeps it from beginning. */
  canBegin(words: CellOutputs): boolean {
    const { request, refusal, answerUntil } = this.#family
    if (request === 'sequence') return true
    if (words.triggerAck) return false
    if (refusal === 'missed' && (words.resultsValid || words.error)) return false
    // An answer to a request that it gave up stands until the next one, as after a pulse.
    const isStrict = this.isStrict && answerUntil === 'release' && this.edge !== undefined
    if (isStrict && (words.done || words.error)) return false
    return request !== 'command' || words.commandEcho === 0
  }

  /** Mostly only where the cell is ready. */
  #mayBegin(words: CellOutputs): boolean {
    const random = this.#random
    if (this.edge && !this.edge.answer && !random.chance(0.002)) return false
    if (!this.lowSampled || !this.canBegin(words)) return false
    if (this.#family.request === 'sequence') return random.chance(0.2)
    if (words.ready) return random.chance(0.2)
    return !this.isStrict && random.chance(0.01)
  }

  #begin(words: CellOutputs, now: number): void {
    const random = this.#random
    const { request, commands, refusal } = this.#family
    const command = random.chance(0.8) ? 4 : random.oneOf(1, 2, 3, 5, 7, 9, 10, 11, 12)
    this.#number = (this.#number % 65_535) + 1
    const asked = { trigger: 1, sequence: this.#number, command }[request]
    this.edges += 1
    this.edge = {
      id: this.edges,
      request: asked,
      at: now,
      held: this.isStrict || random.chance(0.7),
      ordered: random.chance(0.7),
      delivered: false,
      certain: false,
      sampled: false,
      checked: request === 'sequence' || words.ready,
      isCommandOnly: commands !== undefined && commands[asked] !== 'cycle',
      seenDown: refusal === 'missed' ? !words.error : !(words.done || words.error),
      begun: false,
      acquisitionId: 0,
      missedBefore: words.missedCount,
    }
    this.lowSampled = false
    this.says = {
      ...this.says,
      [request]: request === 'trigger' ? true : asked,
      argument: [this.edges],
      job: this.edges % 100,
    }
  }

  #goOn(words: CellOutputs, now: number): void {
    const random = this.#random
    const { edge } = this
    const { request } = this.#family
    if (request === 'sequence') {
      // The next number, sometimes too early; sometimes it begins anew.
      if (random.chance(edge?.answer ? 0.3 : 0.002)) this.#begin(words, now)
      else if (random.chance(0.001)) this.restart(false, now)
      return
    }
    // A trigger that is acknowledged, or a command that is echoed, is held until then.
    const mayPulse = request === 'trigger' && this.#family.refusal === 'answer' ? edge?.sampled : edge?.begun
    const isPulse = edge && !edge.held && mayPulse
    const mayDrop = !edge || edge.answer !== undefined || isPulse
    const givesUp = !mayDrop && random.chance(0.001)
    if (givesUp) this.edge = undefined
    if (givesUp || (mayDrop && random.chance(0.3)))
      this.says = { ...this.says, [request]: request === 'trigger' ? false : 0 }
  }

  /** What the PLC has read by now. */
  observe(words: CellOutputs): Edge | undefined {
    const { edge } = this
    if (!edge || edge.answer) return undefined
    const flags = words.done || words.error
    if (!flags || (words.busy && !this.#family.busyUntilRelease)) edge.seenDown = true
    if (!edge.delivered) return undefined
    if (!this.#isAnswered(edge, words, flags)) return undefined
    const missed = this.#family.refusal === 'missed' && !edge.begun && isMissed(edge, words)
    edge.answer = { code: words.code, done: words.resultsValid, missed, data: words.data.message }
    return edge
  }

  #isAnswered(edge: Edge, words: CellOutputs, flags: boolean): boolean {
    const { request, refusal, busyUntilRelease } = this.#family
    if (request === 'sequence') return flags && words.sequenceEcho === edge.request
    if (request === 'command') {
      edge.begun ||= words.commandEcho === edge.request
      // The echo comes after the flags: those that stand beside it are its own.
      return flags && edge.begun
    }
    if (refusal === 'answer') return flags && edge.seenDown && (busyUntilRelease || !words.busy)
    if (!edge.begun && words.triggerAck) {
      edge.begun = true
      edge.acquisitionId = words.acquisitionId
      // Results are taken back together with the acknowledgement.
      edge.seenDown = true
    }
    if (!edge.begun) return isMissed(edge, words) || (words.error && edge.seenDown)
    return flags && edge.seenDown && words.acquisitionId === edge.acquisitionId
  }
}

const isMissed = ({ missedBefore }: Edge, { missed, missedCount }: CellOutputs): boolean =>
  missed && missedCount !== missedBefore
