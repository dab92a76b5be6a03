import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { createServer } from 'node:net'
import should from 'should'
import type { PictureOrder } from '../../../virtual-device/images/image-service'
import { ImageDesk } from '../../../virtual-device/images/thread/image-desk'
import { eventually } from '../../support/eventually'
import { setsMethod } from './image-client'

/** Asks for the left image. */
const request = Buffer.from([0, 0, 0, 0, 2, 8, 1])

describe('the desk that draws and sends images', () => {
  it('draws nothing for a client that has not read the last picture, and then the newest only', async () => {
    let streams = 0
    const drawn: bigint[] = []
    const desk = new ImageDesk(
      1,
      1,
      ({ upTo }) => (streams = upTo),
      (error) => should.not.exist(error),
    )
    const port = await desk.listen('127.0.0.1', 0)
    desk.setState({ ready: true, pipelines: { 0: {} }, stream: 'ok', delay: 0, drop: 0 })
    const session = connectHttp2(`http://127.0.0.1:${port}`)
    try {
      const stream = session.request({ ':method': 'POST', ':path': setsMethod })
      stream.end(request)
      await eventually(() => streams.should.equal(1))
      desk.subscribed(1)
      const order = (time: bigint, triggered = false): PictureOrder => ({
        ...{ pipeline: '0', of: 'camera', triggered, seed: 1 },
        taking: {
          ...{ time, exposure: 0.01, gain: 0, brightness: 0.5, noise: 0, out1_reduction: 0 },
          gpios: { inputs: 0, outputs: 0, values: 0 },
        },
        exposure: {
          // Read whenever a picture is drawn.
          get brightness() {
            drawn.push(time)
            return 0.5
          },
          ...{ gain: 0, gamma: 1, blur: { x: 0, y: 0 } },
        },
        camera: { width: 1280, height: 960, focal: 0.8 },
        depth: {
          ...{ width: 640, height: 480, baseline: 0.1, mindepth: 0.1, maxdepth: 9, maxdeptherr: 9 },
          ...{ minconf: 0, noise: 0 },
        },
      })
      for (let time = 1n; time <= 9n; time++) desk.take(order(time))
      should(drawn).eql([1n])
      desk.take(order(10n, true))
      should(drawn).eql([1n, 10n])
      for (let time = 11n; time <= 15n; time++) desk.take(order(time))
      should(drawn).eql([1n, 10n])
      stream.resume()
      await eventually(() => should(drawn).eql([1n, 10n, 15n]))
    } finally {
      session.destroy()
      await desk.close()
    }
  })

  it('reports that its port was taken while the stream was closed', async () => {
    const failures: unknown[] = []
    const desk = new ImageDesk(
      1,
      1,
      () => undefined,
      (error) => failures.push(error),
    )
    const port = await desk.listen('127.0.0.1', 0)
    const state = { ready: true, pipelines: { 0: {} }, delay: 0, drop: 0 }
    desk.setState({ ...state, stream: 'closed' })
    const other = createServer()
    await eventually(async () => {
      other.listen(port, '127.0.0.1')
      await once(other, 'listening')
    })
    try {
      desk.setState({ ...state, stream: 'ok' })
      await eventually(() => should(failures).match([{ code: 'EADDRINUSE' }]))
    } finally {
      other.close()
      await desk.close()
    }
  })
})
