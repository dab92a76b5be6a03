import 'should'
import { findGrid, gridPattern } from '../../../lib/images/grid'
import { pictureNow } from '../../../lib/images'
import { composed, inverted, type Pose } from '../../../lib/robotics'
import { between, grid, overBin, useCell } from './use-cell'

const pattern = gridPattern(grid.grid_width, grid.grid_height)

describe('the pictures of the simulated cell', () => {
  const cell = useCell({ imagePort: 0 })
  const hand = overBin([12, -8, 10])
  /** The grid in a picture from there, and where it would be if the robot were where it says. */
  const seen = async (): Promise<{ found: Pose; told: Pose }> => {
    await cell.set({ ...grid, robot_mounted: true })
    await cell.setPose(0, hand)
    const { camera, grid: inCell } = await cell.truth()
    const told = composed(inverted(composed(hand, camera)), inCell)
    const picture = await pictureNow({ host: '127.0.0.1', port: cell.api.device.ports.images?.port ?? 0 })
    const answer = await findGrid(picture, pattern, { near: told })
    if (!answer.found) throw new Error(answer.reason)
    return { found: answer.pose, told }
  }

  it('show the grid where it is from an exact robot', async () => {
    cell.setCell({ robot_noise: 0, robot_noise_degrees: 0 })
    const { found, told } = await seen()
    const { metres, degrees } = between(found, told)
    metres.should.be.below(0.0003)
    degrees.should.be.below(0.05)
  })

  it('show by how much a robot misses its pose, always alike at the same pose', async () => {
    cell.setCell({ robot_noise: 0.003, robot_noise_degrees: 0.5 })
    const { found, told } = await seen()
    between(found, told).metres.should.be.above(0.001)
    const again = await seen()
    const { metres, degrees } = between(found, again.found)
    metres.should.be.below(0.0003)
    degrees.should.be.below(0.05)
  })
})
