import type { CalibrationAnswer } from './answers'
import type { Setup } from './setup'

/**
 * The accuracy of a calibration against the limits. Undefined errors are not reported by the device, and never good.
 */
export interface Judgement {
  isGood: boolean
  millimetres: number | undefined
  degrees: number | undefined
}

export function judged(
  { translation_error_meter: metres, rotation_error_degree: degrees }: CalibrationAnswer,
  limits: Setup['limits'],
): Judgement {
  const millimetres = metres === undefined ? undefined : 1000 * metres
  const isGood =
    millimetres !== undefined &&
    degrees !== undefined &&
    millimetres <= limits.millimetres &&
    degrees <= limits.degrees
  return { isGood, millimetres, degrees }
}
