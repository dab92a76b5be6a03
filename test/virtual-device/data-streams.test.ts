import should from 'should'
import type { Stream } from '../../lib/contract'
import { useDevice } from './support/use-device'

describe('data streams of the virtual device', () => {
  const api = useDevice({ scenario: { boot_seconds: 0 } })
  const pose = '/datastreams/pose'
  const destinations = async () => ((await api.get(pose)).body as Stream).destinations
  const form = (destination: string) => ({
    body: new URLSearchParams({ destination }).toString(),
    headers: urlencoded,
  })
  const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }

  it('are listed with their messages, without destinations', async () => {
    const streams = (await api.get('/datastreams')).body as Stream[]
    streams
      .map(({ name, protobuf }) => `${name} ${protobuf}`)
      .should.containDeep(['pose Frame', 'pose_rt Frame', 'imu Imu', 'dynamics Dynamics'])
    for (const stream of streams) stream.should.containEql({ protocol: 'UDP', destinations: [] })
  })

  it('accept a destination as form field, or one or several as JSON', async () => {
    should((await api.put(pose, form('127.0.0.1:30000'))).body).containEql({
      destinations: ['127.0.0.1:30000'],
    })
    await api.put(pose, { json: { destination: '127.0.0.2:30000' } })
    await api.put(pose, { json: { destination: ['127.0.0.3:1', '[::1]:65535', '127.0.0.3:1'] } })
    ;(await destinations()).should.eql(['127.0.0.1:30000', '127.0.0.2:30000', '127.0.0.3:1', '[::1]:65535'])
  })

  it('remove a destination by query or JSON body, several, or all', async () => {
    await api.put(pose, { json: { destination: [1, 2, 3, 4, 5].map((port) => `127.0.0.1:${port}`) } })
    await api.delete(`${pose}?destination=127.0.0.1:1`)
    await api.delete(pose, { json: { destination: ['127.0.0.1:2', '127.0.0.1:3'] } })
    ;(await destinations()).should.eql(['127.0.0.1:4', '127.0.0.1:5'])
    await api.delete(`${pose}?destination=127.0.0.9:9`)
    should((await api.delete(pose)).body).containEql({ destinations: [] })
  })

  it('have at most ten destinations', async () => {
    for (let port = 1; port <= 10; port++) await api.put(pose, form(`127.0.0.1:${port}`))
    ;(await api.put(pose, form('127.0.0.1:10'))).status.should.equal(200)
    const { status, body } = await api.put(pose, form('127.0.0.1:11'))
    status.should.equal(403)
    should(body).have.property('message')
    ;(await destinations()).length.should.equal(10)
  })

  it('refuse an invalid destination, and other names', async () => {
    for (const wrong of [
      '',
      'a',
      '127.0.0.1',
      '127.0.0.1:0',
      '127.0.0.1:65536',
      '127.0.0.256:1',
      '::1:1',
      '[x]:1',
    ])
      (await api.put(pose, form(wrong))).status.should.equal(400)
    for (const json of [{}, { destination: 1 }, { destination: ['127.0.0.1:1', 2] }])
      (await api.put(pose, { json })).status.should.equal(400)
    ;(await api.put(pose)).status.should.equal(400)
    ;(await destinations()).should.eql([])
    ;(await api.get('/datastreams/none')).status.should.equal(404)
    ;(await api.put('/datastreams/__proto__', form('127.0.0.1:1'))).status.should.equal(404)
    ;(await api.delete('/datastreams/none')).status.should.equal(404)
  })

  it('lose their destinations in a reboot', async () => {
    await api.put(pose, form('127.0.0.1:1'))
    await api.put('/system/reboot')
    ;(await destinations()).should.eql([])
  })
})
