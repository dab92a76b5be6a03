import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { createServer } from 'node:net'
import { useAdmin } from '../support/admin'
import { useBench } from '../support/bench'
import { listening } from '../support/listening'

describe('the port of a virtual device, as checked by its dialog', () => {
  let other: VirtualDevice
  before(async () => {
    other = await startVirtualDevice({ port: 0, serial: 'B-5678' })
  })
  after(() => other.stop())
  const bench = useBench({ type: 'vision-virtual-device', port: 0 })
  const admin = useAdmin()
  const ask = async (question: object) =>
    admin.post('vision-devices/port', { node: 'new', host: '127.0.0.1', ...question })

  it('is free, or its own', async () => {
    const { url } = (await bench.send({ payload: {} })).payload as { url: string }
    const port = Number(new URL(url).port)
    should((await ask({ port, node: 'test' })).body).eql({ by: 'itself' })
    should((await ask({ port })).body).match({ by: 'virtualDevice' })
    await bench.send({ topic: 'stop' })
    should((await ask({ port })).body).eql({ by: 'nobody' })
    should((await ask({ port: 0 })).body).eql({ by: 'nobody' })
  })

  it('belongs to another virtual device, and the next free one is reported', async () => {
    const { port } = other
    const { body } = await ask({ port })
    should(body).match({ by: 'virtualDevice', serial: 'B-5678' })
    const { free } = body as { free: number }
    free.should.be.within(port + 1, port + 20)
    should((await ask({ port, others: [free] })).body).not.match({ free })
  })

  it('belongs to another program', async () => {
    const { port, stop } = await listening(createServer((socket) => socket.destroy()))
    try {
      should((await ask({ port })).body).match({ by: 'program' })
    } finally {
      await stop()
    }
  })

  it('is free, but configured in another node', async () => {
    const { port, stop } = await listening(createServer())
    await stop()
    should((await ask({ port, others: [port] })).body).match({
      by: 'nobody',
      free: (free: number) => free > port,
    })
  })

  it('is not checked in the network', async () => {
    should((await ask({ port: 8080, host: 'vision.example' })).body).eql({ by: 'unknown' })
  })

  it('must be a valid port', async () => {
    for (const port of [-1, 65_536, 1.5, '8080', null])
      should(await ask({ port })).match({ status: 400, body: { code: 'INVALID_INPUT', message: /port/ } })
    for (const others of [8080, ['8080'], Array(1001).fill(1)])
      should(await ask({ port: 1, others })).match({ status: 400, body: { message: /others/ } })
    should(await ask({ port: 1, host: 5 })).match({ status: 400, body: { message: /host/ } })
  })
})
