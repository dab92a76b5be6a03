import 'should'
import type { Shape } from '../../../lib/contract'
import { bin, gripper, identity, sceneBench } from './scene-bench'

/** Where an answer does not match its shape; missing and extra fields count. */
function misfits(value: unknown, shape: Shape, path = ''): string[] {
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${path}: no array`]
    return value.flatMap((each, index) => misfits(each, shape[0] as Shape, `${path}[${index}]`))
  }
  if (typeof shape === 'object') {
    if (typeof value !== 'object' || value === null) return [`${path}: no object`]
    const names = new Set([...Object.keys(shape), ...Object.keys(value)])
    return [...names].flatMap((name) => {
      const field = (shape as Record<string, Shape>)[name]
      const given = (value as Record<string, unknown>)[name]
      if (field === undefined) return [`${path}.${name}: unknown`]
      return given === undefined ? [`${path}.${name}: missing`] : misfits(given, field, `${path}.${name}`)
    })
  }
  const wanted = { string: 'string', bool: 'boolean' }[shape] ?? 'number'
  const isInteger = /int/.test(shape)
  if (typeof value !== wanted || (wanted === 'number' && !Number.isFinite(value)))
    return [`${path}: ${String(value)} is no ${shape}`]
  return isInteger && !Number.isInteger(value) ? [`${path}: ${String(value)} is no integer`] : []
}

const detecting = [
  'measure',
  'load_carrier',
  'april_tag_detect',
  'qr_code_detect',
  'itempick',
  'boxpick',
  'silhouettematch',
  'cadmatch',
  'collision_check',
]
const prior = { id: 'a', template_id: 'part', pose: identity, pose_frame: 'camera' }
const grasp = { ...prior, priority: 1, gripper_id: 'cup' }
/** Arguments that every service of these modules can use. */
const args = {
  pose_frame: 'external',
  load_carrier_id: 'bin',
  load_carrier_ids: ['bin'],
  cell_count: { x: 2, y: 2 },
  filling_level_cell_count: { x: 2, y: 2 },
  item_models: [{ type: 'RECTANGLE', rectangle: { max_dimensions: { x: 1, y: 1 } } }],
  suction_surface_length: 0.02,
  suction_surface_width: 0.02,
  object_to_detect: { object_id: 'part' },
  object_plane_detection: true,
  template_id: 'part',
  template_ids: ['part'],
  plane_estimation_method: 'STEREO',
  collision_detection: { gripper_id: 'cup' },
  orientation: { w: 0, x: 1, y: 0, z: 0 },
  pose_prior: prior,
  pose_priors: [prior],
  grasp,
  grasps: [grasp],
  gripper_id: 'cup',
  ...gripper(),
  load_carriers: [],
  load_carrier: bin,
  region_of_interest: {
    id: 'a',
    type: 'SPHERE',
    sphere: { radius: 1 },
    pose: identity,
    pose_frame: 'camera',
  },
  region_of_interest_2d: { id: 'a', offset_x: 0, offset_y: 0, width: 100, height: 100 },
}

describe('answers of the detection modules', () => {
  for (const variant of ['single', 'multi'] as const)
    for (const name of detecting.filter((each) => each !== 'cadmatch' || variant === 'multi')) {
      const services = () => {
        const bench = sceneBench({ variant })
        bench.handEye(false)
        bench.store('silhouettematch', 'part')
        bench.store('cadmatch', 'part')
        return { bench, services: Object.entries(bench.module(name).services) }
      }

      it(`have exactly the fields of their shape: ${name}, ${variant}`, () => {
        const { bench, services: all } = services()
        for (const [service] of all.filter(([each]) => each === 'start')) bench.call(name, service)
        for (const [service, { response }] of all.filter(([each]) => !/^(stop|delete_)/.test(each))) {
          const itemModels = name === 'itempick' ? { item_models: [] } : {}
          const answer = bench.call(name, service, { ...args, ...itemModels })
          misfits(answer, response, service).should.deepEqual([])
          if ('return_code' in answer)
            answer.return_code.value.should.be.aboveOrEqual(0, `${service}: ${answer.return_code.message}`)
        }
      })

      it(`have all fields even if they fail: ${name}, ${variant}`, () => {
        const { bench, services: all } = services()
        bench.scenario.stale_nodes = ['camera', 'stereomatching']
        for (const [service, { response }] of all.filter(([each]) => !/^set_/.test(each)))
          for (const given of [
            args,
            { ...args, pose_frame: 'nowhere', template_id: 'none', gripper_id: 'none' },
          ])
            misfits(bench.call(name, service, given), response, service).should.deepEqual([])
      })
    }
})
