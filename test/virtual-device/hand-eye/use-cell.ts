import {
  angleOf,
  conjugated,
  degrees,
  distance,
  ofRotationVector,
  product,
  radians,
  type Pose,
} from '../../../lib/robotics'
import type { CellTruth, VirtualDeviceOptions } from '../../../virtual-device'
import type { CellSettings } from '../../../virtual-device/cell/cell'
import type { sceneSizes } from '../../../virtual-device/detection/scene'
import { send, useDevice } from '../support/use-device'

export interface CellAnswer extends Record<string, unknown> {
  success: boolean
  status: number
  message: string
}
export interface CalibrationAnswer extends CellAnswer {
  pose: Pose
  robot_mounted: boolean
  error: number
  translation_error_meter: number
  rotation_error_degree: number
  tags: { id: string; size: number; pose: Pose }[]
}

const down = ofRotationVector({ x: Math.PI, y: 0, z: 0 })

/** The hand over a bin, pointing down, then rotated about its own x, y and z; degrees and metres. */
export const overBin = (
  [x, y, z]: readonly [number, number, number] = [0, 0, 0],
  at: Partial<Pose['position']> = {},
): Pose => ({
  position: { x: 0.6, y: 0, z: 0.5, ...at },
  orientation: product(down, ofRotationVector({ x: radians(x), y: radians(y), z: radians(z) })),
})

/** Twelve poses as an integrator teaches them. */
export const twelvePoses: readonly Pose[] = [
  overBin(),
  overBin([15, 0, 0], { y: 0.05 }),
  overBin([-15, 0, 0], { y: -0.05 }),
  overBin([0, 15, 0]),
  overBin([0, -15, 0]),
  overBin([12, 12, 20], { z: 0.45 }),
  overBin([-12, 12, -20], { z: 0.55 }),
  overBin([12, -12, -30]),
  overBin([-12, -12, 30]),
  overBin([8, 0, 45], { x: 0.55 }),
  overBin([0, 8, -45], { x: 0.65 }),
  overBin([5, -5, 60]),
]

/** As a four-axis robot reaches them: moved, and rotated only about the hand's z. */
export const fourAxisPoses: readonly Pose[] = [0, 40, -40, 80, -80, 20, -20, 60].map((angle, index) =>
  overBin([0, 0, angle], {
    x: 0.55 + 0.03 * (index % 4),
    y: 0.04 * (index % 3),
    z: 0.48 + 0.02 * (index % 2),
  }),
)

/** Metres and degrees between two poses. */
export const between = (one: Pose, other: Pose) => ({
  metres: distance(one.position, other.position),
  degrees: degrees(angleOf(product(conjugated(one.orientation), other.orientation))),
})

/** The camera is where the parameter `robot_mounted` says: most tests run for both. */
export const asSet = { scene: { hand_eye: { mounting: 'as_set' } } } as const

/** A device of its own for each test, and its hand-eye calibration over HTTP. */
export function useCell(options: VirtualDeviceOptions = {}) {
  const api = useDevice({ scenario: asSet, ...options })
  return {
    ...cellAt(() => api.device.url),
    api,
    setCell: (hand_eye: Partial<CellSettings>) =>
      api.device.setScenario({ scene: { hand_eye: { ...asSet.scene.hand_eye, ...hand_eye } } }),
  }
}

/** The hand-eye calibration of the device at an address. */
export function cellAt(url: () => string, pipeline = '0') {
  const node = () => `${url()}/api/v2/pipelines/${pipeline}/nodes/dev_hand_eye_calibration`
  const call = async <Of extends CellAnswer = CellAnswer>(
    service: string,
    args: object = {},
  ): Promise<Of> => {
    const { status, body } = await send('PUT', `${node()}/services/${service}`, { json: { args } })
    if (status !== 200) throw new Error(`${service}: ${status}`)
    return (body as { response: Of }).response
  }
  const setPose = (slot: number, pose: Pose) => call('set_pose', { slot, pose })
  return {
    call,
    setPose,
    calibrate: () => call<CalibrationAnswer>('calibrate'),
    saved: () => call<CalibrationAnswer>('get_calibration'),
    set: async (parameters: Record<string, number | boolean | string>) => {
      const query = new URLSearchParams(
        Object.entries(parameters).map(([name, value]) => [name, String(value)]),
      )
      const { status } = await send('PUT', `${node()}/parameters?${query.toString()}`)
      if (status !== 200) throw new Error(`parameters: ${status}`)
    },
    record: async (poses: readonly Pose[]) => {
      const statuses: number[] = []
      for (const [slot, pose] of poses.entries()) statuses.push((await setPose(slot, pose)).status)
      return statuses
    },
    truth: async () =>
      (await send('GET', `${url()}/virtual/cell?pipeline=${pipeline}`)).body as CellTruth & {
        camera: Pose
        grid: Pose
        grid_tags: { id: string; size: number }[]
        scene: ReturnType<typeof sceneSizes>
      },
    picture: async () => send('GET', `${url()}/virtual/view.svg?pipeline=${pipeline}`),
  }
}

/** The grid of the cell, as set in the parameters. */
export const grid = { grid_width: 0.26, grid_height: 0.18 }
