import { createRequire } from 'node:module'
import type * as Library from '../../lib'

/** Loads the client at its first use: that takes longer than loading all nodes may take. */
export const loadClient = (): typeof Library => createRequire(__filename)('../../lib') as typeof Library
