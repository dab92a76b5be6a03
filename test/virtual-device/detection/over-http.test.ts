import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import type { NodeInfo } from '../../../lib/contract'
import { startVirtualDevice, type VirtualDevice } from '../../../virtual-device'
import type { VirtualDeviceOptions } from '../../../virtual-device/options'
import { bin, identity } from './scene-bench'

describe('detection over HTTP', () => {
  let device: VirtualDevice | undefined

  const start = async (options: VirtualDeviceOptions = {}) => {
    device = await startVirtualDevice({ port: 0, ...options })
    return device
  }
  const request = async (path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: 'PUT', body: JSON.stringify(body) }
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${String(device?.url)}${path}`, { ...init, headers })
    return { status: answer.status, text: await answer.text() }
  }
  const call = async (node: string, service: string, args = {}, pipeline = '0') => {
    const place = node.endsWith('_db') ? '' : `/pipelines/${pipeline}`
    const path = `/api/v2${place}/nodes/dev_${node}/services/${service}`
    const { status, text } = await request(path, { args })
    const { response } = JSON.parse(text) as { response?: Record<string, unknown> }
    const { return_code } = (response ?? {}) as { return_code?: { value: number } }
    return { status, text, response: response ?? {}, code: return_code?.value }
  }
  const nodes = async (pipeline: string) => {
    const { text } = await request(`/api/v2/pipelines/${pipeline}/nodes`)
    return (JSON.parse(text) as NodeInfo[]).map(({ name }) => name)
  }

  afterEach(() => device?.stop())

  it('detects what the scenario puts in front of the camera', async () => {
    await start()
    await call('load_carrier_db', 'set_load_carrier', { load_carrier: bin })
    const detect = () =>
      call('load_carrier', 'detect_load_carriers', { pose_frame: 'camera', load_carrier_ids: ['bin'] })
    ;(await detect()).code?.should.equal(0)
    device?.setScenario({ scene: { detection: { load_carrier: false } } })
    ;(await detect()).code?.should.equal(100)
    const wrong = { detection: { items: 'many' } } as unknown as object
    should(() => device?.setScenario({ scene: wrong })).throw(/scene\.detection\.items/)
    ;(await detect()).code?.should.equal(100)
    device?.setScenario({ scene: { detection: {} } })
    ;(await detect()).code?.should.equal(0)
  })

  it('prints poses as floating-point numbers and times as integers', async () => {
    await start()
    const { text } = await call('measure', 'measure_depth', { pose_frame: 'camera' })
    text.should.match(/"timestamp":\{"sec":\d+,"nsec":\d+\}/)
    text.should.match(/"mean_z":\{"x":-?\d+\.\d+/)
    const { text: failed } = await call('measure', 'measure_depth', { pose_frame: 'robot' })
    failed.should.match(/"coverage":0\.0/)
  })

  it('refuses a call without a frame, and without a license', async () => {
    await start()
    ;(await call('itempick', 'compute_grasps', { suction_surface_length: 1 })).status.should.equal(400)
    device?.setScenario({ license: { itempick: false, boxpick: false, silhouettematch: false } })
    ;(await call('itempick', 'start')).status.should.equal(403)
    const search = { pose_frame: 'camera', load_carrier_ids: ['bin'] }
    ;(await call('load_carrier', 'detect_load_carriers', search)).status.should.equal(200)
    device?.setScenario({ license: { load_carrier: false, cadmatch: false } })
    ;(await call('load_carrier', 'detect_load_carriers', search)).status.should.equal(403)
  })

  it('reports its state while the process runs, IDLE and FATAL included', async () => {
    await start()
    const status = async () =>
      JSON.parse((await request('/api/v2/pipelines/0/nodes/dev_itempick/status')).text) as object
    ;(await status()).should.containDeep({ status: 'running', values: { state: 'IDLE' } })
    ;(await call('itempick', 'start')).response.should.deepEqual({ accepted: true, current_state: 'RUNNING' })
    ;(await status()).should.containDeep({ status: 'running', values: { state: 'RUNNING' } })
    device?.setScenario({ module_start: 'fatal' })
    await call('itempick', 'stop')
    await call('itempick', 'start')
    ;(await status()).should.containDeep({ status: 'running', values: { state: 'FATAL' } })
  })

  it('resets the sorting strategies with reset_defaults', async () => {
    await start()
    await call('boxpick', 'set_sorting_strategies', { gravity: { weight: 1 } })
    ;(await call('boxpick', 'reset_defaults')).code?.should.equal(0)
    const { response } = await call('boxpick', 'get_sorting_strategies')
    response.should.containDeep({ gravity: { weight: 0 } })
  })

  it("has the nodes of the pipeline's sensor", async () => {
    await start({
      variant: 'multi',
      pipelines: { '0': 'stereo_b', '1': 'time_of_flight', '2': 'structured_light' },
    })
    const [stereo, timeOfFlight, structuredLight] = [await nodes('0'), await nodes('1'), await nodes('2')]
    stereo.should.containDeep(['dev_stereomatching', 'dev_cadmatch'])
    timeOfFlight.should.containEql('dev_time_of_flight').and.not.containEql('dev_cadmatch')
    structuredLight.should.containDeep(['dev_structured_light', 'dev_cadmatch'])
    for (const names of [timeOfFlight, structuredLight]) names.should.not.containEql('dev_stereomatching')
  })

  it('has a different scene in each pipeline, and the same one for the same seed', async () => {
    const tags = async (pipeline: string) => {
      const { response } = await call('april_tag_detect', 'detect', {}, pipeline)
      return (response.tags as { pose: object }[]).map(({ pose }) => pose)
    }
    await start({ variant: 'multi', seed: 5 })
    const [first, second] = [await tags('0'), await tags('1')]
    first.should.not.deepEqual(second)
    await device?.stop()
    await start({ variant: 'multi', seed: 5 })
    ;(await tags('0')).should.deepEqual(first)
  })

  it('detects objects of uploaded templates; grasps are deleted with their template', async () => {
    await start({ variant: 'multi' })
    const template = async (node: string, method: 'PUT' | 'DELETE') => {
      const body = new FormData()
      body.append('file', new Blob(['solid part']), 'part.stl')
      const path = `${String(device?.url)}/api/v2/templates/dev_${node}/part`
      const { status } = await fetch(path, { method, ...(method === 'PUT' && { body }) })
      status.should.equal(200)
    }
    const grasp = { id: 'top', template_id: 'part', pose: identity, priority: 1 }
    for (const [node, args] of [
      ['silhouettematch', { object_to_detect: { object_id: 'part' }, object_plane_detection: true }],
      ['cadmatch', { template_id: 'part' }],
    ] as const) {
      const detect = (pipeline: string) =>
        call(node, 'detect_object', { pose_frame: 'camera', ...args }, pipeline)
      if (node === 'cadmatch') for (const pipeline of ['0', '1']) await call(node, 'start', {}, pipeline)
      ;(await detect('0')).code?.should.equal(-1)
      await template(node, 'PUT')
      ;(await call(node, 'set_grasp', { grasp })).code?.should.equal(0)
      const { response: kept } = await call(node, 'get_grasps', {}, '1')
      should(kept.grasps).have.length(1)
      ;(await detect('1')).code?.should.be.aboveOrEqual(0)
      await template(node, 'DELETE')
      await template(node, 'PUT')
      const { response } = await call(node, 'get_grasps')
      should(response.grasps).deepEqual([])
      ;(await detect('0')).code?.should.equal(0)
    }
  })

  it('keeps its preferences and base plane across a restart', async () => {
    const state = await mkdtemp(join(tmpdir(), 'detection-'))
    try {
      const first = await start({ state })
      const orientation = { w: 0, x: 1, y: 0, z: 0 }
      await call('silhouettematch', 'set_preferred_orientation', { orientation, pose_frame: 'camera' })
      const plane = { normal: { x: 0, y: 0, z: 1 }, distance: 1.25 }
      const manual = { plane_estimation_method: 'MANUAL', plane, pose_frame: 'camera' }
      ;(await call('silhouettematch', 'calibrate_base_plane', manual)).code?.should.equal(0)
      await first.stop()
      await start({ state })
      const { response } = await call('silhouettematch', 'get_base_plane_calibration', {
        pose_frame: 'camera',
      })
      response.should.containDeep({ plane: { ...plane, pose_frame: 'camera' }, return_code: { value: 0 } })
      const { response: preferred } = await call('silhouettematch', 'get_preferred_orientation')
      preferred.should.containDeep({ orientation })
      await device?.stop()
    } finally {
      await rm(state, { recursive: true })
    }
  })
})
