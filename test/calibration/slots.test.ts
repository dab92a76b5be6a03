import 'should'
import { attemptsToKeep } from '../../lib/calibration'
import type { Attempt, Purpose } from '../../lib/robotics'

const pose = { position: { x: 0, y: 0, z: 1 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }
const seen = (purpose: Purpose): Attempt => ({ purpose, robot: pose, grid: pose })
const first = (['taught', 'shift', 'shift', 'shift', 'turn', 'turn'] as const).map(seen)
const views = (count: number) => Array.from({ length: count }, () => seen('view'))

const counted = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

describe('the slots of a device', () => {
  it('have room for all poses of a short plan', () => {
    attemptsToKeep([...first, ...views(10)], 16).should.deepEqual(counted(0, 16))
  })

  it('are given back by the first moves, the shifts before the taught pose and the turns', () => {
    attemptsToKeep([...first, ...views(12)], 16).should.deepEqual([0, 1, 4, 5, ...counted(6, 12)])
    attemptsToKeep([...first, ...views(18)], 16).should.deepEqual(counted(6, 16))
  })

  it('hold no pose at which the grid was not seen, and none twice', () => {
    const unseen: Attempt = { purpose: 'view', robot: pose }
    attemptsToKeep([...first, unseen, seen('again'), seen('view')], 16).should.deepEqual([
      0, 1, 2, 3, 4, 5, 8,
    ])
  })
})
