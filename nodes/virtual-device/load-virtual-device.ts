import { createRequire } from 'node:module'
import type * as VirtualDevice from '../../virtual-device'

/** Loads the virtual device at its first use: that takes longer than loading all nodes may take. */
export const loadVirtualDevice = (): typeof VirtualDevice =>
  createRequire(__filename)('../../virtual-device') as typeof VirtualDevice
