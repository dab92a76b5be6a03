import type { NodeAPI, Node, NodeMessageInFlow } from 'node-red'
import { join } from 'node:path'
import type { WaveEnd } from '../../lib/firmware'
import type { Choices, FirmwareOptions, Progress, Step, Report } from '../../lib/firmware/types'
import { allowedFolders, filePlace } from '../shared/allowed-place'
import { isCommanded, pagesNeedLogin } from '../shared/permission'
import { number, type TypedName } from '../shared/read-fields'
import { numberOf } from '../shared/fields/checked-fields'
import type { NodeInput } from '../device/on-input'
import { firmwareUpdateNode, type FirmwareUpdateFields } from './fields'
import { sentencesOf } from '../sentences'
import { VisionError } from '../../lib/client/vision-error'
import type { FirmwareSentence } from '../../lib/firmware/firmware-error'
import type { StatusWord } from '../shared/status'
import { NodeAnswer, type Properties, type OutcomeSummary } from '../shared/outcome'
import { loadFirmware } from '../shared/load-later'
import { currentLanguage } from '../shared/node-error'
import type { Target } from './roll-out'
import type { UnderWay } from './unfinished'

const { invalidInput, nodeError, summarize } = sentencesOf('firmware-update')

/** A message with its values of the fields. */
export type UpdateRequest = NodeInput<TypedName<FirmwareUpdateFields>>

/** The settings for every run, including resumed ones. */
export type Settings = Pick<FirmwareOptions, 'allowedFolders' | 'timing'>

/** What a message requests, the same for all devices. */
export interface RequestedUpdate extends Pick<FirmwareOptions, 'source'> {
  choices: Choices
}

/** @throws INVALID_INPUT for an invalid time */
export function settingsOf(RED: NodeAPI, node: Node, fields: FirmwareUpdateFields): Settings {
  const patience = numberOf(firmwareUpdateNode, fields, 'patience')
  const stall = numberOf(firmwareUpdateNode, fields, 'stall')
  return {
    allowedFolders: allowedFolders(RED, node, fields.folders),
    timing: { patience, boot: patience, write: patience, stall },
  }
}

/** @throws INVALID_INPUT without a confirmation or an artifact */
export function wantedOf(
  RED: NodeAPI,
  fields: FirmwareUpdateFields,
  { msg, read, text }: UpdateRequest,
): RequestedUpdate {
  const { mode, confirmed, onUnhealthy, onChanged, allowFallback } = fields
  // A command of a centre confirms nothing.
  const isConfirmed = confirmed || (msg['confirm'] === true && !isCommanded(msg))
  if (mode !== 'check' && !isConfirmed) throw invalidInput('firmware-not-confirmed')
  const source = read('source')
  const [version, sha256, size] = [text('version'), text('sha256'), text('size')]
  const usable = source instanceof Uint8Array || (typeof source === 'string' && source.trim() !== '')
  if ((mode === 'update' || mode === 'upload') && !usable) throw invalidInput('firmware-source')
  const expected = {
    ...(version && { version }),
    ...(sha256 && { sha256 }),
    ...(size && { size: number('size', size, 0, Number.MAX_SAFE_INTEGER) }),
  }
  return {
    choices: { mode, expected, onUnhealthy, onChanged, allowFallback },
    ...(usable && { source: typeof source === 'string' ? filePlace(RED, source.trim()) : source }),
  }
}

/**
 * Refuses what anybody on the network may have sent: not everybody who finds a page may install firmware. A flow that
 * checks the login itself removes `msg.req` or `msg._session` from the message.
 * @throws FORBIDDEN
 */
export function requireLogin(RED: NodeAPI, msg: NodeMessageInFlow): void {
  const { req, _session } = msg as { req?: unknown; _session?: { type?: unknown } }
  // Node-RED requires no login there, whatever its settings say.
  if (_session?.type === 'websocket') throw nodeError('FORBIDDEN', 'firmware-web-socket')
  if (req !== undefined && !pagesNeedLogin(RED)) throw nodeError('FORBIDDEN', 'firmware-no-login')
}

/** Errors of the procedure, with what the user of this node can do about them. */
const halves = {
  'firmware-no-reboot': 'firmware-to-resume',
  'firmware-not-back': 'firmware-to-resume',
  'firmware-interrupted': 'firmware-to-resume',
  'firmware-not-allowed': 'firmware-to-allow',
} as const satisfies Partial<Record<FirmwareSentence, string>>

/** An error of the procedure, with what the user of this node can do about it. */
export function toNodeError(error: unknown): unknown {
  if (!(error instanceof VisionError) || !hasHalf(error.key)) return error
  const { code, key, message, cause } = error
  return nodeError(code, halves[key], { problem: message }, cause)
}

const hasHalf = (key: string): key is keyof typeof halves => Object.hasOwn(halves, key)

const words: Record<Step, StatusWord> = {
  check: 'checkingFirmware',
  backup: 'savingBackup',
  upload: 'uploading',
  write: 'writingImage',
  rollback: 'rollingBack',
  reboot: 'rebooting',
  verify: 'verifying',
}

/** Shows a step as the status of the node. A device that restarts is away for a while, which is not an error. */
const show = (
  progress: (word: StatusWord, count?: number) => void,
  { step, stepPercent, waitsFor, givesUpIn }: Progress,
) => {
  if (waitsFor === 'image') progress('waitsForImage', givesUpIn)
  else if (waitsFor === 'device' && step !== 'reboot') progress('waitsForDevice')
  else progress(words[step], step === 'upload' ? Math.floor(stepPercent) : 0)
}

/** The outcome for one device of several. */
type Result = { device: string; wave: number } & WaveEnd<Report>

/** The output after one device. @throws REFUSED, or ABORTED, with the outcome as its message */
export function endOfOne(report: Report): NodeAnswer {
  if (report.ok) return new NodeAnswer({ payload: report }, { text: report.text, value: report.active })
  const { text, outcome } = report
  throw nodeError(outcome === 'aborted' ? 'ABORTED' : 'REFUSED', 'firmware-ended', { text })
}

/** The output after several devices. @throws REFUSED naming those that failed or were not begun */
export function endOfAll(
  results: readonly Result[],
  tell: (summary: Properties, told: OutcomeSummary) => void,
): NodeAnswer {
  const payload = results.map(shown)
  const left = results.filter(({ ok }) => !ok)
  const count = results.length - left.length
  const about = summarize('result-devices', { count }, { value: count })
  if (left.length === 0) return new NodeAnswer({ payload }, about)
  tell({ step: 'end', results: payload }, about)
  const names = left.map(({ device }) => device).join(', ')
  throw nodeError('REFUSED', 'firmware-waves', { count: left.length, all: results.length, names })
}

const shown = (result: Result): Properties => {
  const { device, wave, state, ok } = result
  if (state === 'done') return { device, wave, state, ok, report: result.result }
  if (state === 'skipped') return { device, wave, state, ok }
  const { code, message } = result.error as { code?: string; message: string }
  return { device, wave, state, ok, error: { code, message } }
}

/** A node with what its work on all messages shares. */
export interface Updater {
  RED: NodeAPI
  node: Node
  fields: FirmwareUpdateFields
  underWay: UnderWay
  /** Folders. */
  journals: string
  backups: string
}

export function placesOf(RED: NodeAPI): Pick<Updater, 'journals' | 'backups'> {
  const { userDir = '' } = RED.settings as { userDir?: string }
  const place = join(userDir, 'vision-firmware')
  return { journals: join(place, 'journals'), backups: join(place, 'backups') }
}

/** The options that differ between runs. */
export type UpdateRunOptions = Omit<
  FirmwareOptions,
  'client' | 'journals' | 'backups' | 'owner' | 'onProgress' | 'signal' | 'language'
>

/** Updates one device; if the node closes, the run stops where it is and continues after the next start. */
export async function updateOne(
  { node, underWay, journals, backups }: Updater,
  asked: UpdateRequest,
  { id, name, device }: Target,
  how: UpdateRunOptions,
): Promise<Report> {
  const { metrics } = device
  const own = {}
  const onProgress = (progress: Progress) => {
    metrics.updating(own, progress.step)
    show(asked.progress, progress)
    const { percent, text } = progress
    asked.notify(1, { payload: percent, progress: { device: name, ...progress } }, { text, value: percent })
  }
  const run = loadFirmware().updateFirmware({
    ...how,
    journals,
    backups,
    onProgress,
    owner: ownerOf(node, id),
    signal: asked.signal,
    client: device.client,
    language: currentLanguage() ?? 'en-US',
  })
  try {
    const report = await underWay.follow(run)
    metrics.updated(report.outcome)
    return report
  } catch (error) {
    const failure = toNodeError(error)
    // A closed node has not ended the update: it continues after the next start.
    if (!asked.signal.aborted) metrics.updated('failed')
    throw failure
  } finally {
    metrics.updating(own)
  }
}

/** The owner in the journal of a device: the node, and the config node of the device. */
const ownerOf = ({ id }: Node, device: string) => `${id} ${device}`

/** The config nodes of the devices that this node began with, from the owners in their journals. */
export const devicesOfOwners = ({ id }: Node, owners: readonly (string | undefined)[]): string[] =>
  owners.flatMap((owner = '') => {
    const [node, device] = owner.split(' ')
    return node === id && device !== undefined ? [device] : []
  })
