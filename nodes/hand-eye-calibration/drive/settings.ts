/** Settings, parts and journal of a driven calibration. */
import { join } from 'node:path'
import type { Node, NodeAPI } from 'node-red'
import type {
  AnswerSettings,
  DetectedTag,
  CalibratedPoses,
  CalibrationJournal,
} from '../../../lib/calibration'
import type { Image } from '../../../lib/codec/images/codec'
import { pictureNow } from '../../../lib/images'
import { type GridPattern, gridPattern } from '../../../lib/images/grid'
import type { MotionLimits } from '../../../lib/robot-motion'
import type { PlanCamera, PlanLimits, PlannerSettings, Attempt, Pose } from '../../../lib/robotics'
import type { Connection } from '../../device/connection'
import { imagePlace } from '../../device/device'
import { inPipeline } from '../../device/known-nodes'
import { type DeployedRobot, boxOf } from '../../robot-motion/deployed-robot'
import { sentencesOf } from '../../sentences'
import { type NumberName, numberOf } from '../../shared/fields/checked-fields'
import { detailOf, currentLanguage } from '../../shared/node-error'
import { isPose } from '../device'
import { type HandEyeCalibrationFields, handEyeCalibrationNode } from '../fields'
import type { CalibrationStep, Setup } from '../session'
import type { Inbound } from '../steps'
import type { Driving, LocalizedReport } from './driving'
import { readAttempts } from '../../../lib/calibration/planned-calibration'
import { openValue, StorageError, type DurableValue } from '../../../lib/kernel/storage'
import { Type } from '../../../lib/typebox'

const { invalidInput, nodeError } = sentencesOf('hand-eye-calibration')

/** Stored with a finished calibration for a check months later. */
export interface StoredCalibration extends CalibratedPoses {
  /** Flange poses of a check, the start pose last. */
  looks: Pose[]
  /** ISO 8601. */
  at: string
  /** A grid in a picture, or a tag. @default 'picture' */
  by?: string
}

interface Stored {
  version: 1
  /** Grid, mounting and axes, as text. */
  settings: string
  attempts: readonly Attempt[]
  isUnderWay: boolean
  pending?: StoredCalibration
  /** In use by the device. */
  saved?: StoredCalibration
  /** Without sightings, saving removes what the camera was checked against. */
  replacesSaved?: true
}

const Marked = Type.Unsafe<Stored>(Type.Object({ version: Type.Literal(1) }))

const nothing: Stored = { version: 1, settings: '', attempts: [], isUnderWay: false }

/** One file per node, written before anything moves again. Rejects with INTERNAL if it cannot be read or written. */
export class DriveJournal implements CalibrationJournal {
  readonly #file: string
  readonly #onDamage: (damage: StorageError) => void
  #opening: Promise<DurableValue<Stored>> | undefined

  /** @param onDamage called if the last good copy replaces a damaged file */
  constructor(folder: string, id: string, onDamage: (damage: StorageError) => void = () => undefined) {
    this.#file = join(folder, `${encodeURIComponent(id)}.json`)
    this.#onDamage = onDamage
  }

  /** @throws INVALID_INPUT if damaged */
  async read(): Promise<readonly Attempt[]> {
    return (await this.#load()).attempts
  }

  async append(attempt: Attempt): Promise<void> {
    const stored = await this.#load()
    await this.#store({ ...stored, attempts: [...stored.attempts, attempt] })
  }

  async replace(attempts: readonly Attempt[]): Promise<void> {
    await this.#store({ ...(await this.#load()), attempts })
  }

  /** Started, and neither saved nor ended. @throws INVALID_INPUT if damaged */
  async isUnderWay(): Promise<boolean> {
    const { isUnderWay, attempts } = await this.#load()
    return isUnderWay && attempts.length > 0
  }

  /** What people are shown of it, with the reason where it cannot be read: then nobody knows what was interrupted. */
  async overview(): Promise<{ isUnderWay: boolean; hasSaved: boolean; problem?: unknown }> {
    try {
      return { isUnderWay: await this.isUnderWay(), hasSaved: (await this.saved()) !== undefined }
    } catch (problem) {
      return { isUnderWay: false, hasSaved: false, problem }
    }
  }

  /** Whether a calibration with these settings can go on. @throws INVALID_INPUT if the file is damaged */
  async canContinue(settings: string): Promise<'yes' | 'nothing' | 'other-settings'> {
    if (!(await this.isUnderWay())) return 'nothing'
    const stored = await this.#load()
    return stored.settings === settings ? 'yes' : 'other-settings'
  }

  /** A saved calibration stays; an unusable file is renamed. */
  async begin(settings: string): Promise<void> {
    const { saved } = await this.#loadAnew()
    await this.#store({ ...nothing, settings, isUnderWay: true, ...(saved && { saved }) })
  }

  /** @param pending undefined without sightings */
  async finish(pending: StoredCalibration | undefined): Promise<void> {
    const more = pending ? { pending } : { replacesSaved: true as const }
    await this.#store({ ...(await this.#load()), ...more })
  }

  async keep(): Promise<void> {
    const { pending, saved, settings, replacesSaved } = await this.#load()
    const stored = pending ?? (replacesSaved ? undefined : saved)
    await this.#store({ ...nothing, settings, ...(stored && { saved: stored }) })
  }

  async end(): Promise<void> {
    const { saved } = await this.#loadAnew()
    await this.#store({ ...nothing, ...(saved && { saved }) })
  }

  async saved(): Promise<StoredCalibration | undefined> {
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
  error instanceof StorageError ? error.because(currentLanguage()) : detailOf(error)

function isValid({ attempts, pending, saved }: Stored): boolean {
  const stored: unknown[] = [pending, saved].filter((each) => each !== undefined)
  return readAttempts(attempts) !== undefined && stored.every(isStoredCalibration)
}

/** Poses are checked like those of attempts. */
function isStoredCalibration(value: unknown): value is StoredCalibration {
  if (typeof value !== 'object' || value === null) return false
  const { camera, grid, looks, robotMounted, at, by = 'picture' } = value as Partial<StoredCalibration>
  if (typeof robotMounted !== 'boolean' || typeof at !== 'string' || typeof by !== 'string') return false
  if (!Array.isArray(looks) || looks.length < 2) return false
  return readAttempts([camera, grid, ...looks].map((robot) => ({ purpose: 'taught', robot }))) !== undefined
}

export interface DriveSettings {
  /** Who moves the robot: this software or the flow. */
  by: 'robot' | 'flow'
  sightings: HandEyeCalibrationFields['sightings']
  /** Id; empty without a tag. */
  tag: string
  confirm: 'each' | 'first' | 'none'
  /** Seconds to confirm, and for the robot of a flow to arrive. */
  confirmWithin: number
  arriveWithin: number
  /** Metres. */
  pattern: GridPattern
  /** For a device that only reports whether it sees the grid. */
  answers: AnswerSettings
  plan: Omit<PlannerSettings, 'camera'> & { limits: Partial<PlanLimits> & Pick<PlanLimits, 'step'> }
}

/** Degrees; without the grid's pose, larger tilts lose it. */
const usualTilt = 30

/** Robots reach poses with a tolerance: the next step may be a little longer than planned. */
const share = 0.95

/**
 * @param robot its limits; undefined if the flow moves it
 * @throws INVALID_INPUT naming a setting; RangeError for an impossible grid
 */
function driveSettings(
  fields: HandEyeCalibrationFields,
  { robotMounted, axis, parameters, grid: { z: ahead } }: Setup,
  robot: MotionLimits | undefined,
  patternOf: (width: number, height: number, rows: number) => GridPattern,
): DriveSettings {
  const value = <Name extends NumberName<typeof handEyeCalibrationNode>>(name: Name) =>
    numberOf(handEyeCalibrationNode, fields, name)
  const { grid_width, grid_height, tcp_offset } = parameters
  const grid = { width: Number(grid_width), height: Number(grid_height) }
  const { step, turn, box } = robot ?? {
    ...{ step: value('step') / 1000, turn: value('turn'), box: boxOf(fields.box.trim()) },
  }
  const metres = (name: 'nearest' | 'farthest' | 'floor' | 'reach') => {
    const millimetres = value(name)
    return millimetres === undefined ? {} : { [name]: millimetres / 1000 }
  }
  const [x, y, z] = box ?? []
  const goal = { metres: value('wantedMillimetres') / 1000, degrees: value('wantedDegrees') }
  const room = {
    ...metres('floor'),
    ...metres('reach'),
    step: { metres: share * step, degrees: share * turn },
    ...(x &&
      y &&
      z && { box: { least: { x: x[0], y: y[0], z: z[0] }, most: { x: x[1], y: y[1], z: z[1] } } }),
  }
  return {
    sightings: fields.sightings,
    tag: isTag(fields.sightings) ? tagIn(fields.tag) : '',
    answers: {
      ...{ robotMounted, distance: Math.abs(ahead), wanted: goal },
      limits: { ...room, tilt: Math.min(usualTilt, value('tilt')) },
    },
    by: robot ? 'robot' : 'flow',
    confirm: fields.confirm,
    confirmWithin: value('confirmWithin'),
    arriveWithin: value('arriveWithin'),
    pattern: patternOf(grid.width, grid.height, value('gridRows')),
    plan: {
      robotMounted,
      ...(axis && { fourAxis: { axis, offset: Number(tcp_offset) } }),
      grid,
      wanted: goal,
      limits: {
        ...{ ...room, tilt: value('tilt'), cone: value('cone') },
        ...metres('nearest'),
        ...metres('farthest'),
      },
    },
  }
}

/** Pixels. */
const planCamera = (picture: {
  width: number
  height: number
  focalLength: number
  principalPoint: { u: number; v: number }
}): PlanCamera => ({
  width: picture.width,
  height: picture.height,
  focalLength: picture.focalLength,
  centre: { x: picture.principalPoint.u, y: picture.principalPoint.v },
})

export const isTag = (sightings: DriveSettings['sightings']): boolean =>
  sightings === 'april' || sightings === 'qr'

/** @throws INVALID_INPUT without an id: other tags could be seen */
function tagIn(id: string): string {
  const tag = id.trim()
  if (tag === '') throw invalidInput('drive-no-tag')
  return tag
}

/** Sightings of a picture and of a tag cannot be mixed. */
export const sightedBy = ({ sightings, tag }: Pick<DriveSettings, 'sightings' | 'tag'>): string =>
  isTag(sightings) ? `${sightings} ${tag}` : sightings

export interface DriveParts {
  driving: Driving
  journal: DriveJournal
  settings: DriveSettings
  /** Undefined if the flow moves the robot. */
  deployed: DeployedRobot | undefined
  /** Takes a rectified picture. */
  take: (signal: AbortSignal) => Promise<Image>
  /** From such a picture, or as reported by the device. */
  camera: (signal: AbortSignal) => Promise<PlanCamera>
  /** Tags in the camera's frame. */
  detect: (signal: AbortSignal) => Promise<DetectedTag[]>
  /** When the node closes. */
  closing: AbortSignal
}

export interface DriveWork extends DriveParts {
  step: CalibrationStep
  inbound: Inbound
  /** By a stop, or when the node closes. */
  signal: AbortSignal
  /** Sent from the first output while the message is in progress. */
  send: (report: LocalizedReport) => void
}

const { invalidInput: invalidRobot } = sentencesOf('robot-motion')

export function journalOf(RED: NodeAPI, node: Node): DriveJournal {
  const { userDir } = RED.settings as { userDir?: string }
  return new DriveJournal(join(userDir ?? '.', 'vision-hand-eye'), node.id, (damage) =>
    node.warn(damage.inLanguage(currentLanguage())),
  )
}

interface DrivingNode {
  fields: HandEyeCalibrationFields
  setup: Setup
  driving: Driving
  journal: DriveJournal
  deployed: DeployedRobot | undefined
  device: Connection
  pipeline: string
  /** When the node closes. */
  signal: AbortSignal
}

/** @throws INVALID_INPUT naming a setting */
export function drivePartsOf(node: DrivingNode): DriveParts {
  const { fields, setup, driving, journal, deployed, device, pipeline, signal } = node
  if (fields.drive === 'robot' && !deployed) throw invalidRobot('robot-missing')
  const settings = settingsOf(fields, setup, deployed)
  const ofDevice = { device, pipeline: pipeline || '0', deadline: setup.deadline }
  const take = async (stopped: AbortSignal) =>
    pictureNow({
      ...(await imagePlace(device, ofDevice.pipeline)),
      longestSilence: setup.deadline,
      signal: stopped,
    })
  return {
    ...{ driving, journal, deployed, closing: signal, settings, take },
    camera: async (stopped) =>
      settings.sightings === 'picture' ? planCamera(await take(stopped)) : statedCamera(ofDevice, stopped),
    detect: (stopped) => detectedTags(ofDevice, settings, stopped),
  }
}

function settingsOf(fields: HandEyeCalibrationFields, setup: Setup, deployed: DeployedRobot | undefined) {
  try {
    return driveSettings(fields, setup, deployed?.settings.limits, gridPattern)
  } catch (error) {
    if (error instanceof RangeError) throw invalidInput('drive-bad-plan', { problem: detailOf(error) })
    throw error
  }
}

/** Other brands use their own prefix. */
const modules = { april: 'dev_april_tag_detect', qr: 'dev_qr_code_detect' } as const

const cameraNode = 'dev_camera'

interface TagDevice {
  device: Connection
  pipeline: string
  /** Milliseconds. */
  deadline: number
}

/** @throws VisionError FORBIDDEN without its licence, and other errors of a call */
async function detectedTags(
  { device, pipeline, deadline }: TagDevice,
  { sightings, tag }: Pick<DriveSettings, 'sightings' | 'tag'>,
  signal: AbortSignal,
): Promise<DetectedTag[]> {
  const node = sightings === 'qr' ? modules.qr : modules.april
  const { response } = await device.onNode({ pipeline, node, signal }, (target) =>
    device.client.callService(
      {
        ...inPipeline(target),
        service: 'detect',
        args: { tags: [{ id: tag }], pose_frame: 'camera' },
      },
      { signal, deadline },
    ),
  )
  const { tags } = response as { tags?: unknown }
  return (Array.isArray(tags) ? (tags as unknown[]) : []).filter(isDetectedTag)
}

const isDetectedTag = (value: unknown): value is DetectedTag =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { id?: unknown }).id === 'string' &&
  isPose((value as { pose?: unknown }).pose)

/** By status values. @throws INTERNAL if the device does not report them */
async function statedCamera(
  { device, pipeline, deadline }: TagDevice,
  signal: AbortSignal,
): Promise<PlanCamera> {
  const { values } = await device.onNode({ pipeline, node: cameraNode, signal }, (target) =>
    device.client.getNodeStatus(inPipeline(target), { signal, deadline }),
  )
  // Devices send an empty list instead of no values.
  const stated = Array.isArray(values) ? {} : values
  const [width = 0, height = 0, focal = 0] = ['width', 'height', 'focal'].map((name) => Number(stated[name]))
  if (!(width > 0 && height > 0 && focal > 0)) throw nodeError('BAD_REPLY', 'drive-no-camera')
  // The focal length is for a picture of width 1.
  return { width, height, focalLength: focal * width }
}
