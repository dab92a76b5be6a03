import should from 'should'
import { composed, type Pose } from '../../../lib/robotics/pose'
import { moduleBench } from '../../support/module-bench'

const half = Math.SQRT1_2
const up = (z: number): Pose => ({ position: { x: 0, y: 0, z }, orientation: { w: 1, x: 0, y: 0, z: 0 } })
/** Rotated by 90° about y: its z points along the parent's x. */
const sideways: Pose = { position: { x: 0, y: 0, z: 0.1 }, orientation: { w: half, x: 0, y: half, z: 0 } }
const palm = { id: 'palm', parent_id: 'flange', type: 'BOX', box: { x: 0.1, y: 0.1, z: 0.1 }, pose: sideways }
const finger = { id: 'finger', parent_id: 'palm', type: 'CYLINDER', cylinder: { radius: 0.01, height: 0.05 } }
const hand = {
  id: 'hand',
  elements: [{ ...finger, pose: up(0.2) }, palm],
  flange_radius: 0.05,
  tcp_parent_id: 'finger',
  tcp_pose_parent: up(0.03),
}

describe('gripper_db', () => {
  it('reports how far a finger moves between closed and open', () => {
    const jaw = { ...finger, id: 'jaw', function_type: 'FINGER', pose: up(0.2), finger_zero_pose: up(0.16) }
    const cup = { ...jaw, id: 'cup', function_type: 'SUCTION_CUP' }
    const plain = { ...finger, pose: up(0.2) }
    const { gripper } = set({ ...hand, elements: [jaw, cup, plain, palm] }) as unknown as {
      gripper: { elements: { id: string; function_type: string; stroke: number }[] }
    }
    const [moving, ...still] = gripper.elements
    should(moving).containEql({ function_type: 'FINGER', finger_zero_pose: up(0.16) })
    should(moving?.stroke).be.approximately(0.04, 1e-12)
    still
      .map(({ function_type, stroke }) => [function_type, stroke])
      .should.deepEqual([
        ['SUCTION_CUP', 0],
        ['NONE', 0],
        ['NONE', 0],
      ])
    const { return_code } = set({ ...hand, elements: [{ ...jaw, function_type: 'CLAW' }, palm] })
    return_code.should.containEql({ value: -1 })
  })

  const set = (gripper: object, bench = moduleBench()) =>
    bench.call('gripper_db', 'set_gripper', { ...gripper })

  it('computes the tcp in the flange along the chain of parents', () => {
    const { gripper, return_code } = set(hand) as unknown as {
      gripper: { tcp_pose_flange: Pose }
      return_code: { value: number }
    }
    return_code.value.should.equal(0)
    const { position, orientation } = gripper.tcp_pose_flange
    position.x.should.be.approximately(0.23, 1e-12)
    position.y.should.be.approximately(0, 1e-12)
    position.z.should.be.approximately(0.1, 1e-12)
    orientation.y.should.be.approximately(half, 1e-12)
  })

  it('returns complete records', () => {
    const bench = moduleBench()
    const { gripper } = set(
      { ...hand, elements: [palm], tcp_parent_id: '', tcp_pose_parent: undefined },
      bench,
    )
    should(gripper).deepEqual({
      id: 'hand',
      elements: [
        {
          ...palm,
          ...{ cylinder: { radius: 0, height: 0 }, cad: { id: '' } },
          ...{ function_type: 'NONE', finger_zero_pose: palm.pose, stroke: 0 },
        },
      ],
      flange_radius: 0.05,
      tcp_parent_id: 'flange',
      tcp_pose_parent: up(0),
      tcp_pose_flange: up(0),
      type: '',
    })
    should(bench.call('gripper_db', 'get_grippers', { gripper_ids: ['hand'] }).grippers).deepEqual([gripper])
    set(gripper as object, bench).return_code.value.should.equal(11)
  })

  const sixteen = Array.from({ length: 16 }, (_, index) => ({ ...palm, id: `e${index}` }))
  const invalid: Record<string, object> = {
    id: { ...hand, id: '' },
    flange_radius: { ...hand, flange_radius: 0 },
    tcp_parent_id: { ...hand, tcp_parent_id: 'thumb' },
    'tcp_pose_parent.orientation': { ...hand, tcp_pose_parent: { orientation: { w: 1, x: 1, y: 0, z: 0 } } },
    'elements: at most 15': { ...hand, elements: sixteen },
    'elements: at least one': { ...hand, elements: [] },
    'elements[0].id': { ...hand, elements: [{ ...palm, id: 'tcp' }] },
    'elements[1].id': { ...hand, elements: [palm, palm] },
    'elements[0].parent_id': { ...hand, elements: [finger] },
    'elements[0].type': { ...hand, elements: [{ ...palm, type: 'CONE' }] },
    'elements[0].box.x': { ...hand, elements: [{ ...palm, box: {} }] },
    'elements[0].cylinder.radius': { ...hand, elements: [{ ...palm, type: 'CYLINDER' }] },
    'elements[0].cad.id': { ...hand, elements: [{ ...palm, type: 'CAD' }] },
    "elements: 'a' is not connected": {
      ...hand,
      elements: [palm, { ...palm, id: 'a', parent_id: 'b' }, { ...palm, id: 'b', parent_id: 'a' }],
    },
  }
  for (const [field, gripper] of Object.entries(invalid))
    it(`refuses a wrong ${field} by name`, () => {
      const { return_code, gripper: empty } = set(gripper)
      return_code.value.should.equal(-1)
      return_code.message.should.startWith(field)
      should(empty).have.properties('id', 'elements', 'tcp_pose_flange')
    })

  it('requires a license for any module that uses grippers', () => {
    should(moduleBench().module('gripper_db').services.set_gripper?.license).containEql('cadmatch')
  })

  it('keeps its records across a restart', () => {
    const before = moduleBench()
    set(hand, before)
    const after = moduleBench()
    after.restoreFrom(before)
    set(hand, after).return_code.value.should.equal(11)
  })
})

describe('composed', () => {
  it('transforms the inner pose to the outer frame', () => {
    const { position, orientation } = composed(sideways, sideways)
    position.x.should.be.approximately(0.1, 1e-12)
    position.z.should.be.approximately(0.1, 1e-12)
    orientation.w.should.be.approximately(0, 1e-12)
    orientation.y.should.be.approximately(1, 1e-12)
  })
})
