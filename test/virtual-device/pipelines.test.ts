import should from 'should'
import { useDevice } from './support/use-device'

describe('pipelines of the virtual device', () => {
  const api = useDevice({ variant: 'multi', scenario: { boot_seconds: 0 } })
  const configuration = async () => (await api.get('/system/pipelines')).body

  it('are configured at once and run after a reboot', async () => {
    should(await configuration()).eql({
      config: { 0: { type: 'stereo_a' }, 1: { type: 'stereo_a' } },
      max_pipelines: 4,
      pending_changes: false,
    })
    should((await api.put('/system/pipelines/config/3?type=time_of_flight')).body).eql({
      type: 'time_of_flight',
    })
    should((await api.delete('/system/pipelines/config/1')).body).eql({ message: 'Pipeline 1 deleted' })
    should(await configuration()).containEql({ pending_changes: true })
    should((await api.get('/system')).body).containEql({ reboot_required: true })
    should((await api.get('/pipelines')).body).have.keys('0', '1')

    await api.put('/system/reboot')
    should(await configuration()).containEql({ pending_changes: false })
    should((await api.get('/system')).body).containEql({ reboot_required: false })
    should((await api.get('/pipelines')).body).eql({
      0: { type: 'stereo_a', status: 'running' },
      3: { type: 'time_of_flight', status: 'running' },
    })
  })

  it('have no pending change if it was undone', async () => {
    await api.put('/system/pipelines/config/1?type=stereo_b')
    await api.put('/system/pipelines/config/1?type=stereo_a')
    should(await configuration()).containEql({ pending_changes: false })
  })

  it('report their type', async () => {
    should((await api.get('/system/pipelines/config/1')).body).eql({ 1: { type: 'stereo_a' } })
  })

  for (const [what, method, path] of [
    ['another name', 'PUT', '4?type=stereo_a'],
    ['another type', 'PUT', '1?type=camera'],
    ['no type', 'PUT', '1'],
    ['pipeline 0', 'DELETE', '0'],
    ['a pipeline that is not configured', 'DELETE', '3'],
    ['a pipeline that is not configured', 'GET', '3'],
  ] as const)
    it(`refuse to ${method} ${what}`, async () => {
      const { status } = await api.send(method, `/api/v2/system/pipelines/config/${path}`)
      status.should.equal(400)
      should(await configuration()).containEql({ pending_changes: false })
    })
})

describe('pipelines of the single variant', () => {
  const api = useDevice()

  it('are one, whose type can be set', async () => {
    should((await api.get('/system/pipelines')).body).containEql({ max_pipelines: 1 })
    ;(await api.put('/system/pipelines/config/0?type=stereo_b')).status.should.equal(200)
    ;(await api.put('/system/pipelines/config/1?type=stereo_a')).status.should.equal(400)
    ;(await api.delete('/system/pipelines/config/1')).status.should.equal(400)
  })
})
