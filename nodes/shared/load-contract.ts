import { createRequire } from 'node:module'
import type * as Contract from '../../lib/contract'

/** Loads the operations on first use, because loading them takes longer than all nodes may take to load. */
export const loadContract = (): typeof Contract =>
  createRequire(__filename)('../../lib/contract') as typeof Contract
