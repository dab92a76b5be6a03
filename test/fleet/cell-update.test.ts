import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { writeArtifact } from '../../virtual-device/firmware/artifact'
import { hostWritten } from '../../nodes/cell-agent/update-command'
import { eventually } from '../support/eventually'
import { useFolder } from '../virtual-device/support/temporary-folder'
import { serveFile, startCell, type FileServer, type TestCell } from './cell'

describe('a host from which artifacts may come', () => {
  for (const [source, url, isAllowed] of [
    ['files.plant', 'http://files.plant/a.bin', true],
    ['files.plant:80', 'http://files.plant/a.bin', true],
    ['files.plant', 'http://files.plant:80/a.bin', true],
    ['files.plant:443', 'https://files.plant/a.bin', true],
    ['Files.Plant:8080', 'http://FILES.plant:8080/a.bin', true],
    ['files.plant:443', 'http://files.plant/a.bin', false],
    ['files.plant:80', 'https://files.plant/a.bin', false],
    ['files.plant', 'http://files.plant:8080/a.bin', false],
    ['', 'http://files.plant/a.bin', false],
  ] as const)
    it(`written as "${source}" ${isAllowed ? 'allows' : 'does not allow'} ${url}`, () => {
      const { host, protocol } = new URL(url)
      should(hostWritten(source, protocol) === host).equal(isAllowed)
    })
})

describe('a firmware update by a command, with Mosquitto and Node-RED', function () {
  this.timeout(180_000)
  const folder = useFolder()
  let device: VirtualDevice
  let cell: TestCell
  let server: FileServer
  let artifact: { url: string; sha256: string; size: number }
  let ahead = 0
  beforeEach(async () => {
    const file = folder.path('artifact.bin')
    await writeArtifact(file, { version: 'v2.0.0', size: 6 * 1024 * 1024 })
    const content = readFileSync(file)
    // The first two answers end early.
    server = await serveFile(content, { cutAfter: 1_500_000, cuts: 2 })
    artifact = {
      url: server.url,
      sha256: createHash('sha256').update(content).digest('hex'),
      size: content.length,
    }
    ahead = 0
    device = await startVirtualDevice({
      port: 0,
      clock: { now: () => Date.now() / 1000 + ahead },
      scenario: { boot_seconds: 0.6, boot_502_seconds: 0.05, update_seconds: 1 },
    })
    ahead = 100
    cell = await startCell(
      { left: device.url },
      { mayUpdate: true, maySet: true, sources: server.host, patience: 30, fingerprint: 0 },
    )
    await eventually(() => should(cell.state()).match({ devices: [{ link: 'ready' }] }))
  })
  afterEach(async () => {
    await cell.stop()
    await device.stop()
    await server.stop()
  })

  const update = (more: object = {}) => ({
    ...{ do: 'update-firmware', device: 'left', args: { artifact, version: 'v2.0.0', ...more } },
  })

  it('fetches the artifact in parts, updates the device, and refuses a second one meanwhile', async () => {
    const id = await cell.ask(update())
    await eventually(() => should(cell.state()).match({ working: [{ id, do: 'update-firmware' }] }))
    should(await cell.final(await cell.ask(update()))).match({ state: 'refused', code: 'BUSY' })
    const set = { do: 'set-parameters', device: 'left', args: { parameters: { dev_camera: { fps: 5 } } } }
    should(await cell.final(await cell.ask(set))).match({ state: 'refused', code: 'BUSY' })
    should(await cell.final(id)).match({
      ...{ state: 'done', result: { outcome: 'updated', from: 'v1.1.0', active: 'v2.0.0', reboots: 1 } },
    })
    // Each goes on where the one before was cut: of a cut one, the last bytes may be lost.
    const starts = server.requests.map((range) => Number(/^bytes=(\d+)-$/.exec(range ?? 'bytes=0-')?.[1]))
    should(starts.length).be.aboveOrEqual(3)
    for (const [number, start] of starts.slice(1).entries())
      should(start - (starts[number] ?? NaN)).be.within(1, 1_500_000)
    await eventually(() => should(cell.state()).match({ devices: [{ firmware: 'v2.0.0' }], working: [] }))
  })

  it('goes on by itself after a kill of Node-RED and without the broker, and updates once', async () => {
    const id = await cell.ask(update())
    await eventually(() => should(cell.state()).match({ working: [{ id, phase: /upload|write|reboot/ }] }))
    await cell.kill()
    await cell.broker.kill()
    await cell.restart()
    const version = async () => {
      const { firmware } = (await (await fetch(`${device.url}/api/v2/system`)).json()) as {
        firmware: { active_image: { image_version: string } }
      }
      return firmware.active_image.image_version
    }
    // Nobody can ask or answer meanwhile.
    await eventually(async () => should(await version()).equal('v2.0.0'), 90_000)
    await cell.broker.start()
    should(await cell.final(id)).match({ state: 'done', result: { active: 'v2.0.0', reboots: 1 } })
    should(cell.finals(id)).have.length(1)
  })

  it('ends an update that is aborted, and leaves the old version', async () => {
    const slow = await fetch(`${device.url}/virtual/scenario`, {
      ...{ method: 'PUT', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ upload_rate: 100_000 }),
    })
    should(slow.ok).equal(true)
    const id = await cell.ask(update())
    await eventually(() => should(cell.state()).match({ working: [{ id, phase: 'upload' }] }))
    should(await cell.final(await cell.ask({ do: 'abort', args: { job: id } }))).match({ state: 'done' })
    should(await cell.final(id)).match({ state: 'failed', code: 'ABORTED', result: { active: 'v1.1.0' } })
  })

  it('ends a fetch that is aborted', async () => {
    server.breaks()
    const id = await cell.ask(update())
    await eventually(() => should(cell.state()).match({ working: [{ id, phase: 'fetch' }] }))
    should(await cell.final(await cell.ask({ do: 'abort', args: { job: id } }))).match({ state: 'done' })
    should(await cell.final(id)).match({ state: 'failed', code: 'ABORTED' })
  })

  it('fetches from no other host, and nothing that is not as announced', async () => {
    const other = { artifact: { ...artifact, url: 'http://127.0.0.1:9/x.bin' } }
    should(await cell.final(await cell.ask(update(other)))).match({ state: 'refused', code: 'FORBIDDEN' })
    const wrong = { artifact: { ...artifact, sha256: '0'.repeat(64) } }
    should(await cell.final(await cell.ask(update(wrong)))).match({
      ...{ state: 'refused', code: 'INVALID_INPUT', text: /SHA-256/ },
    })
    const folderOfFiles = join(cell.red.userDir, 'fleet', 'firmware')
    should(() => readFileSync(join(folderOfFiles, `${'0'.repeat(64)}.bin`))).throw(/ENOENT/)
  })
})
