import { createRequire } from 'node:module'
import type * as Contract from '../../lib/contract'

/** Loads the operations at their first use: that takes longer than loading all nodes may take. */
export const loadContract = (): typeof Contract =>
  createRequire(__filename)('../../lib/contract') as typeof Contract
