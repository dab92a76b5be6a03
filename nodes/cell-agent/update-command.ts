import { orUndefined, settled } from '../../lib/kernel/scope'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { urlIn } from '../../lib/contract/reading/address'
import type { FleetArtifact as Artifact } from '../../lib/fleet/messages'
import type { RemoteArtifact } from '../../lib/firmware'
import type { Progress, Report } from '../../lib/firmware/types'
import type { CommandWork, Ending } from '../../lib/fleet/agent/agent'
import { placesOf } from '../firmware-update/update-one'
import { aborted } from '../shared/handle-input'
import { filePlace } from '../shared/allowed-place'
import { loadFirmware, loadFleet } from '../shared/load-later'
import { currentLanguage } from '../shared/node-error'
import type { DeviceCommand, WorkParts } from './commands'
import { sentencesOf } from '../sentences'

const { invalidInput, nodeError } = sentencesOf('cell-agent')

/** Artifacts that are kept, the newest. */
const mostKept = 3

/** Devices of a cell are updated from the same file. */
const fetching = new Map<string, Promise<void>>()

/** `{ artifact: { url, sha256, size }, version?, onUnhealthy? }`: the report of the update. */
export const updateFirmware: DeviceCommand = async ({ name, device }, command, work, parts) => {
  const { args, id } = command
  const artifact = allowedArtifact(args['artifact'], parts)
  const { version, onUnhealthy = 'keep' } = args
  if (version !== undefined && typeof version !== 'string')
    throw invalidInput('cell-argument', { argument: 'version' })
  if (onUnhealthy !== 'keep' && onUnhealthy !== 'rollback')
    throw invalidInput('cell-argument', { argument: 'onUnhealthy' })

  const { connection, metrics } = device
  const { journals, backups } = placesOf(parts.RED)
  const { updateFirmware: update, Journal } = loadFirmware()
  const journal = new Journal(journals, currentLanguage())
  const folder = filePlace(parts.RED, join(parts.folder, 'firmware'))
  const file = join(folder, `${artifact.sha256}.bin`)
  const serial =
    work.resumed?.['serial'] ?? (await connection.client.getSystem({ signal: work.signal })).serial
  if (work.resumed?.['serial'] !== undefined) {
    const last = await journal.read(serial)
    // Another update came after it: what this one has done is no longer known.
    if (last && last.job !== id && last.startedAt !== work.resumed['last'])
      throw nodeError('OUTCOME_UNKNOWN', 'cell-update-unknown', { device: connection.client.name })
  }
  const ending = new AbortController()
  work.abortable(() => {
    ending.abort()
    return Promise.resolve()
  })
  const signal = AbortSignal.any([work.signal, ending.signal])
  await fetched(artifact, file, folder, { signal, progress: work.progress }, parts)
  const last = (await journal.read(serial))?.startedAt ?? ''
  if (work.resumed?.['serial'] === undefined) await work.stage({ serial, last })

  const own = {}
  const run = update({
    ...{ client: connection.client, source: file, allowedFolders: [folder], journals, backups },
    ...{ job: id, owner: `${parts.node.id} ${name}`, patient: true, onUnhealthy },
    expected: { sha256: artifact.sha256, size: artifact.size, ...(version !== undefined && { version }) },
    timing: { patience: parts.patience, boot: parts.patience, write: parts.patience },
    onProgress: ({ step, percent }: Progress) => {
      metrics.updating(own, step)
      work.progress(step, percent)
    },
    signal: work.signal,
    language: currentLanguage() ?? 'en-US',
  })
  work.abortable(() => run.abort())
  try {
    const report = await run.done
    metrics.updated(report.outcome)
    return endOf(report)
  } catch (error) {
    if (!work.signal.aborted) metrics.updated('failed')
    throw error
  } finally {
    metrics.updating(own)
    parts.prints.changed(name)
  }
}

const endOf = ({ ok, text, ...report }: Report): Ending =>
  ok
    ? { state: 'done', text, result: report }
    : { state: 'failed', code: report.outcome === 'aborted' ? 'ABORTED' : 'REFUSED', text, result: report }

/** @throws INVALID_INPUT for one that this cell does not fetch */
function allowedArtifact(given: unknown, { sources, mostArtifact }: WorkParts): RemoteArtifact {
  const { FleetArtifact, readMessage } = loadFleet()
  const { value } = readMessage<typeof Artifact>(FleetArtifact, given)
  if (!value) throw invalidInput('cell-artifact')
  const url = urlIn(value.url)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw invalidInput('cell-argument', { argument: 'artifact.url' })
  const isAllowed = sources.some((source) => hostWritten(source, url.protocol) === url.host)
  if (!isAllowed) throw nodeError('FORBIDDEN', 'cell-source', { host: url.host })
  if (value.size > mostArtifact)
    throw invalidInput('cell-artifact-large', { megabytes: Math.floor(mostArtifact / 1024 ** 2) })
  return value
}

/** A host of the settings as a URL of that protocol names it: in lower case, without the usual port. */
export function hostWritten(source: string, protocol: string): string | undefined {
  return urlIn(`${protocol}//${source}`)?.host
}

async function fetched(
  artifact: RemoteArtifact,
  file: string,
  folder: string,
  { signal, progress }: Pick<CommandWork, 'signal' | 'progress'>,
  { patience }: WorkParts,
): Promise<void> {
  const { fetchArtifact } = loadFirmware()
  progress('fetch')
  // Whoever comes second waits; a fetch that another command has ended is begun again.
  for (let other = fetching.get(file); other; other = fetching.get(file)) {
    await Promise.race([settled(other), aborted(signal)])
    if (signal.aborted) throw nodeError('ABORTED', 'cell-fetch-aborted')
  }
  const own = dropOldest(folder, file).then(() =>
    fetchArtifact(artifact, file, {
      ...{ signal, patience, language: currentLanguage() },
      onProgress: (share) => progress('fetch', 100 * share),
    }),
  )
  fetching.set(file, own)
  await own.finally(() => fetching.delete(file))
}

/** Makes room before another file comes. */
async function dropOldest(folder: string, wanted: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      return { path, at: (await orUndefined(stat(path)))?.mtimeMs ?? 0 }
    }),
  )
  const others = files
    .filter(({ path }) => path !== wanted && path !== `${wanted}.part` && !isFetching(path))
    .sort((one, other) => other.at - one.at)
  for (const { path } of others.slice(mostKept - 1)) await rm(path, { force: true })
}

const isFetching = (path: string) => [...fetching.keys()].some((file) => path.startsWith(file))
