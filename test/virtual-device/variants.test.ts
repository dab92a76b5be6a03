import should from 'should'
import { useDevice } from './support/use-device'

describe('the single variant of the virtual device', () => {
  const api = useDevice({ nodePrefix: 'xy_' })

  it('has pipeline 0 only', async () => {
    should((await api.get('/pipelines')).body).eql({ 0: { type: 'stereo_a', status: 'running' } })
    should((await api.get('/pipelines/0')).body).eql({ type: 'stereo_a', status: 'running' })
    for (const name of ['1', '3', '4', 'a', '00'])
      for (const path of [
        `/pipelines/${name}`,
        `/pipelines/${name}/nodes`,
        `/system/pipelines/config/${name}`,
      ])
        (await api.get(path)).status.should.equal(400)
  })

  it('names its nodes with its prefix', async () => {
    const names = async (path: string) =>
      ((await api.get(path)).body as { name: string }[]).map(({ name }) => name)
    const all = [...(await names('/nodes')), ...(await names('/pipelines/0/nodes'))]
    all.should.containDeep(['xy_roi_db', 'xy_camera', 'xy_stereo_ins'])
    all.every((name) => name.startsWith('xy_')).should.be.true()
    ;(await api.get('/pipelines/0/nodes/dev_camera')).status.should.equal(404)
  })

  it('has no user space', async () => {
    ;(await api.get('/userspace')).status.should.equal(404)
  })
})

describe('the multi variant of the virtual device', () => {
  const api = useDevice({ variant: 'multi', pipelines: { 0: 'stereo_a', 2: 'stereo_b' } })

  it('runs the pipelines that are configured', async () => {
    should((await api.get('/pipelines')).body).eql({
      0: { type: 'stereo_a', status: 'running' },
      2: { type: 'stereo_b', status: 'running' },
    })
    ;(await api.get('/pipelines/2/nodes/dev_camera/parameters/fps')).status.should.equal(200)
  })

  it('reports a pipeline that is not configured: 400 for the pipeline itself, 404 below', async () => {
    for (const path of ['/pipelines/1', '/pipelines/1/nodes']) {
      const { status, body } = await api.get(path)
      status.should.equal(400)
      should(body).have.property('message', 'pipeline 1 is not configured')
    }
    ;(await api.get('/pipelines/1/nodes/dev_camera')).status.should.equal(404)
  })

  it('separates the parameters of its pipelines', async () => {
    await api.put('/pipelines/2/nodes/dev_camera/parameters?fps=10')
    api.device.parameter('camera', 'fps', '0').should.equal(25)
    api.device.parameter('camera', 'fps', '2').should.equal(10)
  })

  it('has neither navigation nor data streams', async () => {
    ;(await api.get('/pipelines/0/nodes/dev_stereo_ins')).status.should.equal(404)
    ;(await api.get('/datastreams')).status.should.equal(404)
  })

  it('reports more about the system', async () => {
    const { body } = await api.get('/system')
    should(body).have.properties('dongle_id', 'model_name', 'pipelines', 'sensor_interfaces', 'userspace')
  })
})
