import { createRequire } from 'node:module'
import type * as Procedure from './procedure'

/** Loads the procedure at the first message: with its linear algebra it is larger than all other nodes together. */
export const loadProcedure = (): typeof Procedure =>
  createRequire(__filename)('./procedure') as typeof Procedure
