import should from 'should'
import { camera, useDevice } from './support/use-device'

const carrier = {
  id: 'bin',
  outer_dimensions: { x: 0.4, y: 0.3, z: 0.2 },
  inner_dimensions: { x: 0.38, y: 0.28, z: 0.19 },
}
const carriers = '/nodes/dev_load_carrier_db/services'

describe('backup of the virtual device', () => {
  const api = useDevice()
  const backup = async (query = '') =>
    (await api.get(`/system/backup${query}`)).body as Record<string, unknown>
  const restore = (json: unknown) => api.post('/system/backup', { json })
  const add = (id: string) =>
    api.put(`${carriers}/set_load_carrier`, { json: { args: { load_carrier: { ...carrier, id } } } })
  const ids = async () => {
    const { body } = await api.put(`${carriers}/get_load_carriers`)
    return (body as { response: { load_carriers: { id: string }[] } }).response.load_carriers.map(
      ({ id }) => id,
    )
  }

  it('contains everything, or what is requested', async () => {
    const keys = ['pipelines', 'load_carriers', 'regions_of_interest', 'regions_of_interest_2d', 'grippers']
    should(await backup()).have.keys(...keys)
    should(await backup('?grippers=false&regions_of_interest=false&pipelines=0')).have.keys('load_carriers')
    ;(await api.get('/system/backup?grippers=perhaps')).status.should.equal(400)
  })

  it('restores parameters, and whole lists', async () => {
    await api.put(`${camera}/parameters?fps=10`)
    await add('first')
    const saved = await backup()
    await api.put(`${camera}/services/reset_defaults`)
    await add('second')
    const { status, body } = await restore(saved)
    status.should.equal(200)
    should(body).eql({ return_code: { value: 0, message: 'backup restored' }, warnings: [] })
    api.device.parameter('camera', 'fps').should.equal(10)
    ;(await ids()).should.eql(['first'])
    should(await backup()).eql(saved)
  })

  it('restores preferred orientations and sorting strategies', async () => {
    const services = '/pipelines/0/nodes/dev_itempick/services'
    const set = (service: string, args: object) => api.put(`${services}/set_${service}`, { json: { args } })
    const orientation = { w: 0, x: 1, y: 0, z: 0 }
    await set('preferred_orientation', { orientation, pose_frame: 'external' })
    await set('sorting_strategies', { gravity: { weight: 1 } })
    const saved = await backup()
    await api.put(`${services}/reset_defaults`)
    await set('preferred_orientation', { orientation: { ...orientation, w: 1, x: 0 }, pose_frame: 'camera' })
    should((await restore(saved)).body).have.property('warnings', [])
    should(await backup()).eql(saved)
    const get = async (service: string) =>
      ((await api.put(`${services}/get_${service}`)).body as { response: object }).response
    should(await get('preferred_orientation')).containDeep({ orientation, pose_frame: 'external' })
    should(await get('sorting_strategies')).containDeep({ gravity: { weight: 1 } })
  })

  it('does not change what is not in it', async () => {
    await add('first')
    should((await restore({})).body).have.property('warnings', [])
    ;(await ids()).should.eql(['first'])
  })

  it('skips what does not fit, and names it', async () => {
    api.device.setScenario({ license: { stereo: false } })
    const parameters = (values: object) => ({ parameters: values })
    const { body } = await restore({
      load_carriers: [{ id: 'bad' }, carrier, 7],
      pipelines: {
        0: {
          nodes: {
            dev_camera: parameters({ fps: 99 }),
            dev_stereomatching: parameters({ seg: 10 }),
            dev_nothing: parameters({}),
            dev_hand_eye_calibration: parameters({ grid_width: 0.2 }),
          },
        },
        2: { nodes: { dev_camera: parameters({ fps: 10 }) } },
      },
    })
    const warnings = (body as { warnings: string[] }).warnings.join('\n')
    warnings.should
      .match(/load_carriers\[0\]/)
      .and.match(/load_carriers\[2\]/)
      .and.match(/dev_camera: fps: 99/)
    warnings.should
      .match(/dev_stereomatching: no valid license/)
      .and.match(/dev_nothing/)
      .and.match(/^2, dev_camera/m)
    ;(await ids()).should.eql(['bin'])
    api.device.parameter('camera', 'fps').should.equal(25)
    api.device.parameter('hand_eye_calibration', 'grid_width').should.equal(0.2)
  })

  it('refuses anything but a backup', async () => {
    for (const json of [[1], 1, null, { load_carriers: {} }, { pipelines: [] }, { pipelines: { 0: 1 } }])
      (await restore(json)).status.should.equal(400)
    ;(await api.post('/system/backup')).status.should.equal(400)
  })
})
