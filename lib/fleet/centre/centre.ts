import { randomUUID } from 'node:crypto'
import { Replies } from '../../kernel/replies'
import { type Answer, type CommandKind, type FleetEvent, topicOf } from '../messages'
import { CentreError, centreSentences } from './centre-error'
import { PendingQuestions } from './questions'
import { ClaimKeeper, type Role } from './claim'
import { noEffects, type Effects, type Clock, type Post, EffectRunner } from './effects'
import { Incoming, type Arrival, type Receipt } from './incoming'
import { commandTo, type Sender, type Rollout, type SayLeftOut } from './rollout'
import {
  Labels,
  addressOf,
  type Member,
  Picture,
  type CellPicture,
  otherOf,
  rowsOf,
  seenSerials,
  type DeviceRow,
} from './picture'
import { planOf, type Pace, type RolloutPlan } from './plan'
import type { RolloutStore } from './rollout-record'
import { Rollouts, type LeftOutReason } from './rollouts'
import { matcher, type Search } from './views'

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
  /** Publishes a message; lost ones are repeated. */
  send: (post: Post) => void
  /** Receives each event of a cell, once as long as this program runs. */
  event?: (event: FleetEvent) => void
  /** Receives failures to write journals. */
  failed?: (error: unknown) => void
  /** Makes the sentence why a device was left out of a rollout. @default in English */
  say?: SayLeftOut
}

/** Seconds for the broker to delete the retained state of a cell. */
const deletedWithin = 10

const sayInEnglish: SayLeftOut = (key, values) => centreSentences.say(key, values)

/** A cell by its names. */
type CellPlace = Pick<Member, 'plant' | 'cell'>

/**
 * Knows all cells from what they publish, and requests what is ordered. The centre requests; each cell decides, executes and
 * reports. In: messages and the time. Out: messages.
 */
export class Centre {
  readonly picture: Picture
  readonly labels: Labels
  readonly #claim: ClaimKeeper
  readonly #effects: EffectRunner
  readonly #questions = new PendingQuestions()
  readonly #incoming: Incoming
  /** Cells that are forgotten as soon as the broker confirms it, and why. */
  readonly #leaving = new Map<string, LeftOutReason>()
  readonly #deletions = new Replies<void>()
  /** Counts changes of what can be shown. */
  changes = 0

  private constructor(
    private readonly options: CentreOptions,
    readonly rollouts: Rollouts,
    parts: { picture: Picture; claim: ClaimKeeper },
  ) {
    const { root, store, send, labels, failed = () => undefined } = options
    this.picture = parts.picture
    this.#claim = parts.claim
    this.labels = new Labels(labels)
    this.#effects = new EffectRunner({ root, store, send, failed })
    this.#incoming = new Incoming({
      ...options,
      ...parts,
      rollouts,
      questions: this.#questions,
      perform: (effects) => this.#perform(effects),
      left: (cell) => {
        const name = `${cell.plant}/${cell.cell}`
        const forgotten = { code: 'FORGOTTEN', text: this.#say('left-out-forgotten') } as const
        this.#leaveOut(cell, this.#leaving.get(name) ?? forgotten)
        this.#deletions.reply(name, undefined)
      },
      changed: () => {
        this.changes++
      },
    })
  }

  /** Opens a centre with the rollouts of its journals. @throws Error of the file system */
  static async open(options: CentreOptions): Promise<Centre> {
    const { root, centre, answersTo, boot = randomUUID(), clock, store, mayOrder } = options
    const picture = new Picture({ clock })
    const claim = new ClaimKeeper({ root, centre, boot, clock })
    const acts = () => mayOrder && claim.role === 'acting'
    const { say = sayInEnglish } = options
    const rollouts = await Rollouts.open({ root, centre, answersTo, clock, picture, acts, say }, store)
    return new Centre(options, rollouts, { picture, claim })
  }

  get name(): string {
    return this.options.centre
  }

  get mayOrder(): boolean {
    return this.options.mayOrder
  }

  get role(): Role {
    return this.#claim.role
  }

  /** The centre that acts, if it is another one. */
  get actingCentre(): string | undefined {
    return this.#claim.actingCentre
  }

  /** States of cells for which there is no room. */
  get refusedStates(): number {
    return this.#incoming.refusedStates
  }

  receive(arrival: Arrival): Receipt {
    return this.#incoming.receive(arrival)
  }

  /** To be called about once a second. */
  tick(): void {
    const before = this.role
    for (const post of this.#claim.tick()) this.options.send(post)
    if (before !== this.role) this.changes++
    this.picture.expire()
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
    const ordered = planOf(order, pace, clock.wall(), (search) =>
      [...this.rows(search)]
        // The first wave shows whether it works: of cells that are seen, if there are any.
        .sort((one, other) => Number(other.seen) - Number(one.seen) || (one.address < other.address ? -1 : 1))
        .map(({ plant, cell, device }) => ({ plant, cell, device })),
    )
    const { plan, leftOut } = this.#withoutMissing(ordered)
    const effects = noEffects()
    const rollout = await this.rollouts.begin(plan, effects, leftOut)
    this.#perform(effects)
    return rollout
  }

  /** The plan with the devices last whose cells are not there, and why each of them is left out. @throws CentreError */
  #withoutMissing(plan: RolloutPlan) {
    const serials = seenSerials(this.picture)
    const reasons = new Map(
      plan.members.flatMap((member): [Member, LeftOutReason][] => {
        const cell = this.picture.cell(member.plant, member.cell)
        // A cell without a state so far may still report.
        if (!cell || this.picture.isSeen(cell)) return []
        const device = this.picture.device(member)
        const place = device ? otherOf(serials, device, addressOf(member)) : ''
        if (place) return [[member, { code: 'MOVED', text: this.#say('left-out-moved', { place }) }]]
        const isLong = this.picture.ageOf(cell) > plan.pace.reachWithin
        return isLong ? [[member, { code: 'NOT_SEEN', text: this.#say('left-out-not-seen') }]] : []
      }),
    )
    const there = plan.members.filter((member) => !reasons.has(member))
    if (there.length === 0)
      throw new CentreError('REFUSED', 'order-none-there', { count: plan.members.length })
    const members = [...there, ...reasons.keys()]
    const leftOut = new Map([...reasons.values()].map((reason, index) => [there.length + index, reason]))
    return { plan: { ...plan, members }, leftOut }
  }

  /**
   * Forgets a cell that is not there any more, here and at the broker, whose confirmation is that the deletion comes back. What
   * an open rollout has not begun on the cell is left out.
   * @param movedTo the cell that has its devices now, if it was renamed or moved
   * @throws CentreError where the cell is seen, or the other one has none of its devices; `OUTCOME_UNKNOWN` without a
   * confirmation, and the reason of the abort: then the cell is still known
   */
  async forget(
    { plant, cell }: CellPlace,
    { movedTo, signal }: { movedTo?: CellPlace; signal?: AbortSignal } = {},
  ): Promise<void> {
    this.#checkRole()
    const known = this.#known({ plant, cell })
    const name = `${plant}/${cell}`
    if (this.picture.isSeen(known)) throw new CentreError('REFUSED', 'cell-is-seen', { cell: name })
    let reason: LeftOutReason = { code: 'FORGOTTEN', text: this.#say('left-out-forgotten') }
    if (movedTo) {
      const place = `${movedTo.plant}/${movedTo.cell}`
      const serials = this.#known(movedTo).state.devices.map(({ serial }) => serial)
      const isSame = known.state.devices.some(({ serial }) => serial && serials.includes(serial))
      if (!isSame) throw new CentreError('REFUSED', 'cell-not-same', { cell: name, place })
      reason = { code: 'MOVED', text: this.#say('left-out-moved', { place }) }
    }
    if (this.#leaving.has(name)) throw new CentreError('BUSY', 'cell-is-forgotten', { cell: name })
    this.#leaving.set(name, reason)
    try {
      const { reply } = this.#deletions.ask({
        ...{ token: name, within: 1000 * deletedWithin, signal },
        unanswered: () =>
          new CentreError('OUTCOME_UNKNOWN', 'forget-unconfirmed', { cell: name, seconds: deletedWithin }),
      })
      const { root } = this.options
      this.options.send({ topic: topicOf({ root, plant, cell }, 'state'), payload: '', retain: true })
      await reply
    } finally {
      this.#leaving.delete(name)
    }
    await this.written()
  }

  #known({ plant, cell }: CellPlace): CellPicture {
    const known = this.picture.cell(plant, cell)
    if (!known) throw new CentreError('NOT_FOUND', 'cell-missing', { cell: `${plant}/${cell}` })
    return known
  }

  #leaveOut(cell: CellPlace, reason: LeftOutReason): void {
    const effects = noEffects()
    this.rollouts.leaveOut(cell, reason, effects)
    this.#perform(effects)
  }

  #say(...given: Parameters<SayLeftOut>): string {
    const { say = sayInEnglish } = this.options
    return say(...given)
  }

  /** Approves the next wave of a rollout, or not. @throws CentreError */
  approve(id: string | undefined, isApproved: boolean): Promise<Rollout> {
    return this.#change(id, (rollout, effects) => {
      if (rollout.record.waitsForApproval === undefined)
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
    return this.#questions.ask(
      { plant, cell },
      (id) => this.options.send(commandTo(this.options, { plant, cell, device }, { id, ...command }, within)),
      within,
      signal,
    )
  }

  /** Resolves when everything that has happened is written, and what follows from it is sent. */
  written(): Promise<void> {
    return this.#effects.idle()
  }

  async close(): Promise<void> {
    await this.written()
    await this.options.store.close()
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
    this.#effects.perform(effects)
  }
}
