import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'mqtt'
import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { writeArtifact } from '../../virtual-device/firmware/artifact'
import { Authority, contentOf } from '../support/authority'
import { eventually } from '../support/eventually'
import { root } from '../support/root'
import { useFolder } from '../virtual-device/support/temporary-folder'
import { serveFile, startCell, type FileServer, type TestCell } from './cell'

/** The access list of the guide, for the cell of the test. */
const accessList = () => {
  const guide = readFileSync(`${root}/docs/fleet.md`, 'utf8')
  const [, list = ''] = /```\n(user north-cell-1\n[^`]*)```/.exec(guide) ?? []
  return list.replaceAll('north-cell-1', 'north-c1').replaceAll('north/cell-1', 'north/c1')
}

describe('a cell over TLS, with an authority of the plant', function () {
  this.timeout(180_000)
  const folder = useFolder()
  let device: VirtualDevice
  let cell: TestCell
  let server: FileServer
  let stranger: FileServer
  let ca: Buffer
  let artifact: { url: string; sha256: string; size: number }
  let ahead = 0

  beforeEach(async () => {
    const plant = new Authority(folder.path())
    const foreign = new Authority(folder.path(), 'foreign')
    const broker = plant.sign('broker')
    const files = contentOf(plant.sign('files'))
    ca = readFileSync(plant.ca)
    writeFileSync(folder.path('access'), accessList())
    const file = folder.path('artifact.bin')
    await writeArtifact(file, { version: 'v2.0.0', size: 2 * 1024 * 1024 })
    const content = readFileSync(file)
    server = await serveFile(content, { cutAfter: 500_000, cuts: 1, tls: files })
    stranger = await serveFile(content, { tls: contentOf(foreign.sign('files')) })
    const sha256 = createHash('sha256').update(content).digest('hex')
    artifact = { url: server.url, sha256, size: content.length }
    ahead = 0
    device = await startVirtualDevice({
      port: 0,
      clock: { now: () => Date.now() / 1000 + ahead },
      scenario: { boot_seconds: 0.6, boot_502_seconds: 0.05, update_seconds: 1 },
    })
    ahead = 100
    cell = await startCell(
      { left: device.url },
      {
        ...{ mayUpdate: true, maySet: true, patience: 60, fingerprint: 0 },
        sources: `${server.host}, ${stranger.host}`,
      },
      [],
      {
        configuration: [
          ...[`cafile ${plant.ca}`, `certfile ${broker.cert}`, `keyfile ${broker.key}`],
          ...['require_certificate true', 'use_identity_as_username true', 'allow_anonymous false'],
          `acl_file ${folder.path('access')}\n`,
        ].join('\n'),
        centre: { protocol: 'mqtts', ca, ...contentOf(plant.sign('hq')) },
        cell: { ca: plant.ca, ...plant.sign('north-c1') },
        environment: { NODE_EXTRA_CA_CERTS: plant.ca },
      },
    )
    await eventually(() => should(cell.state()).match({ devices: [{ link: 'ready' }] }))
  })
  afterEach(async () => {
    await cell.stop()
    await device.stop()
    await server.stop()
    await stranger.stop()
  })

  it('obeys the centre, fetches an artifact over https with ranges, and updates the device', async () => {
    const set = { do: 'set-parameters', device: 'left', args: { parameters: { dev_camera: { fps: 5 } } } }
    should(await cell.final(await cell.ask(set))).match({ state: 'done' })
    const update = { do: 'update-firmware', device: 'left', args: { artifact, version: 'v2.0.0' } }
    should(await cell.final(await cell.ask(update))).match({
      ...{ state: 'done', result: { outcome: 'updated', active: 'v2.0.0', reboots: 1 } },
    })
    // The rest, from where the connection was cut: what was on the way then was lost.
    const [first, rest, ...more] = server.requests
    should([first, more]).deepEqual([undefined, []])
    Number(/^bytes=(\d+)-$/.exec(rest ?? '')?.[1]).should.be.within(1, 500_000)
  })

  it('is back after the broker was killed, and takes what is asked then', async () => {
    await cell.broker.kill()
    await cell.broker.start()
    const set = { do: 'set-parameters', device: 'left', args: { parameters: { dev_camera: { fps: 6 } } } }
    should(await cell.final(await cell.ask(set))).match({ state: 'done' })
  })

  it('trusts no file server of another authority, and says so at once', async () => {
    const other = { ...artifact, url: stranger.url }
    const update = { do: 'update-firmware', device: 'left', args: { artifact: other } }
    should(await cell.final(await cell.ask(update), 20_000)).match({
      ...{ state: 'failed', code: 'UNREACHABLE', text: /certificate/i },
    })
    should(stranger.requests).deepEqual([])
  })

  it('meets nobody at the broker who has no certificate of the plant', async () => {
    const client = connect({
      protocol: 'mqtts',
      host: '127.0.0.1',
      port: cell.broker.port,
      ca,
      reconnectPeriod: 0,
    })
    const outcome = await new Promise<string>((resolve) => {
      client.once('connect', () => resolve('connected'))
      client.once('error', () => resolve('refused'))
      client.once('close', () => resolve('refused'))
    })
    await client.endAsync(true)
    should(outcome).equal('refused')
  })
})
