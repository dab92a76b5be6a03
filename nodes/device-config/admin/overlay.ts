import type { Device } from '../../device/device'
import { calibrationCall, drawFound, type DrawnOverlay } from '../../pictures/found'
import { type AdminCall, jsonBody } from '../../shared/admin'

export type { DrawnOverlay } from '../../pictures/found'

/**
 * Draws the answer of a detection service over a picture of the left camera: `{ pipeline, answer, args, camera, title }`.
 * @throws INVALID_INPUT naming what cannot be used; errors of reading the calibration
 */
export function overlayFor({ inspection }: Device, { request, signal }: AdminCall): Promise<DrawnOverlay> {
  const { pipeline, answer, args, camera, title } = jsonBody(request)
  const place = typeof pipeline === 'string' && pipeline !== '' ? pipeline : '0'
  const calibration = async () => {
    const call = { pipeline: place, ...calibrationCall }
    return ((await inspection.ask('callService', call, { signal })) as { response?: unknown }).response
  }
  return drawFound({ answer, args, camera, calibration, ...(typeof title === 'string' && { title }) })
}
