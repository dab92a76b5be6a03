import should from 'should'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { freePorts } from '../support/free-ports'
import { usePrograms } from './support/program'
import { useFolder } from './support/temporary-folder'
import { camera, send } from './support/use-device'

const kills = process.env.CELLSIGHT_LONG ? 100 : 5
const region = {
  id: 'a',
  type: 'SPHERE',
  sphere: { radius: 1 },
  pose: { position: { x: 0, y: 0, z: 1 }, orientation: { x: 0, y: 0, z: 0, w: 1 } },
  pose_frame: 'camera',
}

describe('the state of the virtual device', () => {
  const folder = useFolder()
  const programs = usePrograms()
  let device: VirtualDevice | undefined

  const start = async (options = {}) =>
    (device = await startVirtualDevice({ port: 0, state: folder.path(), ...options }))
  const stop = async () => {
    await device?.stop()
    device = undefined
  }
  afterEach(stop)
  const put = (path: string, json?: unknown) => send('PUT', `${String(device?.url)}/api/v2${path}`, { json })
  const get = async (path: string) => (await send('GET', `${String(device?.url)}/api/v2${path}`)).body

  it('belongs to one device: it keeps its serial number, whatever its port and seed', async () => {
    await start({ serial: 'SN-1' })
    await stop()
    await start({ seed: 2 })
    should(await get('/system')).have.property('serial', 'SN-1')
    await stop()
    const [port = 0] = await freePorts(1)
    await start({ port })
    should(await get('/system')).have.property('serial', 'SN-1')
    await stop()
    await start({ serial: 'SN-2' })
    should(await get('/system')).have.property('serial', 'SN-2')
  })

  it('is restored: parameters, records, settings, time, locks, firmware and pipelines', async () => {
    await start({ variant: 'multi', nodePrefix: 'xy_' })
    await put('/pipelines/1/nodes/xy_camera/parameters?fps=10')
    await put('/nodes/xy_roi_db/services/set_region_of_interest', { args: { region_of_interest: region } })
    await put('/system/dns', { manual_dns_servers: ['10.0.0.1'] })
    await put('/system/time?utc=2040-01-01%2000:00:00')
    await put('/system/rollback')
    await put('/system/pipelines/config/3?type=stereo_b')
    await send('POST', `${String(device?.url)}/api/v2/system/ui_lock?hash=a&set=true`)
    const backup = await get('/system/backup?pipelines=false')
    await stop()

    await start({ variant: 'multi' })
    should(device?.parameter('camera', 'fps', '1')).equal(10)
    should(device?.parameter('camera', 'fps', '0')).equal(25)
    should(await get('/system/backup?pipelines=false')).eql(backup)
    should(await get('/system/dns')).containDeep({ dns: { manual_dns_servers: ['10.0.0.1'] } })
    should(await get('/system/ui_lock')).eql({ enabled: true })
    // Switching on again is a boot of the selected image.
    should(await get('/system/update')).containDeep({
      active_image: { image_version: 'v1.0.0' },
      inactive_image: { image_version: 'v1.1.0' },
      next_boot_image: 'active_image',
    })
    should(await get('/pipelines')).have.keys('0', '1', '3')
    should(await get('/system/time'))
      .have.property('utc')
      .startWith('2040-01-01 00:00')
  })

  it('does not include the scenario', async () => {
    await start({ scenario: { rate_limit: 5 } })
    await put(`${camera}/parameters?fps=10`)
    await stop()
    ;(await start()).scenario().rate_limit.should.equal(0)
  })

  it('is one file per variant, with nothing else left in the folder', async () => {
    for (const variant of ['single', 'multi'] as const) {
      await start({ variant })
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => put(`${camera}/parameters?fps=${index + 1}`)),
      )
      await stop()
    }
    ;(await readdir(folder.path())).sort().should.eql(['device-multi.json', 'device-single.json'])
  })

  it('is on the disk before a write is answered, and not written by reads', async () => {
    await start()
    const file = folder.path('device-single.json')
    const { mtimeMs } = await stat(file)
    await get('/nodes')
    ;(await stat(file)).mtimeMs.should.equal(mtimeMs)
    await put(`${camera}/parameters?fps=7`)
    ;(await readFile(file, 'utf8')).should.containEql('"fps":7')
  })

  const damaged: Record<string, (whole: string) => string> = {
    'cut short': (whole) => whole.slice(0, -10),
    empty: () => '',
    'of another program': () => '{"format":"something else"}',
    'of a newer version': (whole) => whole.replace('"version":1', '"version":2'),
    'changed by hand to nonsense': (whole) => whole.replace('"fps":7', '"fps":{}'),
    'changed by hand to nonsense in a record': (whole) =>
      whole.replace('"regions_of_interest":[]', '"regions_of_interest":7'),
  }
  for (const [what, damage] of Object.entries(damaged))
    it(`is refused and left unchanged if it is ${what}`, async () => {
      await start()
      await put(`${camera}/parameters?fps=7`)
      await stop()
      const file = folder.path('device-single.json')
      const content = damage(await readFile(file, 'utf8'))
      await writeFile(file, content)
      await start().should.be.rejectedWith({ name: 'StartError', code: 'STATE_DAMAGED' })
      ;(await readFile(file, 'utf8')).should.equal(content)
      const { code, err } = await programs.run('--port', '0', '--state', folder.path())
      should(code).equal(2)
      err.should.match(/^The state file .*device-single\.json.*\n$/)
    })

  it('is read from a file of version 0.1', async () => {
    await start()
    await put(`${camera}/parameters?fps=7`)
    await stop()
    const file = folder.path('device-single.json')
    const { device: saved } = JSON.parse(await readFile(file, 'utf8')) as { device: object }
    const format = 'virtual-vision-device state'
    await writeFile(file, JSON.stringify({ format, version: 1, variant: 'single', device: saved }))
    await start()
    should(device?.parameter('camera', 'fps')).equal(7)
  })

  it('falls back to the default if a value is out of its limits, with a log entry', async () => {
    await start()
    await put(`${camera}/parameters?fps=7&exp_max=0.01`)
    await stop()
    const file = folder.path('device-single.json')
    await writeFile(file, (await readFile(file, 'utf8')).replace('"fps":7', '"fps":70'))
    await start()
    should(device?.parameter('camera', 'fps')).equal(25)
    should(device?.parameter('camera', 'exp_max')).equal(0.01)
    JSON.stringify(await get('/logs/api.log')).should.containEql('dev_camera.fps: saved value does not fit')
  })

  it('is not overwritten by a second device in the same folder', async () => {
    const first = await start()
    await put(`${camera}/parameters?fps=7`)
    const second = await startVirtualDevice({ port: 0, state: folder.path() })
    await send('PUT', `${second.url}/api/v2${camera}/parameters?fps=8`)
    const { status, body } = await send('PUT', `${first.url}/api/v2${camera}/parameters?fps=9`)
    await Promise.all([second.stop(), first.stop().should.be.rejectedWith({ code: 'STATE_NOT_WRITABLE' })])
    device = undefined
    status.should.equal(500)
    should(body)
      .have.property('message')
      .match(/changed by another program/)
    ;(await readFile(folder.path('device-single.json'), 'utf8')).should.containEql('"fps":8')
  })

  it(`is complete after each of ${kills} kills in the middle of writing`, async function () {
    this.timeout(kills * 30_000)
    let acknowledged = 0
    for (let round = 0; round < kills; round++) {
      const program = await programs.start('--state', folder.path())
      const read = await send(
        'GET',
        `${program.url}/api/v2/pipelines/0/nodes/dev_hand_eye_calibration/parameters`,
      )
      const found = (name: string) =>
        (read.body as { name: string; value: number }[]).find((each) => each.name === name)?.value
      should(found('grid_width')).equal(found('grid_height'))
      should(found('grid_width') ?? 0).be.aboveOrEqual(acknowledged / 1000)

      const write = async (value: number) => {
        const query = `grid_width=${value / 1000}&grid_height=${value / 1000}`
        await send(
          'PUT',
          `${program.url}/api/v2/pipelines/0/nodes/dev_hand_eye_calibration/parameters?${query}`,
        )
        acknowledged = value
      }
      const enough = acknowledged + 10 + 7 * (round % 4)
      const writing = (async () => {
        for (let value = acknowledged + 1; ; value++) {
          if (value === enough) void program.kill('SIGKILL')
          await write(value)
        }
      })()
      await writing.should.be.rejected()
      await program.end
    }
  })
})
