import { addressOf, membersOf } from '../../../lib/fleet/centre'
import { jobId } from '../../../lib/fleet/centre/plan'
import { Broker } from './broker'
import { ModelCell, type Deeds } from './cell'
import { ModelCentre } from './centre'
import { World } from './world'

/** What is wrong after a run, and what happened in it. */
export interface FleetRun {
  wrong: string[]
  faults: number
  rollouts: number
  /** Devices by how their rollout says they ended. */
  endings: Record<string, number>
}

const stormy = 300_000
/** Milliseconds until everything must have ended. */
const most = 3_000_000

/** Codes of answers that say that nothing was executed. */
const notExecuted = new Set(['EXPIRED', 'RESTARTED', 'BUSY', 'NOT_ALLOWED', 'RETAINED'])

/** Runs two centres, a broker and some cells through all kinds of faults. */
export async function runFleet(seed: number): Promise<FleetRun> {
  const world = new World(seed, stormy)
  const broker = new Broker(world)
  const deeds: Deeds = { executed: new Map(), wrong: [] }
  const cells = ['c1', 'c2', 'c3', 'c4'].map(
    (name) => new ModelCell(world, broker, name, ['left', 'right'], deeds),
  )
  const centres = ['a', 'b'].map((name) => new ModelCentre(world, broker, name))
  let faults = 0

  const order = () => {
    if (!world.isStormy) return
    const centre = centres[Math.floor(world.within(2))]
    const kind = ['update-firmware', 'set-parameters', 'backup'][Math.floor(world.within(3))]
    const artifact = { url: 'http://127.0.0.1/a', sha256: '0'.repeat(64), size: 1 }
    centre?.centre
      ?.begin({
        do: kind,
        args: kind === 'update-firmware' ? { artifact } : {},
        devices: cells.flatMap(({ plant, cell, devices }) =>
          devices.filter(() => world.chance(0.7)).map((device) => addressOf({ plant, cell, device })),
        ),
        ...{ canary: Math.floor(world.within(2)), wave: 1 + Math.floor(world.within(4)) },
        ...{ stopAfter: 1 + Math.floor(world.within(6)), approval: 'none' },
        ...(world.chance(0.3) && { approval: 'canary', canary: 1 }),
      })
      // Another one acts, no broker yet, no device chosen, or a device has its turn in another rollout.
      .catch((error: unknown) => {
        if ((error as Error).name !== 'CentreError') deeds.wrong.push(String(error))
      })
    world.later(order, world.within(60_000))
  }
  const people = () => {
    for (const { centre } of centres)
      for (const rollout of centre?.rollouts.open ?? []) {
        const { id } = rollout.record.plan
        const left = (error: unknown) => deeds.wrong.push(String(error))
        if (rollout.record.waitsForApproval !== undefined)
          centre?.approve(id, world.chance(0.9) || !world.isStormy).catch(left)
        else if (!world.isStormy && rollout.record.isPaused) centre?.pause(id, false).catch(left)
        else if (world.isStormy && world.chance(0.1)) centre?.pause(id, !rollout.record.isPaused).catch(left)
        else if (world.isStormy && world.chance(0.03)) centre?.stop(id).catch(left)
      }
    world.later(people, 5000 + world.within(10_000))
  }
  const faulty = (what: () => void, gap: number) => {
    const strike = () => {
      if (!world.isStormy) return
      faults++
      what()
      world.later(strike, gap / 2 + world.within(gap))
    }
    world.later(strike, world.within(gap))
  }
  const any = <One>(list: readonly One[]) => list[Math.floor(world.within(list.length))]
  faulty(() => broker.kill(world.within(15_000)), 120_000)
  faulty(() => any(cells)?.kill(world.within(20_000)), 25_000)
  faulty(() => any(cells)?.unplug(world.within(90_000)), 60_000)
  faulty(() => any(centres)?.kill(world.within(20_000)), 60_000)
  faulty(() => any(centres)?.unplug(world.within(60_000)), 90_000)
  world.later(order, 6000)
  world.later(people, 10_000)

  const isOver = () =>
    !world.isStormy &&
    centres.every(({ centre, rollouts }) => centre && rollouts.every((rollout) => rollout.isOver)) &&
    cells.every(({ pending, between }) => pending === 0 && between.length === 0)
  if (!(await world.runUntil(isOver, most))) {
    deeds.wrong.push('something waits for ever')
    for (const { name, centre, rollouts } of centres)
      deeds.wrong.push(
        `${name}: ${centre?.role ?? 'dead'}, open: ${rollouts.filter((one) => !one.isOver).length}`,
      )
    for (const { cell, pending, between } of cells)
      deeds.wrong.push(`${cell}: ${pending} not acknowledged, updating ${between.join(' ')}`)
  }
  return { ...judge(centres, deeds), faults }
}

function judge(centres: readonly ModelCentre[], { executed, wrong }: Deeds): Omit<FleetRun, 'faults'> {
  const endings: FleetRun['endings'] = {}
  let rollouts = 0
  for (const [id, count] of executed) if (count > 1) wrong.push(`${id} was executed ${count} times`)
  for (const centre of centres) {
    const known = centre.rollouts
    if (known.length !== centre.begun.length) wrong.push(`${centre.name} has lost a rollout`)
    for (const rollout of known) {
      rollouts++
      const { plan } = rollout.record
      const rows = new Map(membersOf(rollout).map((row) => [row.address, row]))
      for (const [index, member] of plan.members.entries()) {
        const { state, code = '' } = rows.get(addressOf(member)) ?? { state: 'missing' }
        endings[state] = (endings[state] ?? 0) + 1
        const count = executed.get(jobId(plan, index)) ?? 0
        const isTrue =
          state === 'unknown' ||
          (state === 'done' && count === 1) ||
          (state === 'failed' && count === (notExecuted.has(code) ? 0 : 1)) ||
          ((state === 'skipped' || state === 'not-reached') && count === 0)
        if (!isTrue)
          wrong.push(`${jobId(plan, index)} is reported as ${state} ${code}, executed ${count} times`)
      }
    }
  }
  return { wrong, rollouts, endings }
}
