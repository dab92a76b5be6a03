import should from 'should'
import type { NodeInfo, NodeStatus, Service, Shape } from '../../lib/contract'
import { useDevice } from './support/use-device'

type Fields = Record<string, unknown>

/** A message of a fixed form in which nothing was filled in, as sent by middleware. */
function zeros(shape: Shape): unknown {
  if (Array.isArray(shape)) return []
  if (typeof shape === 'object')
    return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, zeros(field)]))
  if (shape === 'bool') return false
  return shape === 'string' ? '' : 0
}

/** The message with these fields set, including nested ones. */
function filled(message: unknown, fields: unknown): unknown {
  if (!isObject(message) || !isObject(fields)) return fields ?? message
  const names = Object.keys({ ...message, ...fields })
  return Object.fromEntries(names.map((name) => [name, filled(message[name], fields[name])]))
}
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const frame = { pose_frame: 'camera' }
const level = { orientation: { w: 1 } }
const bin = {
  id: 'bin',
  outer_dimensions: { x: 0.6, y: 0.4, z: 0.2 },
  inner_dimensions: { x: 0.56, y: 0.36, z: 0.19 },
}
const cup = { suction_surface_length: 0.02, suction_surface_width: 0.02 }
const everyBox = [{ type: 'RECTANGLE', rectangle: { max_dimensions: { x: 1, y: 1 } } }]
const region = { id: 'all', type: 'SPHERE', sphere: { radius: 9 }, pose: level, pose_frame: 'camera' }
const region2d = { id: 'half', offset_x: 0, offset_y: 0, width: 640, height: 960 }
const tube = { id: 'tube', parent_id: 'flange', type: 'CYLINDER', cylinder: { radius: 0.01, height: 0.1 } }
const gripper = {
  id: 'cup',
  flange_radius: 0.05,
  tcp_pose_parent: level,
  elements: [{ ...tube, pose: { position: { x: 0, y: 0, z: 0 }, orientation: { w: 1, x: 0, y: 0, z: 0 } } }],
}
const one = { x: 0, y: 0, z: 0, w: 1 }
const grasp = { id: 'middle', template_id: 'part', pose: level, replication: { origin: level } }
const prior = { id: 'there', template_id: 'part', pose: level, pose_frame: 'camera' }
const whole = (given: object) => ({ ...given, pose: { position: { x: 0, y: 0, z: 0 }, orientation: one } })
const wholeGrasp = { ...whole(grasp), replication: { origin: whole({}).pose } }

const sorting = { get_sorting_strategies: {}, set_sorting_strategies: { gravity: { weight: 1 } } }
const preferred = {
  set_preferred_orientation: { orientation: one, ...frame },
  get_preferred_orientation: {},
}
const matching = {
  set_grasp: { grasp },
  set_all_grasps: { template_id: 'part', grasps: [wholeGrasp] },
  get_grasps: {},
  get_symmetric_grasps: { grasp: { ...grasp, replication: { origin: level, step_x_deg: 90 } } },
  delete_grasps: { template_ids: ['part'], grasp_ids: ['none'] },
}
const tags = { start: {}, detect: { ...frame, tags: [{ id: '36h11_0', size: 0 }] }, stop: {}, restart: {} }
const loadCarriers = {
  set_load_carrier: { load_carrier: bin },
  get_load_carriers: {},
  delete_load_carriers: { load_carrier_ids: ['none'] },
}
const regions = {
  set_region_of_interest: { region_of_interest: region },
  get_regions_of_interest: {},
  delete_regions_of_interest: { region_of_interest_ids: ['none'] },
  set_region_of_interest_2d: { region_of_interest_2d: region2d },
  get_regions_of_interest_2d: {},
  delete_regions_of_interest_2d: { region_of_interest_2d_ids: ['none'] },
}
const grippers = { set_gripper: gripper, get_grippers: {}, delete_grippers: { gripper_ids: ['none'] } }
const resetting = { reset_defaults: {} }
/** After a detection: its images are dumped. */
const dump = { trigger_dump: {} }

/** What the clients fill in, by node and service, in the order of their calls. */
const calls: Record<string, Record<string, object>> = {
  load_carrier_db: loadCarriers,
  roi_db: regions,
  gripper_db: grippers,
  april_tag_detect: { ...resetting, ...tags, ...dump },
  qr_code_detect: {
    ...resetting,
    ...tags,
    detect: { ...frame, tags: [{ id: 'BIN-0017', size: 0 }] },
    ...dump,
  },
  load_carrier: {
    ...resetting,
    ...loadCarriers,
    ...regions,
    detect_load_carriers: { ...frame, load_carrier_ids: ['bin'] },
    detect_filling_level: { ...frame, load_carrier_ids: ['bin'] },
    ...dump,
  },
  itempick: {
    ...resetting,
    ...sorting,
    ...preferred,
    start: {},
    compute_grasps: { ...frame, ...cup, item_models: [{ type: 'UNKNOWN' }] },
    ...dump,
    stop: {},
  },
  boxpick: {
    ...resetting,
    ...sorting,
    ...preferred,
    start: {},
    detect_items: { ...frame, item_models: everyBox },
    compute_grasps: { ...frame, ...cup, item_models: everyBox, load_carrier_id: 'bin' },
    ...dump,
    stop: {},
  },
  silhouettematch: {
    ...resetting,
    ...sorting,
    set_sorting_strategies: { preferred_orientation: { weight: 1 } },
    ...preferred,
    calibrate_base_plane: {
      ...frame,
      plane_estimation_method: 'STEREO',
      stereo: { plane_preference: 'FARTHEST' },
    },
    get_base_plane_calibration: frame,
    ...matching,
    detect_object: { ...frame, object_to_detect: { object_id: 'part' } },
    delete_base_plane_calibration: {},
    ...dump,
  },
  cadmatch: {
    ...resetting,
    ...sorting,
    ...preferred,
    start: {},
    ...matching,
    set_pose_prior: { pose_prior: prior },
    set_all_pose_priors: { template_id: 'part', pose_priors: [whole(prior)] },
    get_pose_priors: {},
    delete_pose_priors: { template_ids: ['part'], pose_prior_ids: ['none'] },
    warmup_template: { template_id: 'part' },
    detect_object: { ...frame, template_id: 'part' },
    ...dump,
    stop: {},
  },
  measure: { ...resetting, measure_depth: { ...frame, region_of_interest_2d: region2d }, ...dump },
  collision_check: {
    ...resetting,
    ...grippers,
    check_collisions: { gripper_id: 'cup', grasps: [whole({ uuid: '1', pose_frame: 'camera' })] },
  },
}

for (const variant of ['single', 'multi'] as const)
  describe(`a detection client that fills in messages of a fixed form, on the ${variant} variant`, () => {
    const api = useDevice({ variant })
    const nodes = async (path: string) => (await api.get(path)).body as NodeInfo[]
    const pathOf = ({ name }: NodeInfo) =>
      /_db$/.test(name) ? `/nodes/${name}` : `/pipelines/0/nodes/${name}`
    const detectionNodes = async () =>
      [...(await nodes('/nodes')), ...(await nodes('/pipelines/0/nodes'))].filter(
        ({ name }) => name.replace('dev_', '') in calls,
      )
    const upload = async () => {
      for (const node of ['silhouettematch', ...(variant === 'multi' ? ['cadmatch'] : [])]) {
        const body = new FormData()
        body.set('file', new Blob(['part']), 'part.bin')
        ;(await api.put(`/templates/dev_${node}/part`, { body })).status.should.equal(200)
      }
    }

    it('gets an answer with all fields from every service of every detection node', async () => {
      await upload()
      const found = await detectionNodes()
      found.should.have.length(Object.keys(calls).length - (variant === 'single' ? 1 : 0))
      for (const node of found.sort((a, b) => order(a) - order(b))) {
        const wanted = calls[node.name.replace('dev_', '')] ?? {}
        const services = Object.entries(wanted).filter(([name]) => node.services.includes(name))
        // A service that no client calls here was forgotten.
        services
          .map(([name]) => name)
          .sort()
          .should.eql([...node.services].sort(), node.name)
        for (const [name, fields] of services) {
          const path = `${pathOf(node)}/services/${name}`
          const { args, response: shape } = (await api.get(path)).body as Service
          const { status, body } = await api.put(path, {
            json: { args: filled(zeros(args as Shape), fields) },
          })
          const { response } = body as { response: Fields }
          const about = `${node.name} ${name}: ${JSON.stringify(response).slice(0, 300)}`
          should(status).equal(200, about)
          if ('return_code' in (shape as object)) {
            const { value } = response.return_code as { value: number }
            should(value).be.aboveOrEqual(0, about)
            // A given robot pose is superfluous; zeros mean that none is given.
            should(value).not.equal(300, about)
          } else should(response).containEql({ accepted: true })
          Object.keys(response)
            .sort()
            .should.eql(Object.keys(shape as object).sort(), about)
        }
      }
    })

    it('reads the state of each module that can be started while nothing is started', async () => {
      for (const node of (await detectionNodes()).filter(({ services }) => services.includes('start'))) {
        node.status.should.equal('running')
        const { status, values } = (await api.get(`${pathOf(node)}/status`)).body as NodeStatus
        should({ status, values }).containDeep({ status: 'running', values: { state: 'IDLE' } })
      }
    })
  })

/** Records come first. */
const order = ({ name }: NodeInfo) => Object.keys(calls).indexOf(name.replace('dev_', ''))
