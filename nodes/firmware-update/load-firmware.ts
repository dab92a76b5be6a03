import { createRequire } from 'node:module'
import type * as Firmware from '../../lib/firmware'

/** Loads the procedure with the first node of this kind: it has more files than any other. */
export const loadFirmware = (): typeof Firmware =>
  createRequire(__filename)('../../lib/firmware') as typeof Firmware
