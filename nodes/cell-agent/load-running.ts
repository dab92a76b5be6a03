import { createRequire } from 'node:module'
import type * as Running from './running-agent'

/** Loads what an agent needs for its work with the first one that starts. */
export const loadRunning = (): typeof Running =>
  createRequire(__filename)('./running-agent') as typeof Running
