import { randomUUID } from 'node:crypto'
import {
  Answer,
  CellState,
  Claim,
  finalStates,
  FleetEvent,
  type CommandKind,
  type FleetEvent as Event,
} from '../messages'
import { readMessage, type Unreadable } from '../read-message'
import { claimTopic, readCellTopic, readCentreAnswerTopic, type CellName, type CellTopic } from '../topics'
import { Asks } from './asks'
import { CentreError } from './centre-error'
import { ClaimKeeper, type Role } from './claim'
import { noEffects, type Effects } from './effects'
import { EventMemory } from './event-memory'
import { commandTo, type Sender } from './job'
import { Labels } from './labels'
import { addressOf, type Member } from './member'
import { planOf } from './order'
import { Picture } from './picture'
import type { Pace } from './plan'
import type { Clock, Post } from './post'
import type { Rollout } from './rollout'
import type { RolloutStore } from './rollout-store'
import { Rollouts } from './rollouts'
import { rowsOf, type DeviceRow } from './rows'
import { Scribe } from './scribe'
import { matcher, type Search } from './search'

/** `root`: first levels of all topics; `centre`: name of this centre. */
export interface CentreOptions extends Sender {
  /** Of this start. @default random */
  boot?: string
  clock: Clock
  store: RolloutStore
  /** Whether flows may give orders to cells. */
  mayOrder: boolean
  /** How rollouts proceed unless the order says otherwise. */
  pace: Pace
  labels?: Readonly<Record<string, readonly string[]>>
  /** Publishes a message; what is lost on the way is repeated. */
  send: (post: Post) => void
  /** Told of each event of a cell, once as long as this program runs. */
  event?: (event: Event) => void
  /** Told of journals that cannot be written. */
  failed?: (error: unknown) => void
}

/** A message as it arrived. */
export interface Arrival {
  topic: unknown
  payload: unknown
  /** Seconds that are left of it. */
  messageExpiryInterval?: unknown
}

/** `foreign`: not of this protocol. */
export type Hearing = { word: 'heard' | 'foreign' } | { word: 'unreadable'; problem: Unreadable }

const heard: Hearing = { word: 'heard' }
const foreign: Hearing = { word: 'foreign' }

/**
 * Knows all cells from what they publish, and asks them for what is ordered. Changes nothing itself: each cell decides,
 * does it, and tells. Messages and the time come in, messages go out.
 */
export class Centre {
  readonly picture: Picture
  readonly labels: Labels
  readonly #claim: ClaimKeeper
  readonly #scribe: Scribe
  readonly #asks = new Asks()
  readonly #events = new EventMemory()
  /** Counts changes of what can be shown. */
  changes = 0
  /** Cells for which there is no room, and messages that could not be read. */
  readonly refused = { states: 0, unreadable: 0 }

  private constructor(
    private readonly options: CentreOptions,
    readonly rollouts: Rollouts,
    parts: { picture: Picture; claim: ClaimKeeper },
  ) {
    const { root, store, send, labels, failed = () => undefined } = options
    this.picture = parts.picture
    this.#claim = parts.claim
    this.labels = new Labels(labels)
    this.#scribe = new Scribe({ root, store, send, failed })
  }

  /** Opens a centre with the rollouts of its journals. @throws Error of the file system */
  static async open(options: CentreOptions): Promise<Centre> {
    const { root, centre, answersTo, boot = randomUUID(), clock, store, mayOrder } = options
    const picture = new Picture({ clock })
    const claim = new ClaimKeeper({ root, centre, boot, clock })
    const acts = () => mayOrder && claim.role === 'acting'
    const rollouts = await Rollouts.open({ root, centre, answersTo, clock, picture, acts }, store)
    return new Centre(options, rollouts, { picture, claim })
  }

  get role(): Role {
    return this.#claim.role
  }

  /** The centre that acts, if it is another one. */
  get actingCentre(): string | undefined {
    return this.#claim.actingCentre
  }

  hear({ topic, payload, messageExpiryInterval: left }: Arrival): Hearing {
    const { root, centre } = this.options
    const expiry = typeof left === 'number' ? left : undefined
    if (topic === claimTopic(root)) return this.#hearClaim(payload, expiry)
    const cell = readCellTopic(root, topic)
    if (cell) return this.#hearCell(cell, payload, expiry)
    return readCentreAnswerTopic(root, topic) === centre ? this.#hearAnswer(payload) : foreign
  }

  /** To be called about once a second. */
  tick(): void {
    const before = this.role
    for (const post of this.#claim.tick()) this.options.send(post)
    if (before !== this.role) this.changes++
    this.picture.fade()
    const effects = noEffects()
    this.rollouts.step(effects)
    this.#perform(effects)
  }

  /** The devices that match, in no order. */
  *rows(search: Search = {}): Generator<DeviceRow> {
    const matches = matcher(search)
    for (const row of rowsOf(this.picture, this.labels)) if (matches(row)) yield row
  }

  /**
   * Begins a rollout.
   * @param order a `RolloutOrder`
   * @throws CentreError
   */
  async begin(order: unknown): Promise<Rollout> {
    this.#checkRole()
    const { pace, clock } = this.options
    const plan = planOf(order, pace, clock.wall(), (search) =>
      [...this.rows(search)]
        .sort((one, other) => (one.address < other.address ? -1 : 1))
        .map(({ plant, cell, device }) => ({ plant, cell, device })),
    )
    const effects = noEffects()
    const rollout = await this.rollouts.begin(plan, effects)
    this.#perform(effects)
    return rollout
  }

  /** Approves the next wave of a rollout, or not. @throws CentreError */
  approve(id: string | undefined, isApproved: boolean): Promise<Rollout> {
    return this.#change(id, (rollout, effects) => {
      if (rollout.waitsForApproval === undefined)
        throw new CentreError('REFUSED', 'rollout-no-approval', { name: rollout.record.plan.name })
      rollout.approve(isApproved, effects)
    })
  }

  /** @throws CentreError */
  pause(id: string | undefined, isPaused: boolean): Promise<Rollout> {
    return this.#change(id, (rollout, effects) => rollout.pause(isPaused, effects))
  }

  /** Begins no further device. @throws CentreError */
  stop(id: string | undefined): Promise<Rollout> {
    return this.#change(id, (rollout, effects) => rollout.stop('asked', effects))
  }

  /**
   * Sends a single command and waits for its final answer.
   * @param within seconds
   * @throws CentreError
   */
  ask(
    { plant, cell, device }: Omit<Member, 'device'> & { device?: string | undefined },
    command: { do: CommandKind; args: Record<string, unknown> },
    { within, signal }: { within: number; signal: AbortSignal },
  ): Promise<Answer> {
    this.#checkRole()
    const known = this.picture.cell(plant, cell)
    if (!known) throw new CentreError('NOT_FOUND', 'cell-missing', { cell: `${plant}/${cell}` })
    if (device !== undefined && !known.state.devices.some((one) => one.device === device))
      throw new CentreError('NOT_FOUND', 'device-missing', { device: addressOf({ plant, cell, device }) })
    return this.#asks.ask(
      { plant, cell },
      (id) => this.options.send(commandTo(this.options, { plant, cell, device }, { id, ...command }, within)),
      within,
      signal,
    )
  }

  /** Resolves when everything that has happened is written, and what follows from it is sent. */
  written(): Promise<void> {
    return this.#scribe.idle()
  }

  async close(): Promise<void> {
    await this.written()
    await this.options.store.close()
  }

  #hearClaim(payload: unknown, left: number | undefined): Hearing {
    if (isEmpty(payload)) return heard
    const read = readMessage(Claim, payload)
    if (read.problem) return this.#unreadable(read.problem)
    const before = this.role
    for (const post of this.#claim.hear(read.value, left)) this.options.send(post)
    if (before !== this.role) this.changes++
    return heard
  }

  #hearCell(
    { plant, cell, last }: CellName & { last: CellTopic },
    payload: unknown,
    left: number | undefined,
  ): Hearing {
    const isOwn = (message: { plant: string; cell: string }) =>
      message.plant === plant && message.cell === cell
    switch (last) {
      case 'state': {
        this.changes++
        if (isEmpty(payload)) {
          this.picture.forget(plant, cell)
          return heard
        }
        const read = readMessage(CellState, payload)
        if (read.problem) return this.#unreadable(read.problem)
        if (!isOwn(read.value)) return this.#unreadable(otherName)
        if (this.picture.hear(read.value, left) === 'full') this.refused.states++
        return heard
      }
      case 'gone':
        this.changes++
        this.picture.lose(plant, cell)
        return heard
      case 'answer':
        return this.#hearAnswer(payload, isOwn)
      case 'event': {
        const read = readMessage(FleetEvent, payload)
        if (read.problem) return this.#unreadable(read.problem)
        if (!isOwn(read.value)) return this.#unreadable(otherName)
        this.#hearEvent(read.value)
        return heard
      }
      default:
        // What a centre sends, or cells say to themselves.
        return heard
    }
  }

  /** Each cell needs only one centre that acknowledges its events. */
  #hearEvent(event: Event): void {
    if (this.role !== 'acting') return
    if (this.#events.isNew(event)) this.options.event?.(event)
    this.#perform({ ...noEffects(), heard: [event] })
  }

  /** @param isOwn where the topic names a cell: whether the answer is its own */
  #hearAnswer(payload: unknown, isOwn?: (answer: Answer) => boolean): Hearing {
    const read = readMessage(Answer, payload)
    if (read.problem) return this.#unreadable(read.problem)
    const answer = read.value
    if (isOwn && !isOwn(answer)) return this.#unreadable(otherName)
    const effects = noEffects()
    const isOurs = Asks.isOne(answer.id) || this.rollouts.hear(answer, effects)
    if (Asks.isOne(answer.id)) this.#asks.hear(answer)
    // What is addressed to this centre and belongs to nothing any more would be repeated for ever.
    if (finalStates.has(answer.state) && (isOurs || !isOwn)) effects.heard.push(answer)
    this.changes++
    this.#perform(effects)
    return heard
  }

  async #change(
    id: string | undefined,
    change: (rollout: Rollout, effects: Effects) => void,
  ): Promise<Rollout> {
    const rollout = this.rollouts.one(id)
    if (rollout.isOver) throw new CentreError('REFUSED', 'rollout-over', { name: rollout.record.plan.name })
    const effects = noEffects()
    change(rollout, effects)
    this.#perform(effects)
    await this.written()
    return rollout
  }

  #checkRole(): void {
    const { mayOrder } = this.options
    if (!mayOrder) throw new CentreError('REFUSED', 'not-allowed')
    if (this.role === 'reading')
      throw new CentreError('REFUSED', 'other-centre', { centre: this.actingCentre ?? '' })
    if (this.role === 'asking') throw new CentreError('REFUSED', 'no-broker')
  }

  #perform(effects: Effects): void {
    if (effects.entries.length > 0) this.changes++
    this.#scribe.perform(effects)
  }

  #unreadable(problem: Unreadable): Hearing {
    this.refused.unreadable++
    return { word: 'unreadable', problem }
  }
}

const otherName: Unreadable = { key: 'fleet-field', values: { field: 'cell' } }

/** An empty retained message deletes the one before it. */
const isEmpty = (payload: unknown) =>
  payload === '' || (payload instanceof Uint8Array && payload.length === 0)
