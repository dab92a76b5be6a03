import should from 'should'
import { composed, distance, degrees } from '../../../lib/robotics/pose'
import { angleBetween, axisOf } from '../../../virtual-device/detection/geometry'
import { gripper, identity } from '../detection/scene-bench'
import { detect, grasp, node, setGrasp, top, withTemplate, type Grasp } from './silhouettematch-bench'

describe('grasps of silhouettematch', () => {
  it('are stored by template, up to 50 each', () => {
    const bench = withTemplate()
    for (let index = 1; index < 50; index += 1) setGrasp(bench, grasp(`g${index}`)).should.equal(0)
    setGrasp(bench, grasp('last')).should.equal(10)
    setGrasp(bench, grasp('more')).should.equal(-10)
    setGrasp(bench, grasp('g1')).should.equal(10)
    setGrasp(bench, grasp('g1', { template_id: 'other' })).should.equal(0)
    setGrasp(bench, grasp('g1', { template_id: 'other' })).should.equal(11)
    const get = (args: object = {}) =>
      bench.call(node, 'get_grasps', args as Record<string, unknown>).grasps as object[]
    get().should.have.length(51)
    get({ grasp_ids: ['g1'] }).should.have.length(2)
    get({ grasp_ids: ['g1'], template_ids: ['other'] }).should.have.length(1)
    bench.code(node, 'delete_grasps', { grasp_ids: [], template_ids: [] }).should.equal(-1)
    bench.code(node, 'delete_grasps', { grasp_ids: ['g1'], template_ids: ['part'] }).should.equal(0)
    get().should.have.length(50)
    bench.code(node, 'delete_grasps', { template_ids: ['part'] }).should.equal(0)
    get().should.have.length(1)
  })

  it('are replaced all at once, or not at all', () => {
    const bench = withTemplate()
    const replace = (grasps: object[], template_id = 'part') =>
      bench.code(node, 'set_all_grasps', { grasps, template_id })
    setGrasp(bench, grasp('old'))
    replace([grasp('a'), grasp('b', { template_id: '' })]).should.equal(0)
    const stored = () => (bench.call(node, 'get_grasps').grasps as Grasp[]).map(({ id }) => id)
    stored().should.deepEqual(['a', 'b'])
    replace([grasp('c'), grasp('c')]).should.equal(-1)
    replace([grasp('c'), grasp('')]).should.equal(-1)
    replace(Array.from({ length: 51 }, (_, index) => grasp(`g${index}`))).should.equal(-10)
    replace([], 'nothing').should.equal(-1)
    stored().should.deepEqual(['a', 'b'])
  })

  it('are deleted with their template, and survive a restart', () => {
    const bench = withTemplate()
    setGrasp(bench, grasp('a', { gripper_id: 'cup' }))
    const after = withTemplate()
    after.restoreFrom(bench)
    should(after.call(node, 'get_grasps').grasps).deepEqual(bench.call(node, 'get_grasps').grasps)
    after.store(node, 'other')
    should(after.call(node, 'get_grasps').grasps).deepEqual([])
  })

  for (const [name, wrong] of Object.entries({
    'no id': { id: '' },
    'an unknown template': { template_id: 'nothing' },
    'a priority of 3': { priority: 3 },
    'a turn beyond half': { replication: { min_x_deg: -181, max_x_deg: 0, step_x_deg: 10 } },
    'no step': { replication: { min_x_deg: -10, max_x_deg: 10 } },
    'an orientation that is none': { pose: { ...identity, orientation: { w: 2, x: 0, y: 0, z: 0 } } },
  }))
    it(`with ${name} are refused`, () => {
      setGrasp(withTemplate(), { ...grasp('a'), ...wrong }).should.equal(-1)
    })

  it('are found on every object, the highest priority first', () => {
    const bench = withTemplate()
    bench.scene({ noise: 0 })
    const beside = { ...top, position: { x: 0.02, y: 0, z: 0 } }
    setGrasp(bench, grasp('top'))
    setGrasp(bench, grasp('beside', { pose: beside, priority: 2, gripper_id: 'cup' }))
    const { code, grasps, instances } = detect(bench)
    code.should.equal(0)
    grasps.should.have.length(2 * instances.length)
    for (const [index, each] of grasps.entries()) {
      each.priority.should.equal(index < instances.length ? 2 : 0)
      each.collision_checked.should.be.false()
      const instance = instances.find(({ uuid }) => uuid === each.instance_uuid)
      should(instance?.grasp_uuids).containEql(each.uuid)
      const wanted = composed(instance?.pose ?? identity, each.id === 'top' ? top : beside)
      distance(each.pose.position, wanted.position).should.be.below(1e-9)
      each.gripper_id.should.equal(each.id === 'top' ? '' : 'cup')
    }
    bench.set(node, { only_highest_priority_grasps: true })
    detect(bench).grasps.should.have.length(instances.length)
  })

  it('are replicated about their origin as configured', () => {
    const bench = withTemplate()
    bench.set(node, { max_number_of_detected_objects: 1 })
    setGrasp(bench, grasp('top', { replication: { min_x_deg: -30, max_x_deg: 60, step_x_deg: 30 } }))
    const { grasps, instances } = detect(bench)
    const angles = grasps.map(({ pose }) =>
      degrees(angleBetween(axisOf(pose, 'z'), axisOf(instances[0]?.pose ?? identity, 'z'))),
    )
    angles.map(Math.round).should.deepEqual([150, 180, 150, 120])
  })

  it('are limited to a hundred', () => {
    const bench = withTemplate()
    setGrasp(bench, grasp('top', { replication: { min_x_deg: -180, max_x_deg: 180, step_x_deg: 1 } }))
    detect(bench).grasps.should.have.length(100)
  })

  it('are checked for collisions with the load carrier', () => {
    const bench = withTemplate()
    setGrasp(bench, grasp('top'))
    bench.set(node, { check_collisions: true })
    detect(bench, { load_carrier_id: 'bin' }).code.should.equal(113)
    const collision_detection = { gripper_id: 'cup' }
    const slim = detect(bench, { load_carrier_id: 'bin', collision_detection })
    slim.code.should.equal(0)
    slim.grasps
      .every(({ collision_checked, gripper_id }) => collision_checked && gripper_id === 'cup')
      .should.be.true()
    bench.call('gripper_db', 'set_gripper', gripper(0.5))
    detect(bench, { load_carrier_id: 'bin', collision_detection }).should.containDeep({
      code: 103,
      grasps: [],
    })
    detect(bench, { collision_detection }).code.should.equal(0)
    detect(bench, { collision_detection: { gripper_id: 'claw' } }).code.should.equal(-1)
    bench.set(node, { check_collisions_during_retraction: true })
    detect(bench, { collision_detection }).code.should.equal(114)
  })

  it('have no symmetric copies here', () => {
    const bench = withTemplate()
    const symmetric = (template_id: string) =>
      bench.call(node, 'get_symmetric_grasps', { grasp: { pose: top, template_id } })
    should(symmetric('part').grasps).have.length(1)
    symmetric('nothing').return_code.value.should.equal(-1)
  })
})
