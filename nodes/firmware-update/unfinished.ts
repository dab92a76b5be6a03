import type { FirmwareRun, Report } from '../../lib/firmware/types'
import { sentencesOf } from '../sentences'
import type { Rollout } from '../../lib/firmware'
import { asSentence, invalidInput } from '../shared/sentences'
import { loadFirmware } from '../shared/load-later'
import { NoAnswer, type Outcome } from '../shared/outcome'
import { currentLanguage } from '../shared/node-error'
import { whenStarted } from '../shared/handle-input'
import {
  endOfAll,
  endOfOne,
  devicesOfOwners,
  updateOne,
  type Updater,
  settingsOf,
  type UpdateRequest,
} from './update-one'
import { goOnWith, nameOfDevice, targetOf } from './roll-out'

const { nodeError } = sentencesOf('firmware-update')

/** Ends the work on several devices for good: no further one begins. */
interface Stoppable {
  stop: () => Promise<void>
}

/** What a node is updating at present, and how messages reach it meanwhile. */
export class UnderWay {
  readonly #runs = new Set<FirmwareRun>()
  #rollout: Stoppable | undefined
  #approval: ((approved: boolean) => void) | undefined

  /** Settles as the run does. */
  async follow(run: FirmwareRun) {
    this.#runs.add(run)
    try {
      return await run.done
    } finally {
      this.#runs.delete(run)
    }
  }

  /** Settles as the work on several devices does. */
  async followAll<Result>(rollout: Stoppable, work: () => Promise<Result>): Promise<Result> {
    this.#rollout = rollout
    try {
      return await work()
    } finally {
      this.#rollout = undefined
    }
  }

  /** Resolves with the answer whether the next wave may begin; false if the node closes. */
  approval(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const ended = () => this.approve(false)
      this.#approval = (approved) => {
        this.#approval = undefined
        signal.removeEventListener('abort', ended)
        resolve(approved)
      }
      signal.addEventListener('abort', ended)
      if (signal.aborted) ended()
    })
  }

  /** @throws REFUSED if nothing waits for approval */
  approve(approved: boolean): void {
    if (!this.#approval) throw nodeError('REFUSED', 'firmware-no-approval')
    this.#approval(approved)
  }

  /**
   * Ends everything for good that may still be ended; resolves when that would survive a power failure.
   * @returns false if nothing is in progress
   * @throws REFUSED if a device is restarting
   */
  async abort(): Promise<boolean> {
    const [runs, rollout] = [[...this.#runs], this.#rollout]
    if (runs.length === 0 && !rollout) return false
    await rollout?.stop()
    if (this.#approval) this.#approval(false)
    const aborted = await Promise.allSettled(runs.map((run) => run.abort()))
    for (const { status, reason } of aborted as { status: string; reason?: Error }[])
      if (status === 'rejected' && reason)
        throw rollout ? nodeError('REFUSED', 'firmware-abort-rest', { problem: reason.message }) : reason
    return true
  }
}

/** The unfinished work of a node. */
interface Unfinished {
  rollout: Rollout | undefined
  /** Config nodes of devices that are not part of the rollout. */
  devices: string[]
}

/** @throws INVALID_INPUT if the journal of its rollout cannot be read */
export async function unfinishedOf({
  node,
  journals,
}: Updater): Promise<Unfinished & { unreadable: Error[] }> {
  const { Journal, Rollout, RolloutJournal } = loadFirmware()
  const rollout = await Rollout.open(new RolloutJournal(journals, currentLanguage()), node.id)
  const { entries, unreadable } = await new Journal(journals, currentLanguage()).unfinished()
  const apart = entries.filter((entry) => !rollout?.has(entry))
  const devices = devicesOfOwners(
    node,
    apart.map(({ owner }) => owner),
  )
  return { rollout, devices: [...new Set(devices)], unreadable }
}

/** Continues what was interrupted: a rollout, or the unfinished devices. */
export async function goOn(updater: Updater, asked: UpdateRequest): Promise<Outcome> {
  const { fields } = updater
  const { rollout, devices } = await unfinishedOf(updater)
  if (rollout) return goOnWith(updater, asked, rollout)
  const [first = fields.device, ...more] = devices
  if (more.length === 0) return endOfOne(await resume(updater, asked, first))
  const results = await loadFirmware().inWaves({
    ...{ items: devices, stopAfter: Infinity, succeeded: ({ ok }: Report) => ok },
    work: (id) => resume(updater, asked, id),
  })
  const named = results.map(({ item, ...result }) => ({ device: nameOfDevice(updater.RED, item), ...result }))
  return endOfAll(named, (summary, told) => asked.notify(1, { payload: 100, progress: summary }, told))
}

async function resume(updater: Updater, asked: UpdateRequest, id: string) {
  const { RED, node, fields } = updater
  const isOwn = id === fields.device
  const own = { id: fields.device, device: asked.device }
  const target = targetOf(RED, node, { id, name: isOwn ? '' : nameOfDevice(RED, id) }, own)
  if (!target) throw invalidInput('no-device')
  try {
    return await updateOne(updater, asked, target, { ...settingsOf(RED, node, fields), resume: true })
  } finally {
    target.leave()
  }
}

/** Unreadable journals are reported once. */
const told = new Set<string>()

/**
 * Continues what the node had begun before Node-RED stopped: each part takes its turn among the messages.
 * @param begin begins work of the node's own
 */
export function goOnAfterStart(
  updater: Updater,
  begin: (work: (asked: UpdateRequest) => Promise<Outcome>) => void,
): void {
  const { RED, node } = updater
  const goOnWithRollout = async (asked: UpdateRequest) => {
    const { rollout } = await unfinishedOf(updater)
    // A message with the same request may have come first.
    return rollout ? goOnWith(updater, asked, rollout) : new NoAnswer()
  }
  let closed = false
  const started = async () => {
    const { rollout, devices, unreadable } = await unfinishedOf(updater)
    if (closed) return
    if (rollout) begin(goOnWithRollout)
    for (const device of devices) begin(async (asked) => endOfOne(await resume(updater, asked, device)))
    for (const { message } of unreadable)
      if (!told.has(message)) {
        told.add(message)
        node.warn(message)
      }
  }
  const takeBack = whenStarted(RED, () => {
    started().catch((error: unknown) => {
      if (!closed) node.error(asSentence(error), {})
    })
  })
  node.on('close', () => {
    closed = true
    takeBack()
  })
}

/** Ends for good what was interrupted and is not being continued. @returns false if there is nothing */
export async function abandon(updater: Updater): Promise<boolean> {
  const { rollout } = await unfinishedOf(updater)
  await rollout?.stop()
  const journal = new (loadFirmware().Journal)(updater.journals, currentLanguage())
  const abandoned = await journal.abandon(({ owner }) => devicesOfOwners(updater.node, [owner]).length > 0)
  return rollout !== undefined || abandoned
}
