import type { FirmwareOptions, Progress, Report } from '../../lib/firmware/types'
import type { Connection } from '../device-config/connection'
import { spoken } from '../shared/node-error'
import { loadFirmware } from './load-firmware'
import type { UnderWay } from './under-way'

/** What a message wants, the same for all devices. */
export type Wanted = Omit<FirmwareOptions, 'client' | 'journals' | 'backups' | 'onProgress' | 'signal'>

interface Around extends Pick<FirmwareOptions, 'journals' | 'backups' | 'owner'> {
  signal: AbortSignal
  tell: (progress: Progress) => void
}

/** Updates one device; a node that closes stops it where it is, and goes on after the next start. */
export const updateOne = (
  underWay: UnderWay,
  wanted: Wanted,
  { client }: Connection,
  { tell, ...around }: Around,
): Promise<Report> =>
  underWay.follow(
    loadFirmware().updateFirmware({
      ...wanted,
      ...around,
      client,
      onProgress: tell,
      language: spoken() ?? 'en-US',
    }),
  )
