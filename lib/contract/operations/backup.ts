import { Type } from '../../typebox'
import type { Operation } from '../operation'
import { Backup, RestoreResult } from '../schemas/system'

const inBackup = (what: string) => Type.Optional(Type.Boolean({ default: true, description: what }))

/** Settings of the device as a whole. */
export const backup = {
  getBackup: {
    method: 'GET',
    path: '/system/backup',
    summary: 'Back up the settings',
    query: {
      pipelines: inBackup('node settings'),
      load_carriers: inBackup('load carriers'),
      regions_of_interest: inBackup('regions of interest'),
      grippers: inBackup('grippers'),
    },
    result: Backup,
    errors: {},
    ubjson: true,
  },
  restoreBackup: {
    method: 'POST',
    path: '/system/backup',
    summary: 'Restore saved settings',
    body: { encoding: 'json', fields: { backup: Backup }, bare: true },
    result: RestoreResult,
    errors: {},
    ubjson: true,
    farReaching: true,
  },
} as const satisfies Record<string, Operation>
