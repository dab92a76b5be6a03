import { createClient, firmware, type Client } from '../../lib'
import { pointsOf, type Point } from './points'

/** What is done in a run of the kill test. */
export interface Job {
  address: string
  /** Where journals and backups are kept. */
  folder: string
  source: string
  kind: Kind
}

/** What is to come of a run, wherever something dies in it. */
export const kinds = {
  /** The new version runs. */
  good: 'updated',
  /** The image cannot start: the device falls back. */
  bootFails: 'fell-back',
  /** A parameter is not as before: the new version is given up. */
  spoilt: 'rolled-back',
  /** No update, but a rollback that was asked for. */
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

/** Begins the run, or goes on with it. */
export async function carryOut(
  { address, folder, source, kind }: Job,
  reached: (point: Point) => void,
): Promise<firmware.Report> {
  const client = createClient({ address, deadline: 1000, random: () => 0 })
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

/** Changes a parameter before the new version comes. */
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
