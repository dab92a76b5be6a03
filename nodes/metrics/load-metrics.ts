import { createRequire } from 'node:module'
import type * as Measuring from './measuring'

/** Loads what measures on first use: a Node-RED with no device and no handshake does not need its files. */
export const loadMetrics = (): typeof Measuring =>
  createRequire(__filename)('./measuring') as typeof Measuring
