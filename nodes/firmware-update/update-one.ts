import { join } from 'node:path'
import type { Node, NodeAPI } from 'node-red'
import type { FirmwareOptions, Progress, Report } from '../../lib/firmware/types'
import { loadFirmware } from '../shared/load-later'
import { spoken } from '../shared/node-error'
import type { FirmwareUpdateFields } from './fields'
import { inNodeWords } from './in-node-words'
import { show } from './show'
import type { Target } from './targets'
import type { UnderWay } from './under-way'
import type { UpdateRequest } from './wanted'

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
    asked.tell(1, { payload: percent, progress: { device: name, ...progress } }, { text, value: percent })
  }
  const run = loadFirmware().updateFirmware({
    ...how,
    journals,
    backups,
    onProgress,
    owner: ownerOf(node, id),
    signal: asked.signal,
    client: device.client,
    language: spoken() ?? 'en-US',
  })
  try {
    const report = await underWay.follow(run)
    metrics.updated(report.outcome)
    return report
  } catch (error) {
    const failure = inNodeWords(error)
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
