import { join } from 'node:path'
import { readAttempts } from '../../../lib/calibration/planned-calibration'
import type { CalibratedPoses, CalibrationJournal } from '../../../lib/calibration'
import { openValue, StorageError, type DurableValue } from '../../../lib/kernel/storage'
import type { Attempt, Pose } from '../../../lib/robotics'
import { Type } from '../../../lib/typebox'
import { detailOf, spoken } from '../../shared/node-error'
import { sentencesOf } from '../../sentences'

const { invalidInput, nodeError } = sentencesOf('hand-eye-calibration')

/** What a finished calibration leaves for a check months later. */
export interface KeptCalibration extends CalibratedPoses {
  /** Poses of the hand from which a check looks, the start pose last. */
  looks: Pose[]
  /** ISO 8601. */
  at: string
  /** What was looked at, the grid in a picture or a tag. @default 'picture' */
  by?: string
}

interface Stored {
  version: 1
  /** Grid, mounting and axes, as text: attempts of other settings say nothing. */
  settings: string
  attempts: readonly Attempt[]
  isUnderWay: boolean
  /** The result that waits until it is saved on the device. */
  pending?: KeptCalibration
  /** The one that the device uses. */
  saved?: KeptCalibration
  /** Once the result is saved, there is nothing to check the camera against: nobody knows where the grid was seen. */
  replacesSaved?: true
}

const Marked = Type.Unsafe<Stored>(Type.Object({ version: Type.Literal(1) }))

const nothing: Stored = { version: 1, settings: '', attempts: [], isUnderWay: false }

/**
 * The calibration of one node in a file: each look is in it before anything moves again. Rejects with INTERNAL if the file
 * cannot be read or written.
 */
export class DriveJournal implements CalibrationJournal {
  readonly #file: string
  readonly #onDamage: (damage: StorageError) => void
  #opening: Promise<DurableValue<Stored>> | undefined

  /**
   * @param folder is made when it is needed
   * @param id of the node
   * @param onDamage called if the last good copy is used in place of a damaged file
   */
  constructor(folder: string, id: string, onDamage: (damage: StorageError) => void = () => undefined) {
    this.#file = join(folder, `${encodeURIComponent(id)}.json`)
    this.#onDamage = onDamage
  }

  /** @throws INVALID_INPUT if the file is damaged */
  async read(): Promise<readonly Attempt[]> {
    return (await this.#load()).attempts
  }

  async append(attempt: Attempt): Promise<void> {
    const stored = await this.#load()
    await this.#store({ ...stored, attempts: [...stored.attempts, attempt] })
  }

  /** Replaces the attempts of a calibration that goes on. */
  async replace(attempts: readonly Attempt[]): Promise<void> {
    await this.#store({ ...(await this.#load()), attempts })
  }

  /** Whether a calibration was begun and neither saved nor ended. @throws INVALID_INPUT if the file is damaged */
  async isUnderWay(): Promise<boolean> {
    const { isUnderWay, attempts } = await this.#load()
    return isUnderWay && attempts.length > 0
  }

  /** Whether a calibration with these settings can go on. @throws INVALID_INPUT if the file is damaged */
  async canContinue(settings: string): Promise<'yes' | 'nothing' | 'other-settings'> {
    if (!(await this.isUnderWay())) return 'nothing'
    const stored = await this.#load()
    return stored.settings === settings ? 'yes' : 'other-settings'
  }

  /** Forgets the attempts; a saved calibration stays. A file that cannot be used is renamed. */
  async begin(settings: string): Promise<void> {
    const { saved } = await this.#loadAnew()
    await this.#store({ ...nothing, settings, isUnderWay: true, ...(saved && { saved }) })
  }

  /** The result of the attempts, which waits to be saved. @param pending undefined without sightings */
  async finish(pending: KeptCalibration | undefined): Promise<void> {
    const more = pending ? { pending } : { replacesSaved: true as const }
    await this.#store({ ...(await this.#load()), ...more })
  }

  /** The result was saved on the device: the calibration is over. */
  async keep(): Promise<void> {
    const { pending, saved, settings, replacesSaved } = await this.#load()
    const kept = pending ?? (replacesSaved ? undefined : saved)
    await this.#store({ ...nothing, settings, ...(kept && { saved: kept }) })
  }

  /** Ends a calibration without a result. */
  async end(): Promise<void> {
    const { saved } = await this.#loadAnew()
    await this.#store({ ...nothing, ...(saved && { saved }) })
  }

  async saved(): Promise<KeptCalibration | undefined> {
    return (await this.#load()).saved
  }

  async #load(): Promise<Stored> {
    return (await this.#open('refuse')).value
  }

  async #loadAnew(): Promise<Stored> {
    const file = await this.#open('refuse').catch(() => this.#open('begin'))
    return file.value
  }

  #open(unusable: 'begin' | 'refuse'): Promise<DurableValue<Stored>> {
    this.#opening ??= openValue({
      ...{ file: this.#file, onDamage: this.#onDamage, unusable },
      ...{ schema: Marked, isValid, initial: nothing, bytes: 64 * 1024 * 1024 },
    }).catch((error: unknown) => {
      this.#opening = undefined
      throw error instanceof StorageError && error.reason.key !== 'reason-system'
        ? invalidInput('drive-journal-damaged', { file: this.#file })
        : nodeError('INTERNAL', 'drive-journal-unreadable', { detail: reasonOf(error) })
    })
    return this.#opening
  }

  async #store(stored: Stored): Promise<void> {
    const file = await this.#open('refuse')
    try {
      await file.set(stored)
    } catch (error) {
      throw nodeError('INTERNAL', 'drive-journal-unwritable', { detail: reasonOf(error) })
    }
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof StorageError ? error.because(spoken()) : detailOf(error)

function isValid({ attempts, pending, saved }: Stored): boolean {
  const kept: unknown[] = [pending, saved].filter((each) => each !== undefined)
  return readAttempts(attempts) !== undefined && kept.every(isKept)
}

/** Its poses are checked as those of attempts are. */
function isKept(value: unknown): value is KeptCalibration {
  if (typeof value !== 'object' || value === null) return false
  const { camera, grid, looks, robotMounted, at, by = 'picture' } = value as Partial<KeptCalibration>
  if (typeof robotMounted !== 'boolean' || typeof at !== 'string' || typeof by !== 'string') return false
  if (!Array.isArray(looks) || looks.length < 2) return false
  return readAttempts([camera, grid, ...looks].map((robot) => ({ purpose: 'taught', robot }))) !== undefined
}
