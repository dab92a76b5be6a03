import { createRequire } from 'node:module'
import type * as Overlays from '../../lib/overlay'

const load = createRequire(__filename)

/** Loads the drawing of what a service has found on first use. */
export const loadOverlay = (): typeof Overlays => load('../../lib/overlay') as typeof Overlays
