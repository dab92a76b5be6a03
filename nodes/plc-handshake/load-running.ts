import { createRequire } from 'node:module'
import type * as Running from './running'

/** Loads what a handshake needs at the first one: a Node-RED without a PLC does not need its hundred files. */
export const loadRunning = (): typeof Running => createRequire(__filename)('./running') as typeof Running
