import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { refusal, refusedError } from '../../../lib/client/error-answer'
import type { Backup } from '../../../lib/contract'
import type { Command } from '../../../lib/fleet/messages'
import { compareBackups } from '../../../lib/system/compare-backups'
import { givenBackup } from '../../backup/given-backup'
import { allowedPlace, filePlace } from '../../shared/allowed-place'
import { loadFleet } from '../../shared/load-later'
import { detailOf, placeOf } from '../../shared/node-error'
import { done, type DeviceCommand, type WorkParts } from './parts'
import { sentencesOf } from '../../sentences'

const { invalidInput } = sentencesOf('cell-agent')

/** Differences in an answer. */
const mostTold = 500
/** Backups that are kept of each device. */
const mostKept = 200

/** `{ content? }`: saves a backup in the folder of the agent, and sends it along if `content` is true. */
export const backup: DeviceCommand = async ({ name, device }, { id, args }, { signal }, parts) => {
  const saved = await device.connection.client.getBackup({}, { signal })
  const text = `${JSON.stringify(saved, null, 2)}\n`
  const folder = join('backups', name.replace(/[^\w.-]/g, '_').replace(/^\.+/, '_'))
  const stamp = new Date().toISOString().replace(/[:.]/g, '-')
  const file = join(folder, `${stamp}_${id.replace(/[^\w-]/g, '_').slice(-12)}.json`)
  const place = await placedIn(parts)(file)
  try {
    await place.write(text)
  } catch (error) {
    throw invalidInput('cell-unwritable', { file: place.path, reason: detailOf(error) }, error)
  }
  await dropOldest(filePlace(parts.RED, join(parts.folder, folder)))
  return done({
    file,
    bytes: Buffer.byteLength(text),
    fingerprint: loadFleet().fingerprintOf(saved),
    ...(args['content'] === true && { content: saved }),
  })
}

/** `{ file }` in the folder of the agent, or `{ backup }` itself. */
export const restore: DeviceCommand = async ({ name, device }, command, { signal }, parts) => {
  const { client } = device.connection
  const given = await backupOf(command, parts)
  try {
    const restored = await client.restoreBackup({ backup: given }, { signal })
    const refused = refusal(restored)
    if (refused) throw refusedError(refused, { operation: 'restoreBackup', ...placeOf(client) })
    return done({ warnings: restored.warnings })
  } finally {
    parts.prints.changed(name)
  }
}

/** `{ file }` or `{ backup }`: what differs on the device, in the parts that the backup has. */
export const compare: DeviceCommand = async ({ device }, command, { signal }, parts) => {
  const reference = await backupOf(command, parts)
  const present = await device.connection.client.getBackup({}, { signal })
  const wanted = Object.entries(present).filter(([part]) => Object.hasOwn(reference, part))
  const differences = compareBackups(reference, Object.fromEntries(wanted))
  return done({
    same: differences.length === 0,
    count: differences.length,
    differences: differences.slice(0, mostTold),
    fingerprint: loadFleet().fingerprintOf(present),
  })
}

const backupOf = ({ args }: Command, parts: WorkParts): Promise<Backup> =>
  givenBackup(args['backup'] ?? args['file'], 'backup', placedIn(parts))

/** Files below the folder of the agent, and no others. */
const placedIn =
  ({ RED, node, folder }: WorkParts) =>
  (file: string) =>
    allowedPlace(RED, node, folder)(join(folder, file), false)

async function dropOldest(folder: string): Promise<void> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.json')).sort()
  for (const file of files.slice(0, -mostKept)) await rm(join(folder, file), { force: true })
}
