import { createRequire } from 'node:module'
import type * as Otlp from '../../lib/otlp'

/** Loads the export with the first node that uses it. */
export const loadOtlp = (): typeof Otlp => createRequire(__filename)('../../lib/otlp') as typeof Otlp
