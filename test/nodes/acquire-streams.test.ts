import { connect, createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import should from 'should'
import { useBench } from '../support/bench'
import { eventually } from '../support/eventually'

/** Port of pipeline 0; that of pipeline 1 follows it. */
interface ImagePorts {
  port: number
  /** Connections to pipeline 0. */
  open: Set<Socket>
  /** From now on connections are accepted, and nothing is ever said. */
  fallSilent: () => void
  stop: () => void
}

/** What lies between a device and its client, such as a switch that is restarted. */
async function startBetween(target: () => number): Promise<ImagePorts> {
  const open = new Set<Socket>()
  let isSilent = false
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined).once('close', () => open.delete(socket))
    socket.resume()
    if (isSilent) return
    const far = connect(target(), '127.0.0.1')
    far.on('error', () => undefined).once('close', () => socket.destroy())
    socket.once('close', () => far.destroy())
    socket.pipe(far).pipe(socket)
  })
  const nobody = createServer((socket) => void socket.destroy())
  const port = await listenBeside(server, nobody)
  return {
    port,
    open,
    fallSilent: () => {
      isSilent = true
      for (const socket of open) socket.destroy()
      open.clear()
    },
    stop: () => {
      for (const socket of open) socket.destroy()
      server.close()
      nobody.close()
    },
  }
}

/** Listens on two consecutive ports. @returns the first */
async function listenBeside(first: Server, second: Server): Promise<number> {
  for (;;) {
    await once(first.listen(0, '127.0.0.1'), 'listening')
    const { port } = first.address() as { port: number }
    try {
      await once(second.listen(port + 1, '127.0.0.1'), 'listening')
      return port
    } catch {
      await new Promise((resolve) => first.close(resolve))
    }
  }
}

describe('the streams of acquire', () => {
  let between: ImagePorts
  // An attempt that is never answered stands for a minute.
  const config = { connectDeadline: 60, imagePort: 0 }
  before(async () => {
    between = await startBetween(() => bench.device.ports.images?.port ?? 0)
    config.imagePort = between.port
  })
  const bench = useBench(
    { type: 'vision-acquire', pipeline: '', left: 'none', wires: [['out0'], []] },
    { device: { imagePort: 0 }, config },
  )
  after(() => between.stop())

  it('are closed with the node, also one that reconnects while another pipeline is used', async () => {
    await bench.send({ pipeline: '0' })
    between.open.size.should.be.above(0)
    between.fallSilent()
    // It connects anew, and nobody answers.
    await eventually(() => between.open.size.should.be.above(0))
    await bench.send({ pipeline: '1' }).should.be.rejectedWith({ code: /UNREACHABLE|NOT_FOUND/ })
    between.open.size.should.be.above(0)
    await bench.deployWithout()
    await eventually(() => should(between.open.size).equal(0), 20_000)
  })
})
