import { checked } from './check-settings'
import type { PlannerSettings, PlanSettings } from './settings'

/** @throws RangeError with a sentence for a setting that cannot be planned with */
export function planSettings({
  robotMounted,
  fourAxis,
  grid,
  camera,
  limits = {},
  wanted = { metres: 0.001, degrees: 0.1 },
  most = 16,
}: PlannerSettings): PlanSettings {
  return checked({
    robotMounted,
    fourAxis,
    grid,
    camera: { ...camera, centre: camera.centre ?? { x: camera.width / 2, y: camera.height / 2 } },
    limits: {
      tilt: 40,
      roll: 65,
      cone: 100,
      step: { metres: 0.3, degrees: 40 },
      margin: 0.04,
      ...limits,
    },
    wanted,
    most,
  })
}
