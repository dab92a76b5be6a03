import { createRequire } from 'node:module'
import type * as VirtualDevice from '../../virtual-device'

/** Loads the virtual device on first use, because loading it takes longer than all nodes may take to load. */
export const loadVirtualDevice = (): typeof VirtualDevice =>
  createRequire(__filename)('../../virtual-device') as typeof VirtualDevice
