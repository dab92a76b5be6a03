import { addressOf } from './member'
import type { Rollout } from './rollout'
import type { Ending, MemberEnding, StopReason } from './rollout-entries'

/** `running`, or what it waits for; `stopping`: what was begun is ending; `ended`: nothing more comes. */
export type RolloutState = 'running' | 'paused' | 'waits-for-approval' | 'stopping' | 'ended'

/** How a rollout stands, for people: one row of a table. */
export interface RolloutProgress {
  id: string
  name: string
  do: string
  state: RolloutState
  /** Why it ended early, or is ending. */
  stopped: StopReason | ''
  /** Waves begun, and all. */
  wave: number
  waves: number
  devices: number
  /** Devices that are being worked on. */
  working: number
  /** Devices that have not been begun. */
  waiting: number
  done: number
  failed: number
  unknown: number
  notReached: number
  skipped: number
  /** Of the devices that have ended. */
  percent: number
  /** ISO 8601 */
  startedAt: string
  endedAt: string | null
}

export function progressOf(rollout: Rollout): RolloutProgress {
  const { record } = rollout
  const { plan, counts, ended, open } = record
  const devices = plan.members.length
  const waves = record.waves.length - 1
  return {
    id: plan.id,
    name: plan.name,
    do: plan.do,
    state: stateOf(rollout),
    stopped: record.stopped ?? '',
    wave: Math.min(waves, record.wave + 1),
    waves,
    devices,
    working: open,
    waiting: devices - ended - open,
    done: counts.done,
    failed: counts.failed,
    unknown: counts.unknown,
    notReached: counts['not-reached'],
    skipped: counts.skipped,
    percent: Math.floor((100 * ended) / devices),
    startedAt: plan.startedAt,
    endedAt: record.finishedAt ?? null,
  }
}

function stateOf(rollout: Rollout): RolloutState {
  const { record } = rollout
  if (rollout.isOver) return 'ended'
  if (record.stopped !== undefined) return 'stopping'
  if (record.isPaused) return 'paused'
  return rollout.waitsForApproval === undefined ? 'running' : 'waits-for-approval'
}

/** A device in the report of a rollout. */
export interface MemberRow extends Partial<Omit<MemberEnding, 'ending'>> {
  address: string
  wave: number
  state: Ending | 'waiting' | 'working'
  phase?: string
  percent?: number
}

/** How each device stands; those that failed first. */
export function membersOf(rollout: Rollout): MemberRow[] {
  const { record } = rollout
  let wave = 0
  const rows = record.plan.members.map((member, index): MemberRow => {
    while (index >= (record.waves[wave] ?? Infinity)) wave++
    const { ending, ...rest } = record.ending(index) ?? {}
    const { phase, percent } = rollout.job(index) ?? {}
    return {
      address: addressOf(member),
      wave,
      state: ending ?? (record.phase(index) === 'waiting' ? 'waiting' : 'working'),
      ...rest,
      ...(phase !== undefined && { phase }),
      ...(percent !== undefined && { percent }),
    }
  })
  return rows.sort((one, other) => rank[one.state] - rank[other.state])
}

const rank: Readonly<Record<MemberRow['state'], number>> = {
  failed: 0,
  unknown: 1,
  'not-reached': 2,
  working: 3,
  waiting: 4,
  skipped: 5,
  done: 6,
}
