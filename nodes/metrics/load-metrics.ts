import { createRequire } from 'node:module'
import type * as Measuring from './measuring'

const load = createRequire(__filename)

/** On first use: Node-REDs without devices and handshakes do not need these files. */
export const loadMetrics = () => load('./measuring') as typeof Measuring
