import { connect } from 'node:net'
import { once } from 'node:events'
import { cornersOf, gridPattern } from '../../../lib/images/grid'
import { composed, inverted, rotationVectorOf, type Pose, type Vector } from '../../../lib/robotics'
import type { CellTruth } from '../../../virtual-device'
import { eventually } from '../../support/eventually'

const upright = { w: 1, x: 0, y: 0, z: 0 }

/** What a person does with the pendant of the simulated arm, whose camera is on its hand. */
export interface Pendant {
  /** The corner of the grid that is nearest to the top left of the picture, in the base, as it truly is. */
  corner: () => Promise<Vector>
  /** Jogs the tip to a point and waits until it stands. */
  jog: (to: Vector) => Promise<void>
  /** Jogs the flange back. */
  back: () => Promise<void>
}

/** @param url of the virtual device @param primary port of its arm for programs */
export async function pendantOf(url: string, primary: number): Promise<Pendant> {
  const told = async (path: string): Promise<unknown> => (await fetch(url + path)).json()
  const arm = async () =>
    (await told('/virtual/arm')) as { motions: number; moves: boolean; joints: number[]; flange: Pose }
  const { joints: home } = await arm()
  const run = async (motion: string) => {
    const { motions } = await arm()
    const socket = connect(primary, '127.0.0.1')
    socket.on('error', () => undefined).resume()
    await once(socket, 'connect')
    socket.write(`def jog():\n  ${motion}\nend\n`)
    await eventually(async () => {
      const now = await arm()
      if (now.motions === motions || now.moves) throw new Error('The arm is on its way.')
    })
    socket.destroy()
  }
  return {
    corner: async () => {
      const { camera, grid, grid_width, grid_height } = (await told('/virtual/cell')) as CellTruth
      if (!camera || !grid) throw new Error('The cell has no grid.')
      const toCamera = inverted(composed((await arm()).flange, camera))
      const places = cornersOf(gridPattern(grid_width, grid_height)).map(
        ({ x, y }) => composed(grid, { position: { x, y, z: 0 }, orientation: upright }).position,
      )
      const down = (position: Vector) => {
        const { x, y, z } = composed(toCamera, { position, orientation: upright }).position
        return (x + y) / z
      }
      return places.reduce((best, place) => (down(place) < down(best) ? place : best))
    },
    jog: async ({ x, y, z }) => {
      const turn = rotationVectorOf((await arm()).flange.orientation)
      await run(`movel(p[${[x, y, z, turn.x, turn.y, turn.z].join(', ')}], a=3, v=1)`)
    },
    back: () => run(`movej([${home.join(', ')}], a=6, v=2.5)`),
  }
}
