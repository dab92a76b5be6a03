import {
  FleetEvent,
  Answer,
  CellState,
  Claim,
  finalStates,
  readMessage,
  type Unreadable,
  claimTopic,
  readCellTopic,
  readCentreAnswerTopic,
  type CellName,
  type CellTopic,
} from '../messages'
import { PendingQuestions } from './questions'
import type { ClaimKeeper } from './claim'
import { noEffects, type Effects, type Post } from './effects'
import type { Picture } from './picture'
import type { Rollouts } from './rollouts'

/** Cells, and the last events of each, at most: a cell repeats as many. */
const mostCells = 10_000

const mostEvents = 1000

/** Recognizes repeated events, in bounded memory. */
export class EventMemory {
  readonly #seen = new Map<string, Set<string>>()

  isNew({ plant, cell, boot, seq }: Pick<FleetEvent, 'plant' | 'cell' | 'boot' | 'seq'>): boolean {
    const key = `${plant}/${cell}`
    const seen = this.#seen.get(key) ?? new Set<string>()
    const one = `${boot} ${seq}`
    if (seen.has(one)) return false
    seen.add(one)
    const [first] = seen
    if (seen.size > mostEvents && first !== undefined) seen.delete(first)
    // The last active cell comes last.
    this.#seen.delete(key)
    this.#seen.set(key, seen)
    const [oldest] = this.#seen.keys()
    if (this.#seen.size > mostCells && oldest !== undefined) this.#seen.delete(oldest)
    return true
  }
}

/** A message as it arrived. */
export interface Arrival {
  topic: unknown
  payload: unknown
  /** Seconds that are left of it. */
  messageExpiryInterval?: unknown
}

/** `foreign`: not of this protocol. */
export type Receipt = { word: 'heard' | 'foreign' } | { word: 'unreadable'; problem: Unreadable }

const received: Receipt = { word: 'heard' }

const foreign: Receipt = { word: 'foreign' }

const otherName: Receipt = { word: 'unreadable', problem: { key: 'fleet-field', values: { field: 'cell' } } }

interface IncomingOptions {
  root: string
  centre: string
  picture: Picture
  claim: ClaimKeeper
  rollouts: Rollouts
  questions: PendingQuestions
  send: (post: Post) => void
  event?: (event: FleetEvent) => void
  perform: (effects: Effects) => void
  /** The retained state of a cell was deleted: it has left the fleet. */
  left: (cell: { plant: string; cell: string }) => void
  /** Something that can be shown has changed. */
  changed: () => void
}

/** Dispatches what cells and other centres publish. */
export class Incoming {
  readonly #events = new EventMemory()
  /** States of cells for which there is no room. */
  refusedStates = 0

  constructor(private readonly options: IncomingOptions) {}

  receive({ topic, payload, messageExpiryInterval: left }: Arrival): Receipt {
    const { root, centre } = this.options
    const expiry = typeof left === 'number' ? left : undefined
    if (topic === claimTopic(root)) return this.#receiveClaim(payload, expiry)
    const cell = readCellTopic(root, topic)
    if (cell) return this.#receiveFromCell(cell, payload, expiry)
    return readCentreAnswerTopic(root, topic) === centre ? this.#receiveAnswer(payload) : foreign
  }

  #receiveClaim(payload: unknown, left: number | undefined): Receipt {
    if (isEmpty(payload)) return received
    const read = readMessage(Claim, payload)
    if (read.problem) return unreadable(read.problem)
    const { claim, send, changed } = this.options
    const before = claim.role
    for (const post of claim.receive(read.value, left)) send(post)
    if (before !== claim.role) changed()
    return received
  }

  #receiveFromCell(
    { last, ...name }: CellName & { last: CellTopic },
    payload: unknown,
    left: number | undefined,
  ): Receipt {
    const isOwn = ({ plant, cell }: { plant: string; cell: string }) =>
      plant === name.plant && cell === name.cell
    switch (last) {
      case 'state':
        return this.#receiveState(name, isOwn, payload, left)
      case 'gone':
        this.options.changed()
        this.options.picture.disconnected(name.plant, name.cell)
        return received
      case 'answer':
        return this.#receiveAnswer(payload, isOwn)
      case 'event': {
        const read = readMessage(FleetEvent, payload)
        if (read.problem) return unreadable(read.problem)
        if (!isOwn(read.value)) return otherName
        this.#receiveEvent(read.value)
        return received
      }
      default:
        // Messages of a centre, or of a cell to itself.
        return received
    }
  }

  #receiveState(
    { plant, cell }: CellName,
    isOwn: (state: CellState) => boolean,
    payload: unknown,
    left: number | undefined,
  ): Receipt {
    const { picture, changed } = this.options
    changed()
    if (isEmpty(payload)) {
      picture.forget(plant, cell)
      this.options.left({ plant, cell })
      return received
    }
    const read = readMessage(CellState, payload)
    if (read.problem) return unreadable(read.problem)
    if (!isOwn(read.value)) return otherName
    if (picture.receive(read.value, left) === 'full') this.refusedStates++
    return received
  }

  /** Each cell needs only one centre that acknowledges its events. */
  #receiveEvent(event: FleetEvent): void {
    if (this.options.claim.role !== 'acting') return
    if (this.#events.isNew(event)) this.options.event?.(event)
    this.options.perform({ ...noEffects(), received: [event] })
  }

  /** @param isOwn where the topic names a cell: whether the answer is its own */
  #receiveAnswer(payload: unknown, isOwn?: (answer: Answer) => boolean): Receipt {
    const read = readMessage(Answer, payload)
    if (read.problem) return unreadable(read.problem)
    const { questions, rollouts, perform, changed } = this.options
    const answer = read.value
    if (isOwn && !isOwn(answer)) return otherName
    const effects = noEffects()
    const isOurs = PendingQuestions.isQuestion(answer.id) || rollouts.receive(answer, effects)
    if (PendingQuestions.isQuestion(answer.id)) questions.receive(answer)
    // What is addressed to this centre and belongs to nothing any more would be repeated for ever.
    if (finalStates.has(answer.state) && (isOurs || !isOwn)) effects.received.push(answer)
    changed()
    perform(effects)
    return received
  }
}

const unreadable = (problem: Unreadable): Receipt => ({ word: 'unreadable', problem })

/** An empty retained message deletes the one before it. */
const isEmpty = (payload: unknown) =>
  payload === '' || (payload instanceof Uint8Array && payload.length === 0)
