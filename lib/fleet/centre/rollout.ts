import { retryPause } from '../../kernel/connection'
import { topicOf, centreAnswerTopic, type Command, finalStates, type Answer } from '../messages'
import type { Member, CellPicture, Picture } from './picture'
import type { Post, Effects, Clock } from './effects'
import { jobId, zoneOf, minutesOpen } from './plan'
import type {
  MemberEnd as Ending,
  LeftOut,
  MemberEnding,
  RolloutEntry,
  StopReason,
  RolloutRecord,
} from './rollout-record'

/** Milliseconds between two requests for a job without an answer. */
const pauses = { first: 10_000, longest: 60_000, random: () => 1 }

/** Seconds that the broker keeps a command: the centre asks again anyway. */
const commandExpiry = 120

/** A job that was begun and has not ended. */
interface OpenJob {
  /** How often the cell was asked. */
  asks: number
  /** Steady milliseconds. */
  nextAskAt: number
  /** Steady milliseconds of the last sign of it. */
  signAt: number
  /** Start of the agent that was asked. */
  boot?: string
  phase?: string
  percent?: number
}

const newJob = (now: number): OpenJob => ({ asks: 0, nextAskAt: now, signAt: now })

/** Notes that the cell was asked, and when to ask again. */
function asked(job: OpenJob, now: number, boot: string): void {
  job.nextAskAt = now + retryPause(job.asks, pauses)
  job.asks++
  job.boot = boot
}

export interface Sender {
  root: string
  centre: string
  /**
   * Where cells answer: to this centre, or each in its own topic, where the broker can keep it from speaking in the name
   * of another.
   */
  answersTo: 'centre' | 'cell'
}

/** A command to the cell of a member, to be answered to this centre. */
export function commandTo(
  { root, centre, answersTo }: Sender,
  { plant, cell, device }: Omit<Member, 'device'> & { device?: string | undefined },
  command: Pick<Command, 'id' | 'do' | 'args'> & { notAfter?: string },
  expiry = commandExpiry,
): Post {
  return {
    topic: topicOf({ root, plant, cell }, 'command'),
    payload: { v: 1, from: centre, ...(device !== undefined && { device }), ...command },
    retain: false,
    ...(answersTo === 'centre' && { responseTopic: centreAnswerTopic(root, centre) }),
    correlationData: command.id,
    messageExpiryInterval: Math.max(1, Math.floor(expiry)),
  }
}

export interface RolloutContext extends Sender {
  clock: Clock
  picture: Pick<Picture, 'cell' | 'isSeen'>
  /** Makes the sentence why a device was left out. */
  say: SayLeftOut
  /** Whether this centre may send commands. */
  acts: () => boolean
}

/** The sentences about devices that were left out. */
export type SayLeftOut = (
  key: 'left-out-not-seen' | 'left-out-moved' | 'left-out-forgotten',
  values?: Readonly<Record<string, string>>,
) => string

/** The time after which a cell must not begin a command; far away, because its clock may be wrong. */
const notAfter = 24 * 3600 * 1000

/**
 * Carries out a rollout in waves: decides from states, answers and the time, and remembers by its journal. Each job has
 * an id that never changes, and a cell executes an id once; so whatever is lost or repeated, nothing is done twice.
 */
export class Rollout {
  readonly #jobs = new Map<number, OpenJob>()
  /** When this rollout began, or the centre started: steady milliseconds. */
  readonly #began: number
  /** Since when a member is waited for, because its cell is not seen: steady milliseconds. */
  readonly #missing = new Map<number, number>()

  /** Minutes for which the window is open, by zone: looked up once a minute. */
  readonly #open = new Map<string, { minute: number; open: number }>()

  constructor(
    readonly record: RolloutRecord,
    private readonly context: RolloutContext,
  ) {
    const now = (this.#began = context.clock.steady())
    for (const index of record.plan.members.keys())
      if (['begun', 'accepted'].includes(record.phase(index) ?? '')) this.#jobs.set(index, newJob(now))
  }

  get isOver(): boolean {
    return this.record.isOver
  }

  /** What a member that has not ended is doing. */
  job(index: number): Readonly<OpenJob> | undefined {
    return this.#jobs.get(index)
  }

  /** Approves the next wave, or ends the rollout. */
  approve(isApproved: boolean, effects: Effects): void {
    const wave = this.record.waitsForApproval
    if (wave === undefined) return
    this.#note(isApproved ? { kind: 'approved', wave } : { kind: 'stopped', reason: 'not-approved' }, effects)
    this.step(effects)
  }

  pause(isPaused: boolean, effects: Effects): void {
    if (this.isOver || this.record.isPaused === isPaused) return
    this.#note({ kind: isPaused ? 'paused' : 'resumed' }, effects)
    this.step(effects)
  }

  /** Begins no further device. Those that were begun end by themselves. */
  stop(reason: StopReason, effects: Effects): void {
    if (this.isOver || this.record.stopped !== undefined) return
    this.#note({ kind: 'stopped', reason }, effects)
    this.step(effects)
  }

  /** Ends a member that was not begun, without a failure: its cell is not there. */
  leaveOut(index: number, code: LeftOut, text: string, effects: Effects): void {
    if (this.isOver || this.record.phase(index) !== 'waiting') return
    this.#end(index, { ending: 'not-reached', code, text, at: this.#now() }, effects)
  }

  /** Receives an answer to the job of a member, or to a question about its status. */
  receive(
    index: number,
    { state, code, text, result, percent, phase, at }: JobReport,
    effects: Effects,
  ): void {
    const { record } = this
    const before = record.phase(index)
    if (before === undefined || before === 'waiting') return
    if (!finalStates.has(state)) {
      const job = this.#jobs.get(index)
      if (!job) return
      job.signAt = this.context.clock.steady()
      if (phase !== undefined) job.phase = phase
      if (percent !== undefined) job.percent = percent
      if (before === 'begun') this.#note({ kind: 'accepted', members: [index] }, effects)
      return
    }
    // What came too late still makes the report true.
    if (before === 'ended' && (record.ending(index)?.ending !== 'unknown' || state === 'unknown')) return
    const ending = {
      ending: endingOf[state as keyof typeof endingOf],
      ...(code !== undefined && { code }),
      ...(text !== undefined && { text }),
      ...kept(result),
      at,
    }
    this.#end(index, ending, effects)
    // A place has become free only if all were taken.
    const isFree = record.open === record.plan.pace.atOnce - 1
    if (!this.isOver && (record.open === 0 || isFree)) this.step(effects)
  }

  /** Does what is possible now. To be called about once a second, and when something has changed. */
  step(effects: Effects): void {
    const { record } = this
    while (!this.isOver) {
      if (this.#isLate()) this.#giveUp(effects)
      const at = this.#now()
      const next = record.consequence({ ending: 'skipped', at }, at)
      if (next) this.#note(next, effects)
      else {
        const { wave } = record
        this.#work(wave, effects)
        if (record.wave === wave) return
      }
    }
  }

  /** Asks for, begins or gives up the members of a wave. */
  #work(wave: number, effects: Effects): void {
    const { record, context } = this
    const now = context.clock.steady()
    const maySend = context.acts()
    let room = maySend ? record.room : 0
    const begun: number[] = []
    for (const index of record.members(wave)) {
      const phase = record.phase(index)
      if (phase === 'ended') continue
      if (phase === 'waiting') {
        if (room > 0 && this.#isReady(index, now, effects)) {
          begun.push(index)
          room--
        }
      } else this.#follow(index, now, maySend, effects)
    }
    if (begun.length === 0) return
    this.#note({ kind: 'begun', members: begun }, effects)
    for (const index of begun) {
      this.#jobs.set(index, newJob(now))
      this.#follow(index, now, maySend, effects)
    }
  }

  /** Whether a member can begin now; ends it if its cell has not been seen for too long. */
  #isReady(index: number, now: number, effects: Effects): boolean {
    const { pace } = this.record.plan
    const cell = this.#cellOf(index)
    if (!cell || !this.context.picture.isSeen(cell)) {
      const since = this.#missing.get(index) ?? now
      this.#missing.set(index, since)
      // A cell that is lost in the middle of a rollout may be lost because of it; one that was never there is not.
      if (now - since >= 1000 * pace.reachWithin) {
        if (cell && cell.at > this.#began)
          this.#end(index, { ending: 'not-reached', at: this.#now() }, effects)
        else this.leaveOut(index, 'NOT_SEEN', this.context.say('left-out-not-seen'), effects)
      }
      return false
    }
    this.#missing.delete(index)
    return this.#secondsOpen(index) > 0
  }

  /** Requests a job that was begun, repeats the request, and gives up without an answer. */
  #follow(index: number, now: number, maySend: boolean, effects: Effects): void {
    const { record, context } = this
    const job = this.#jobs.get(index)
    const member = record.plan.members[index]
    if (!job || !member) return
    const cell = this.#cellOf(index)
    const id = jobId(record.plan, index)
    const working = cell?.state.working.find((one) => one.id === id)
    if (cell && working) {
      job.signAt = Math.max(job.signAt, cell.at)
      if (working.phase !== undefined) job.phase = working.phase
      if (working.percent !== undefined) job.percent = working.percent
    }
    if (now - job.signAt >= 1000 * record.plan.pace.answerWithin) {
      this.#end(index, { ending: 'unknown', code: 'TIMEOUT', at: this.#now() }, effects)
      return
    }
    if (!maySend || !cell || !context.picture.isSeen(cell)) return
    const isNewStart = job.boot !== undefined && job.boot !== cell.state.boot
    if (now < job.nextAskAt && !isNewStart) return
    const isAccepted = record.phase(index) === 'accepted'
    // A closed window ends requests for jobs that may not have begun, not questions about their status.
    if (!isAccepted && this.#secondsOpen(index) === 0) return
    asked(job, now, cell.state.boot)
    const { do: kind, args } = record.plan
    const latest = new Date(context.clock.wall() + notAfter).toISOString()
    effects.posts.push(
      isAccepted
        ? commandTo(context, member, {
            id: `${id}.${context.clock.wall()}.${job.asks % 1000}`,
            do: 'status',
            args: { job: id },
          })
        : commandTo(
            context,
            member,
            { id, do: kind, args, notAfter: latest },
            Math.min(commandExpiry, this.#secondsOpen(index)),
          ),
    )
  }

  /** Time is up: what was not begun is not reached, the outcome of the rest is unknown. */
  #giveUp(effects: Effects): void {
    const at = this.#now()
    this.#note({ kind: 'stopped', reason: 'late' }, effects)
    for (const index of [...this.#jobs.keys()])
      this.#end(index, { ending: 'unknown', code: 'TIMEOUT', at }, effects)
    this.#note({ kind: 'skipped', ending: 'not-reached', at }, effects)
  }

  #isLate(): boolean {
    const { startedAt, pace } = this.record.plan
    return this.context.clock.wall() - Date.parse(startedAt) > 1000 * pace.endsWithin
  }

  /** Seconds for which a device may still be begun; 0 outside its window. */
  #secondsOpen(index: number): number {
    const { members, pace } = this.record.plan
    const member = members[index]
    if (!pace.window || !member) return Infinity
    const zone = zoneOf(pace, member)
    const seconds = this.context.clock.wall() / 1000
    const minute = Math.floor(seconds / 60)
    const known = this.#open.get(zone)
    const open = known?.minute === minute ? known.open : minutesOpen(pace.window, zone, 60_000 * minute)
    this.#open.set(zone, { minute, open })
    return open && 60 * (open + minute) - seconds
  }

  #cellOf(index: number): CellPicture | undefined {
    const member = this.record.plan.members[index]
    return member && this.context.picture.cell(member.plant, member.cell)
  }

  #end(index: number, ending: MemberEnding, effects: Effects): void {
    this.#jobs.delete(index)
    this.#missing.delete(index)
    this.#note({ kind: 'ended', member: index, ending }, effects)
  }

  #now(): string {
    return new Date(this.context.clock.wall()).toISOString()
  }

  #note(entry: RolloutEntry, { entries }: Effects): void {
    this.record.apply(entry)
    entries.push({ rollout: this.record.plan.id, entry })
  }
}

/** Status of a job as its cell reports it. */
export type JobReport = Pick<Answer, 'state' | 'code' | 'text' | 'result' | 'percent' | 'phase' | 'at'>

const endingOf = {
  done: 'done',
  refused: 'failed',
  failed: 'failed',
  unknown: 'unknown',
} as const satisfies Record<string, Ending>

/** Characters of a result that are kept for the report. */
const mostOfResult = 2000

function kept(result: unknown): { result?: unknown } {
  if (result === undefined) return {}
  const text = JSON.stringify(result)
  return { result: text.length <= mostOfResult ? result : `${text.slice(0, mostOfResult)}…` }
}
