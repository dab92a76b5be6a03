import type { Family } from '../../../../lib/plc/families'
import type { CellSays, PlcSays } from '../../../../lib/plc/rows'
import type { Random } from './random'

/** One request of the PLC, as it knows it. Its number travels with it as argument 1, and comes back in the data. */
export interface Edge {
  id: number
  request: number
  at: number
  /** The PLC holds its request until it is answered. */
  held: boolean
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

/** A random PLC program for one family. It keeps to the rules mostly. */
export class RandomPlc {
  says: { -readonly [Name in keyof PlcSays]: PlcSays[Name] }
  edge: Edge | undefined
  edges = 0
  /** The cell has seen its request at 0 since the last edge. */
  lowSampled = true
  #number = 0
  #starts = true
  #bootUntil = 0
  readonly #family: Family
  readonly #random: Random

  constructor(family: Family, random: Random) {
    this.#family = family
    this.#random = random
    this.says = { ...this.#nothing(), plcLife: 0 }
  }

  #nothing(): PlcSays {
    const { request, needsEnable } = this.#family
    return {
      [request]: request === 'trigger' ? false : 0,
      argument: [0],
      ...(needsEnable && { enable: true }),
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
  }

  get request(): number {
    return Number(this.says[this.#family.request])
  }

  /** One scan of the program. @returns whether a word changed */
  scan(words: CellSays, now: number, isServed: boolean): boolean {
    const before = JSON.stringify(this.says)
    const random = this.#random
    if (random.chance(0.3)) this.says.plcLife = ((this.says.plcLife ?? 0) + 1) % 65_536
    if (this.#family.needsEnable) this.#acknowledge(words)
    this.says.abort = random.chance(this.says.abort ? 0.5 : 0.001)
    const hasRead = this.edge?.answer !== undefined
    this.says.clearError = hasRead && random.chance(this.says.clearError ? 0.5 : 0.001)
    if (this.#starts) this.#starts = now < this.#bootUntil || !words.ready || words.sequenceEcho !== 0
    else if (this.request === 0 && this.#mayBegin(words)) this.#begin(words, now, isServed)
    else if (this.request !== 0) this.#goOn(words, now, isServed)
    return JSON.stringify(this.says) !== before
  }

  #acknowledge(words: CellSays): void {
    const stands = words.resultsValid || words.error
    const hasRead = !this.edge || this.edge.answer !== undefined
    if (stands && hasRead && this.#random.chance(0.5)) this.says.resultsAck = true
    if (!stands) this.says.resultsAck = false
  }

  /** Mostly only where the cell is ready. */
  #mayBegin(words: CellSays): boolean {
    const random = this.#random
    if (this.edge && !this.edge.answer && !random.chance(0.002)) return false
    if (this.#family.request === 'sequence') return random.chance(0.2)
    if (!this.lowSampled || words.triggerAck) return false
    if (this.#family.refusal === 'missed' && (words.resultsValid || words.error)) return false
    if (this.#family.request === 'command' && words.commandEcho !== 0) return false
    return words.ready ? random.chance(0.2) : random.chance(0.01)
  }

  #begin(words: CellSays, now: number, isServed: boolean): void {
    const random = this.#random
    const { request, commands } = this.#family
    const command = random.chance(0.8) ? 4 : random.oneOf(1, 2, 3, 5, 7, 9, 10, 11, 12)
    this.#number = (this.#number % 65_535) + 1
    const asked = { trigger: 1, sequence: this.#number, command }[request]
    this.edges += 1
    this.edge = {
      id: this.edges,
      request: asked,
      at: now,
      held: random.chance(0.7),
      sampled: false,
      checked: request === 'sequence' || words.ready || (isServed && this.#family.refusal === 'answer'),
      isCommandOnly: commands !== undefined && commands[asked] !== 'cycle',
      // What it reads from the cell's own memory is later than what it wrote there.
      seenDown: (isServed && this.#family.refusal === 'answer') || !(words.done || words.error),
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

  #goOn(words: CellSays, now: number, isServed: boolean): void {
    const random = this.#random
    const { edge } = this
    const { request } = this.#family
    if (request === 'sequence') {
      // The next number, sometimes too early; sometimes it begins anew.
      if (random.chance(edge?.answer ? 0.3 : 0.002)) this.#begin(words, now, isServed)
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

  /** What the PLC would read now. */
  observe(words: CellSays): Edge | undefined {
    const { edge } = this
    if (!edge || edge.answer) return undefined
    const flags = words.done || words.error
    if (!flags) edge.seenDown = true
    if (!this.#isAnswered(edge, words, flags)) return undefined
    const missed = this.#family.refusal === 'missed' && !edge.begun && isMissed(edge, words)
    edge.answer = { code: words.code, done: words.resultsValid, missed, data: words.data.message }
    return edge
  }

  #isAnswered(edge: Edge, words: CellSays, flags: boolean): boolean {
    const { request, refusal } = this.#family
    if (request === 'sequence') return flags && words.sequenceEcho === edge.request
    if (request === 'command') {
      edge.begun ||= words.commandEcho === edge.request
      return flags && edge.begun && edge.seenDown
    }
    if (refusal === 'answer') return flags && edge.seenDown
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

const isMissed = ({ missedBefore }: Edge, { missed, missedCount }: CellSays): boolean =>
  missed && missedCount !== missedBefore
