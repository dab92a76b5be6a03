import should from 'should'
import type { Log, LogInfo } from '../../lib/contract'
import { manualClock } from '../../virtual-device'
import { LogBook } from '../../virtual-device/device/log-book'
import { defaultScenario } from '../../virtual-device/scenario'
import { camera, useDevice } from './support/use-device'

describe('logs of the virtual device', () => {
  const clock = manualClock()
  const api = useDevice({ clock })
  const names = async () => ((await api.get('/logs')).body as LogInfo[]).map(({ name }) => name)

  it('are listed, those without entries without a size', async () => {
    ;(await names()).should.eql(['api.log', 'stereo.log', 'camera.log', 'dynamics.log', 'gev.log'])
    const [first, second] = (await api.get('/logs')).body as LogInfo[]
    should(first?.size).be.above(0)
    should(second).not.have.property('size')
  })

  it('report what happened: started, written, called, refused', async () => {
    await api.put(`${camera}/parameters?fps=10`)
    await api.put(`${camera}/services/reset_defaults`)
    await api.put(`${camera}/parameters/fps`, { json: { value: 99 } })
    const { log } = (await api.get('/logs/api.log')).body as Log
    log
      .map(({ component, level, message }) => `${level} ${component} ${message}`)
      .should.eql([
        'INFO dev_api started',
        'INFO dev_camera fps set to 10',
        'INFO dev_camera service reset_defaults called',
        `WARN dev_api refused with 400: PUT /api/v2${camera}/parameters/fps: fps: 99 is above the maximum of 25 Hz`,
      ])
  })

  it('return the newest entries, a hundred without a limit', async () => {
    for (let count = 0; count < 60; count++) await api.put(`${camera}/parameters?fps=10&exp_auto=true`)
    const read = async (query = '') => ((await api.get(`/logs/api.log${query}`)).body as Log).log
    ;(await read()).length.should.equal(100)
    ;(await read('?limit=5')).should.eql((await read()).slice(-5))
    ;(await read('?limit=1000&format=json')).length.should.equal(121)
  })

  it('are text on request, with the listed size, whatever the limit', async () => {
    await api.put(`${camera}/parameters?fps=10`)
    const { text, headers } = await api.get('/logs/api.log?format=raw&limit=1')
    should(headers.get('content-type')).startWith('text/plain')
    text.should.equal(
      '2023-11-14T22:13:20.000Z INFO dev_api: started\n2023-11-14T22:13:20.000Z INFO dev_camera: fps set to 10\n',
    )
    const [info] = (await api.get('/logs')).body as LogInfo[]
    should(info?.size).equal(Buffer.byteLength(text))
  })

  it('refuse an invalid limit or format, and another name', async () => {
    for (const query of [
      'limit=0',
      'limit=-1',
      'limit=1.5',
      'limit=ten',
      'limit=',
      'limit=1&limit=2',
      'format=xml',
    ])
      (await api.get(`/logs/api.log?${query}`)).status.should.equal(400)
    ;(await api.get('/logs/nothing.log')).status.should.equal(404)
  })

  it('never contain the hash of the user interface lock', async () => {
    await api.post('/system/ui_lock?hash=s3cret-hash&set=true')
    await api.post('/system/ui_lock?hash=s3cret-hash&set=perhaps')
    await api.delete('/system/ui_lock?hash=s3cret-hash')
    await api.send('PATCH', '/api/v2/system/ui_lock?hash=s3cret-hash')
    ;(await api.get('/logs/api.log?format=raw')).text.should.match(/ui_lock/).and.not.match(/s3cret/)
  })

  it('grow by themselves if the scenario says so, with all levels', async () => {
    api.device.setScenario({ log_chatter: 2 })
    clock.advance(10)
    const log = async (name: string) => ((await api.get(`/logs/${name}`)).body as Log).log
    const all = [...(await log('camera.log')), ...(await log('stereo.log'))]
    all.length.should.equal(20)
    const levels = new Set(all.map(({ level }) => level))
    ;[...levels].sort().should.eql(['DEBUG', 'ERROR', 'INFO', 'WARN'])
    const times = new Set(all.map(({ timestamp }) => timestamp))
    times.size.should.equal(20)
    clock.advance(0.5)
    ;[...(await log('camera.log')), ...(await log('stereo.log'))].length.should.equal(21)
    api.device.setScenario({ log_chatter: 0 })
    clock.advance(10)
    ;[...(await log('camera.log')), ...(await log('stereo.log'))].length.should.equal(21)
  })

  it('lose their oldest tenth or begin anew when they are full', async () => {
    const fill = async (rotation: 'oldest' | 'anew', seconds: number) => {
      api.device.setScenario({ log_keeps: 20, log_rotation: rotation, log_chatter: 7 })
      clock.advance(seconds)
      return ((await api.get('/logs/camera.log')).body as Log).log.length
    }
    // Four of seven are written to this log.
    ;(await fill('oldest', 10)).should.equal(20)
    ;(await fill('anew', 1)).should.equal(4)
  })

  it('are gone while they are missing, and come back unchanged', async () => {
    await api.send('PUT', '/virtual/scenario', { json: { genicam_connected: true } })
    const before = (await api.get('/logs/gev.log')).text
    api.device.setScenario({ missing_logs: ['gev.log'] })
    ;(await names()).should.not.containEql('gev.log')
    ;(await api.get('/logs/gev.log')).status.should.equal(404)
    api.device.setScenario({ missing_logs: [] })
    ;(await api.get('/logs/gev.log')).text.should.equal(before)
  })

  it('keep the newest ten thousand entries, one per line', () => {
    const settings = defaultScenario([])
    const book = new LogBook(
      ['a.log'],
      () => 0,
      () => 0,
      () => settings,
      'dev_',
    )
    for (let index = 0; index < 25_000; index++) book.write('a.log', 'x', 'INFO', `entry\n${index}`)
    const log = book.json('a.log', 100_000)?.log ?? []
    log.length.should.be.within(9000, 10_000)
    should(log.at(-1)?.message).equal('entry 24999')
    const raw = book.raw('a.log') ?? ''
    raw.split('\n').length.should.equal(log.length + 1)
    should(book.infos()[0]?.size).equal(raw.length)
  })
})
