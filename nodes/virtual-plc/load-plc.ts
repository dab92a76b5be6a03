import { createRequire } from 'node:module'
import type * as Plc from '../../lib/plc/virtual/virtual-plc'

/** Loads the PLC at its first trigger. */
export const loadPlc = (): typeof Plc =>
  createRequire(__filename)('../../lib/plc/virtual/virtual-plc') as typeof Plc
