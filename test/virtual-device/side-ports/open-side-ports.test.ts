import should from 'should'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import {
  closeSidePorts,
  openSidePorts,
  reportedPorts,
  type SideService,
} from '../../../virtual-device/side-ports'
import { freePorts } from '../../support/free-ports'

const host = '127.0.0.1'

describe('the ports of a device beside its API', () => {
  const open: Server[] = []
  const listening = async (port: number): Promise<number> => {
    const server = createServer()
    server.listen(port, host)
    await once(server, 'listening')
    open.push(server)
    return (server.address() as AddressInfo).port
  }
  const closeAll = () =>
    Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
  afterEach(closeAll)

  const images = (option: SideService['option'], defaultPort = 0) => {
    const asked: number[] = []
    const service: SideService = {
      name: 'images',
      option,
      defaultPort,
      listen: (port) => {
        asked.push(port)
        return listening(port)
      },
      close: async () => {
        await closeAll()
      },
    }
    return { service, asked }
  }

  it('are none of a service that is off', async () => {
    const { service, asked } = images('off')
    should(await openSidePorts([service], { host, port: 8080 })).eql({})
    asked.should.eql([])
  })

  it('are the default one if it is free', async () => {
    const [port = 0] = await freePorts(1)
    const { service } = images('auto', port)
    const ports = await openSidePorts([service], { host, port: 8080 })
    ports.should.eql({ images: { port } })
    reportedPorts(ports).should.equal(`, images on port ${port}`)
  })

  it('are the next ones if the default one is taken, which is told', async () => {
    const taken = await listening(0)
    const { service, asked } = images('auto', taken)
    const ports = await openSidePorts([service], { host, port: 8080 })
    const port = asked.at(-1)
    asked.slice(0, 2).should.eql([taken, taken + 10])
    ports.should.eql({ images: { port, instead_of: taken } })
    reportedPorts(ports).should.equal(`, images on port ${port} because ${taken} is in use`)
  })

  it('are any free ones on a device that takes any free port', async () => {
    const { service, asked } = images('auto', 50051)
    const ports = await openSidePorts([service], { host, port: 0 })
    asked.should.eql([0])
    should(ports.images).have.properties('port').and.not.have.properties('instead_of')
  })

  it('are never others than those set by hand', async () => {
    const port = await listening(0)
    const { service, asked } = images(port)
    await openSidePorts([service], { host, port: 8080 }).should.be.rejectedWith({
      name: 'StartError',
      code: 'SIDE_PORT_NOT_FREE',
      message: new RegExp(`^Port ${port} on 127\\.0\\.0\\.1, set for the images, is in use: choose another`),
    })
    asked.should.eql([port])
  })

  it('are closed again if a later one is not free', async () => {
    const first = images(0)
    const taken = await listening(0)
    const second = { ...images(taken).service, name: 'robot' as const, close: () => Promise.resolve() }
    await openSidePorts([first.service, second], { host, port: 0 }).should.be.rejectedWith({
      message: /set for the robot interface/,
    })
    open.length.should.equal(0)
    await closeSidePorts([first.service])
  })
})
