import { createRequire } from 'node:module'
import type * as Measuring from './measuring'

const load = createRequire(__filename)

/** Loads the metrics on first use: a Node-RED with no device and no handshake does not need their files. */
export const loadMetrics = () => load('./measuring') as typeof Measuring
