import { settled } from '../../kernel/scope'
import type { Answer } from '../messages'
import { CentreError } from './centre-error'
import type { Effects } from './effects'
import { addressOf } from './picture'
import { readJobId, type RolloutPlan } from './plan'
import { Rollout, type JobReport, type RolloutContext } from './rollout'
import { RolloutRecord, type LeftOut, type RolloutStore } from './rollout-record'

/** Rollouts that have not ended, and those that are remembered. */
const mostOpen = 8
const mostKept = 20

/** Why a device is left out of a rollout. */
export interface LeftOutReason {
  code: LeftOut
  text: string
}

/** The rollouts of a centre: those that are open, and the last ones that have ended. */
export class Rollouts {
  readonly #all = new Map<string, Rollout>()
  /** Those whose plan is being written: nothing happens before that. */
  readonly #beginning = new Set<Rollout>()

  private constructor(
    private readonly context: RolloutContext,
    private readonly store: RolloutStore,
  ) {}

  /** Continues the rollouts of the journals. */
  static async open(context: RolloutContext, store: RolloutStore): Promise<Rollouts> {
    const rollouts = new Rollouts(context, store)
    for (const { plan, entries } of await store.load()) {
      const record = new RolloutRecord(plan)
      for (const entry of entries) record.apply(entry)
      rollouts.#all.set(plan.id, new Rollout(record, context))
    }
    return rollouts
  }

  /** The last one first. */
  get all(): Rollout[] {
    return [...this.#all.values()].reverse()
  }

  get open(): Rollout[] {
    return this.all.filter(({ isOver }) => !isOver)
  }

  /**
   * @throws CentreError `NOT_FOUND`, and `INVALID_INPUT` without an id if not exactly one is open
   */
  one(id?: string): Rollout {
    const found = id === undefined ? this.open : [this.#all.get(id)].flatMap((one) => one ?? [])
    const [first] = found
    if (first && found.length === 1) return first
    if (id !== undefined) throw new CentreError('NOT_FOUND', 'rollout-missing', { id: id.slice(0, 64) })
    throw new CentreError('INVALID_INPUT', 'rollout-which', { count: found.length })
  }

  /** Begins a rollout when its plan would survive a power failure. @throws CentreError `BUSY` */
  async begin(
    plan: RolloutPlan,
    effects: Effects,
    leftOut: ReadonlyMap<number, LeftOutReason> = new Map(),
  ): Promise<Rollout> {
    this.#checkRoom(plan)
    const rollout = new Rollout(new RolloutRecord(plan), this.context)
    // Two orders at the same time must see each other.
    this.#beginning.add(rollout)
    try {
      await this.store.begin(plan)
      this.#all.set(plan.id, rollout)
    } finally {
      this.#beginning.delete(rollout)
    }
    for (const [index, { code, text }] of leftOut) rollout.leaveOut(index, code, text, effects)
    rollout.step(effects)
    await this.#forgetOld()
    return rollout
  }

  /** Leaves the devices of a cell out where they have not been begun: the cell has left the fleet. */
  leaveOut(
    { plant, cell }: { plant: string; cell: string },
    { code, text }: LeftOutReason,
    effects: Effects,
  ): void {
    for (const rollout of this.open) {
      for (const [index, member] of rollout.record.plan.members.entries())
        if (member.plant === plant && member.cell === cell) rollout.leaveOut(index, code, text, effects)
      rollout.step(effects)
    }
  }

  /** @returns whether the answer belongs to a rollout */
  receive(answer: Answer, effects: Effects): boolean {
    const question = statusId.exec(answer.id)
    const job = readJobId(question?.[1] ?? answer.id)
    const rollout = job && this.#all.get(job.rollout)
    const member = job && rollout?.record.plan.members[job.index]
    if (!job || !rollout || member?.plant !== answer.plant || member.cell !== answer.cell) return false
    const heard = question ? statusOf(answer) : answer
    if (heard) rollout.receive(job.index, heard, effects)
    return true
  }

  step(effects: Effects): void {
    for (const rollout of this.open) rollout.step(effects)
  }

  #checkRoom({ members }: RolloutPlan): void {
    const open = [...this.open, ...this.#beginning]
    if (open.length >= mostOpen) throw new CentreError('BUSY', 'rollout-many', { most: mostOpen })
    const wanted = new Set(members.map(addressOf))
    for (const { record } of open)
      for (const [index, member] of record.plan.members.entries())
        if (record.phase(index) !== 'ended' && wanted.has(addressOf(member)))
          throw new CentreError('BUSY', 'rollout-overlap', {
            device: addressOf(member),
            name: record.plan.name,
          })
  }

  async #forgetOld(): Promise<void> {
    const over = [...this.#all.values()].filter(({ isOver }) => isOver)
    for (const { record } of over.slice(0, Math.max(0, over.length - mostKept))) {
      this.#all.delete(record.plan.id)
      // The rollout that was ordered runs; a journal that stays is tried again after the next start.
      await settled(this.store.remove(record.plan.id))
    }
  }
}

/** The id of a question about the status of a job; each question has its own. */
const statusId = /^([^.]+\.\d+)\.[\d.]+$/

/** The status of the job in an answer; `unknown` from a cell that accepted the job and no longer knows it. */
function statusOf({ state, result, at }: Answer): JobReport | undefined {
  if (state !== 'done' || typeof result !== 'object' || result === null) return undefined
  const { known, ...job } = result as Partial<JobReport> & { known?: unknown }
  if (known === false) return { state: 'unknown', code: 'NOT_FOUND', at }
  return job.state === undefined ? undefined : { at, ...job, state: job.state }
}
