import { createRequire } from 'node:module'
import type * as Library from '../../lib'

/** Loads the client on first use, because loading it takes longer than all nodes may take to load. */
export const loadClient = (): typeof Library => createRequire(__filename)('../../lib') as typeof Library
