import { createClient, firmware, type Client } from '../../lib'
import { pointsOf, type Point } from './points'

/** The work of one run in the kill test. */
export interface Job {
  address: string
  /** Folder of journals and backups. */
  folder: string
  source: string
  kind: Kind
}

/** The expected outcome of a run, wherever something is killed in it. */
export const kinds = {
  /** The new version runs. */
  good: 'updated',
  /** The image cannot start: the device falls back. */
  bootFails: 'fell-back',
  /** A parameter has changed: the new version is rolled back. */
  spoilt: 'rolled-back',
  /** No update, but a requested rollback. */
  back: 'rolled-back',
} as const
export type Kind = keyof typeof kinds

const timing: firmware.FirmwareOptions['timing'] = {
  patience: 30,
  stall: 5,
  write: 3,
  boot: 30,
  settle: 0.2,
  grace: 2,
  poll: 0.05,
}

/** Begins or resumes the run. */
export async function carryOut(
  { address, folder, source, kind }: Job,
  reached: (point: Point) => void,
): Promise<firmware.Report> {
  const client = createClient({ address, deadline: 10_000, random: () => 0 })
  const watched = pointsOf(kind === 'spoilt' ? spoiling(client) : client, reached)
  const [journals, backups] = [`${folder}/journals`, `${folder}/backups`]
  try {
    const open = await new firmware.Journal(journals).open()
    const whole =
      kind === 'back' ? { mode: 'rollback' as const } : { source, expected: { version: 'v2.0.0' } }
    return await firmware.updateFirmware({
      ...watched,
      journals,
      backups,
      timing,
      onUnhealthy: 'rollback',
      onChanged: 'unhealthy',
      ...(open.length ? { resume: true } : whole),
    }).done
  } finally {
    await client.close()
  }
}

/** Changes a parameter before the new version boots. */
const spoiling = (client: Client): Client =>
  new Proxy(client, {
    get: (target, name: keyof Client) =>
      name !== 'uploadFirmware'
        ? target[name]
        : async (...args: Parameters<Client['uploadFirmware']>) => {
            await target.setParameter({ pipeline: '0', node: 'dev_camera', param: 'fps', value: 10 })
            return target.uploadFirmware(...args)
          },
  })
