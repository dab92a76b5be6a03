import should from 'should'
import { createServer } from 'node:net'
import { startInWorker, startVirtualDevice } from '../../../virtual-device'
import { listening } from '../../support/listening'
import { usePrograms } from '../support/program'
import { send } from '../support/use-device'

describe('the port of the image stream', () => {
  it('is none unless a program asks for one', async () => {
    const device = await startVirtualDevice({ port: 0 })
    device.ports.should.eql({})
    should((await send('GET', `${device.url}/virtual/ports`)).body).eql({})
    await device.stop()
  })

  it('is reported by the device, from code, over HTTP and from a thread', async () => {
    const device = await startVirtualDevice({ port: 0, imagePort: 0 })
    const port = device.ports.images?.port ?? 0
    port.should.be.above(0)
    const { body } = await send('GET', `${device.url}/virtual/ports`)
    should(body).eql({ images: { port } })
    await device.stop()
    const inThread = await startInWorker({ port: 0, imagePort: 'auto' })
    should(inThread.ports.images).have.properties('port').and.not.have.properties('instead_of')
    await inThread.stop()
  })

  it('is an error where it was set by hand and is in use, and nothing of the device stays', async () => {
    const { port, stop } = await listening(createServer())
    await startVirtualDevice({ port: 0, imagePort: port }).should.be.rejectedWith({
      name: 'StartError',
      code: 'SIDE_PORT_NOT_FREE',
      message: new RegExp(`^Port ${port} .* set for the images, is in use`),
    })
    await stop()
    const device = await startVirtualDevice({ port: 0, imagePort: port })
    should(device.ports).eql({ images: { port } })
    await device.stop()
  })

  it('is closed if the device cannot listen for its API', async () => {
    const first = await startVirtualDevice({ port: 0, imagePort: 0 })
    const port = first.ports.images?.port ?? 0
    const api = first.port
    await first.stop()
    const other = await startVirtualDevice({ port: api })
    await startVirtualDevice({ port: api, imagePort: port }).should.be.rejectedWith({ code: 'PORT_NOT_FREE' })
    await other.stop()
    const again = await startVirtualDevice({ port: 0, imagePort: port })
    should(again.ports.images?.port).equal(port)
    await again.stop()
  })

  for (const wrong of [-1, 1.5, 70_000, 'on'])
    it(`cannot be ${wrong}`, async () => {
      await startVirtualDevice({ port: 0, imagePort: wrong as number }).should.be.rejectedWith({
        code: 'INVALID_OPTION',
        message: /image port/,
      })
    })

  const programs = usePrograms()

  it('is shown by the program when it is ready', async () => {
    const { line, kill } = await programs.start()
    line.should.match(/\(variant single, images on port \d+, page at http:.*\)\n$/)
    await kill('SIGKILL')
    const off = await programs.start('--image-port', 'off')
    off.line.should.match(/\(variant single, page at http:.*\)\n$/)
    await off.kill('SIGKILL')
    const { code, err } = await programs.run('--port', '0', '--image-port', 'on')
    should(code).equal(2)
    err.should.match(/image port/)
  })
})
