import type { Lens } from './lens'

/** What an eye sees, before any exposure. */
export interface Canvas {
  lens: Lens
  /** Distance along the camera's axis, metres; Infinity where there is nothing. */
  depth: Float32Array
  /** Reflected light, 0 to 255. */
  light: Uint8Array
}
