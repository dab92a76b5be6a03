import { connect } from 'node:net'
import { once } from 'node:events'
import { Robot } from '../../lib/robot-motion'
import { imageSource, type GridSource } from '../../lib/calibration'
import { pictureNow } from '../../lib/images'
import { gridPattern } from '../../lib/images/grid'
import { composed, inverted, type Pose, type Vector } from '../../lib/robotics'
import { universalRobot } from '../../lib/universal-robots/universal-robot'
import { startVirtualDevice, type CellTruth, type VirtualDevice } from '../../virtual-device'
import { armModels, jointsAt, type Six } from '../../virtual-device/arm/kinematics'
import { eventually } from '../support/eventually'

/** Metres; the size of the examples. */
const grid = { width: 0.26, height: 0.18 }
/** Pictures are drawn slowly on a busy machine, milliseconds. */
const patience = 120_000
const model = 'ur10e'

/** Where the camera is: on the flange, or beside the robot. */
export type Mounting = 'robot' | 'fixed'

/** What is true about the arm. */
export interface ArmTruth {
  moves: boolean
  /** Begun since the start. */
  motions: number
  joints: Six
  flange: Pose
}

/** A virtual device with an arm, and somebody who watches it. */
export interface ArmCell {
  device: VirtualDevice
  /** Looks for the grid in the picture. */
  source: GridSource
  truth: () => Promise<ArmTruth>
  cell: () => Promise<CellTruth>
  /** The box in which the flange has been since the last call. */
  excursion: () => { least: Vector; most: Vector }
  /** Puts the arm where its camera sees the grid so, as a person would by hand. @returns false out of reach */
  putWhere: (seen: Pose) => Promise<boolean>
  close: () => Promise<void>
}

export async function armCell(mounting: Mounting): Promise<ArmCell> {
  const device = await startVirtualDevice({
    ...{ port: 0, imagePort: 0, arm: model, armPort: 0 },
    scenario: { image_view: 'grid', scene: { hand_eye: { mounting } } },
  })
  const told = async (path: string): Promise<unknown> => (await fetch(new URL(path, device.url))).json()
  const truth = async () => (await told('/virtual/arm')) as ArmTruth
  const cell = async () => (await told('/virtual/cell')) as CellTruth
  const { rtde = 0, primary = 0, dashboard = 0 } = device.ports.arm?.parts ?? {}
  const { joints: home } = await truth()
  let least: Vector | undefined
  let most: Vector | undefined
  const watcher = new Robot(
    universalRobot({
      ...{ host: '127.0.0.1', rtdePort: rtde, primaryPort: primary, dashboardPort: dashboard },
      mayMove: false,
    }),
    { mayMove: false, limits: { speed: 0, acceleration: 0, step: 0, turn: 0 } },
    {
      onState: ({ flange: { position } }) => {
        least = each(Math.min, position, least)
        most = each(Math.max, position, most)
      },
    },
  )
  await eventually(() => watcher.link.is.should.equal('up'))
  const images = { host: '127.0.0.1', port: device.ports.images?.port ?? 0, longestSilence: patience }
  return {
    device,
    source: imageSource({
      take: (signal) => pictureNow({ ...images, signal }),
      pattern: gridPattern(grid.width, grid.height),
    }),
    truth,
    cell,
    excursion: () => {
      const box = { least, most }
      least = most = undefined
      if (!box.least || !box.most) throw new Error('The robot has told no pose.')
      return { least: box.least, most: box.most }
    },
    putWhere: async (seen) => {
      const { camera, grid, robot_mounted } = await cell()
      if (!camera || !grid) throw new Error('The cell has no grid.')
      const inCell = composed(camera, seen)
      const flange = robot_mounted ? composed(grid, inverted(inCell)) : composed(inCell, inverted(grid))
      // From run to run the wrist would wind up to its limits.
      const joints = jointsAt(armModels[model], flange, home)
      if (!joints) return false
      const { motions } = await truth()
      const socket = connect(primary, '127.0.0.1')
      socket.on('error', () => undefined).resume()
      await once(socket, 'connect')
      socket.write(`def put():\n  movej([${joints.join(', ')}], a=6, v=2.5)\nend\n`)
      await eventually(async () => {
        const now = await truth()
        if (now.motions === motions || now.moves) throw new Error('The arm is on its way.')
      })
      socket.destroy()
      return true
    },
    close: async () => {
      await watcher.close()
      await device.stop()
    },
  }
}

const each = (of: (...numbers: number[]) => number, one: Vector, other: Vector = one): Vector => ({
  x: of(one.x, other.x),
  y: of(one.y, other.y),
  z: of(one.z, other.z),
})
