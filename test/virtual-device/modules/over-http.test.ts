import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import type { NodeInfo, NodeStatus, Variant } from '../../../lib/contract'
import { manualClock, startVirtualDevice, type VirtualDevice } from '../../../virtual-device'
import type { VirtualDeviceOptions } from '../../../virtual-device/options'
import names from './names.json'

const pose = { position: { x: 0, y: 0, z: 1 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }
const region = { id: 'a', type: 'BOX', box: { x: 1, y: 2, z: 3 }, pose, pose_frame: 'camera' }

describe('the modules over HTTP', () => {
  let device: VirtualDevice | undefined

  const start = async (options: VirtualDeviceOptions = {}) => {
    device = await startVirtualDevice({ port: 0, ...options })
    return device
  }
  const request = async (path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: 'PUT', body: JSON.stringify(body) }
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${String(device?.url)}/api/v2${path}`, { ...init, headers })
    return { status: answer.status, text: await answer.text() }
  }
  const get = async (path: string) => JSON.parse((await request(path)).text) as unknown
  const call = async (node: string, service: string, args = {}) => {
    const place = node.endsWith('_db') ? '' : '/pipelines/0'
    const { status, text } = await request(`${place}/nodes/dev_${node}/services/${service}`, { args })
    const { response } = JSON.parse(text) as { response?: Record<string, unknown> }
    return { status, text, response: response ?? {} }
  }
  const code = async (...args: Parameters<typeof call>) => {
    const { return_code } = (await call(...args)).response as { return_code?: { value: number } }
    return return_code?.value
  }

  afterEach(() => device?.stop())

  for (const variant of ['single', 'multi'] as const)
    it(`are all listed on the ${variant} variant, with their status`, async () => {
      await start({ variant })
      const nodes = [
        ...((await get('/nodes')) as NodeInfo[]),
        ...((await get('/pipelines/0/nodes')) as NodeInfo[]),
      ]
      for (const [name, { variants, parameters, values, ...more }] of Object.entries(names)) {
        const node = nodes.find((each) => each.name === `dev_${name}`)
        const fits = !('kinds' in more) || more.kinds.includes('stereo_a')
        Boolean(node).should.equal(fits && (variants as Variant[]).includes(variant))
        if (!node) continue
        node.services.includes('reset_defaults').should.equal(parameters !== '')
        if (node.status !== 'running' || values === '') continue
        const place = nodes.indexOf(node) < 3 ? '' : '/pipelines/0'
        const status = (await get(`${place}/nodes/${node.name}/status`)) as NodeStatus
        Object.keys(status.values).sort().should.deepEqual(values.split(' ').sort())
        for (const value of Object.values(status.values)) should(value).be.a.String()
      }
    })

  it('accept one depth trigger per period', async () => {
    const clock = manualClock()
    await start({ clock })
    await code('stereomatching', 'acquisition_trigger').should.be.fulfilledWith(-8)
    const { status } = await request('/pipelines/0/nodes/dev_stereomatching/parameters', [
      { name: 'acquisition_mode', value: 'SingleFrame' },
    ])
    status.should.equal(200)
    await code('stereomatching', 'acquisition_trigger').should.be.fulfilledWith(0)
    clock.advance(0.3)
    await code('stereomatching', 'acquisition_trigger').should.be.fulfilledWith(101)
    clock.advance(0.1)
    await code('stereomatching', 'acquisition_trigger').should.be.fulfilledWith(0)
    device?.setScenario({ image_client: false })
    await code('stereomatching', 'acquisition_trigger').should.be.fulfilledWith(102)
  })

  it('keep both switches of the exposure consistent, also on reset_defaults', async () => {
    await start()
    const written = await request('/pipelines/0/nodes/dev_camera/parameters/exp_auto', { value: false })
    written.status.should.equal(200)
    device?.parameter('camera', 'exp_control').should.equal('Manual')
    await code('camera', 'reset_defaults').should.be.fulfilledWith(0)
    device?.parameter('camera', 'exp_control').should.equal('Auto')
    device?.parameter('camera', 'exp_auto').should.equal(true)
  })

  it('require a license for quality Full', async () => {
    await start({ scenario: { license: { stereo_plus: false } } })
    const write = (value: string) =>
      request('/pipelines/0/nodes/dev_stereomatching/parameters/quality', { value })
    ;(await write('Full')).status.should.equal(403)
    ;(await write('Low')).status.should.equal(200)
  })

  it('answer 400 for an argument of the wrong type and -1 for an invalid value', async () => {
    await start()
    const set = (args: object) => call('roi_db', 'set_region_of_interest', args)
    ;(await set({})).status.should.equal(400)
    ;(await set({ region_of_interest: { ...region, id: 5 } })).status.should.equal(400)
    const { status, response } = await set({ region_of_interest: { ...region, pose_frame: 'robot' } })
    status.should.equal(200)
    response.should.containDeep({ return_code: { value: -1 } })
  })

  it('print lengths of records as floating-point numbers', async () => {
    await start()
    await code('roi_db', 'set_region_of_interest', { region_of_interest: region }).should.be.fulfilledWith(0)
    const { text } = await call('roi_db', 'get_regions_of_interest')
    text.should.match(/"radius": ?0\.0\b/).and.match(/"z": ?3\.0\b/)
  })

  it('answer an invalid slot in hand-eye calibration, and refuse a missing one', async () => {
    await start()
    const { status, response } = await call('hand_eye_calibration', 'set_pose', { slot: -1, pose })
    status.should.equal(200)
    response.should.containDeep({ success: false, status: 13, overexposed: false })
    ;(await call('hand_eye_calibration', 'set_pose', { pose })).status.should.equal(400)
    ;(await call('hand_eye_calibration', 'set_pose', { slot: 1, pose: {} })).status.should.equal(400)
  })

  it('report their inner state while they run, and are at rest if they have none', async () => {
    const clock = manualClock()
    await start({ clock })
    const status = (node: string) => get(`/pipelines/0/nodes/dev_${node}/status`) as Promise<NodeStatus>
    for (const node of ['dynamics', 'stereo_ins', 'slam'])
      (await status(node)).should.containDeep({ status: 'running', values: { state: 'IDLE' } })
    for (const node of ['stereovisodo', 'stereocalib'])
      (await status(node)).should.containDeep({ status: 'idle', values: [] })
    ;(await call('dynamics', 'start_slam')).response.should.deepEqual({
      accepted: true,
      current_state: 'WAITING_FOR_INS_AND_SLAM',
    })
    clock.advance(3)
    ;(await status('stereovisodo')).should.containDeep({ status: 'running' })
    ;(await status('dynamics')).should.containDeep({
      status: 'running',
      values: { state: 'RUNNING_WITH_SLAM' },
    })
    ;(await status('slam')).values.should.containDeep({ trajectory_poses: '11' })
  })

  it('keep records and calibration across a restart', async () => {
    const state = await mkdtemp(join(tmpdir(), 'modules-'))
    try {
      const first = await start({ state })
      await code('roi_db', 'set_region_of_interest', { region_of_interest: region }).should.be.fulfilledWith(
        0,
      )
      const known = await call('hand_eye_calibration', 'set_calibration', { pose, robot_mounted: false })
      known.response.should.containDeep({ success: true, status: 0 })
      await first.stop()
      await start({ state })
      ;(await call('roi_db', 'get_regions_of_interest')).response.should.containDeep({
        regions_of_interest: [region],
      })
      ;(await call('hand_eye_calibration', 'get_calibration')).response.should.containDeep({
        success: true,
        robot_mounted: false,
        pose,
      })
      await device?.stop()
    } finally {
      await rm(state, { recursive: true })
    }
  })
})
