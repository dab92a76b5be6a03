import 'should'
import { isVisionError, type VisionError } from '../../lib'
import { encodeMessage, type Imu, type StreamMessageType } from '../../lib/codec/streams'
import { receiveStream, type Dropped, type ReceiverOptions } from '../../lib/streams'
import { openInbox, type Inbox } from '../support/datagrams'
import { eventually } from '../support/eventually'

const at = (sec: number) => ({ sec, nsec: 0 })
const imu = (sec: number): Imu => ({ timestamp: at(sec), linear_acceleration: { x: 1, y: 2, z: 3 } })
const imuBytes = (sec: number) => encodeMessage('Imu', imu(sec))
const frameBytes = (sec: number) => encodeMessage('Frame', { pose: { timestamp: at(sec) }, name: 'camera' })
const fail = (error: unknown) => {
  throw error
}
const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'UDPWrap').length

describe('receiveStream', () => {
  const open: { close: () => Promise<unknown> }[] = []
  let device: Inbox

  beforeEach(async () => {
    device = await openInbox()
    open.push(device)
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()))
  })

  /** A receiver that records its callbacks. */
  async function receive(
    message: StreamMessageType,
    options: Partial<ReceiverOptions<StreamMessageType>> = {},
  ) {
    const messages: unknown[] = []
    const dropped: Dropped[] = []
    const receiver = await receiveStream(
      { device: '127.0.0.1', message, ...options },
      {
        onMessage: (each) => messages.push(each),
        onDropped: (each) => dropped.push(each),
        onError: fail,
      },
    )
    open.push(receiver)
    const send = (datagram: Buffer | string) => device.send(datagram, { port: receiver.port })
    return { receiver, messages, dropped, send }
  }
  async function failure(options: object): Promise<VisionError> {
    try {
      await receive('Imu', options)
    } catch (error) {
      if (isVisionError(error)) return error
      throw error
    }
    throw new Error('it listens')
  }

  it('passes on what the device sends, with its timestamp', async () => {
    const received: unknown[] = []
    const receiver = await receiveStream(
      { device: '127.0.0.1', message: 'Frame' },
      { onMessage: ({ name }, timestamp) => received.push([name, timestamp]), onError: fail },
    )
    open.push(receiver)
    await device.send(frameBytes(7), receiver)
    await eventually(() => received.should.deepEqual([['camera', at(7)]]))
  })

  it('listens on the address that leads to the device, on any port', async () => {
    const { receiver } = await receive('Imu')
    receiver.address.should.equal('127.0.0.1')
    receiver.port.should.be.above(0)
    receiver.destination.should.equal(`127.0.0.1:${receiver.port}`)
  })

  it('listens on all addresses, and tells the device the one that leads to it', async () => {
    const { receiver, messages, send } = await receive('Imu', { address: '0.0.0.0' })
    receiver.destination.should.equal(`127.0.0.1:${receiver.port}`)
    await send(imuBytes(1))
    await eventually(() => messages.should.deepEqual([imu(1)]))
  })

  it('counts what is invalid, truncated or lacks its timestamp, and continues', async () => {
    const { receiver, messages, dropped, send } = await receive('Imu')
    await send('\u0007 is no field')
    await send('')
    await send(imuBytes(1).subarray(0, 20))
    await send(frameBytes(1))
    await send(encodeMessage('Imu', { linear_acceleration: { x: 1 } }))
    await send(imuBytes(2))
    await eventually(() => messages.should.deepEqual([imu(2)]))
    receiver.statistics().should.containEql({ messages: 1 }).and.containEql({ garbage: 4 })
    receiver.statistics().should.containEql({ truncated: 1 }).and.containEql({ foreign: 0 })
    const reasons = dropped.map(({ reason }) => reason)
    reasons.should.deepEqual(['garbage', 'garbage', 'truncated', 'garbage', 'garbage'])
    dropped[2]?.detail.should.match(/^Imu\.linear_acceleration at byte/)
  })

  it('drops datagrams of other hosts unless they are allowed', async () => {
    const elsewhere = { device: '127.0.0.2', address: '127.0.0.1' }
    const strict = await receive('Imu', elsewhere)
    const allowing = await receive('Imu', { ...elsewhere, allow: ['127.0.0.1'] })
    const all = await receive('Imu', { ...elsewhere, allow: 'all' })
    for (const { send } of [strict, allowing, all]) await send(imuBytes(1))
    await eventually(() => strict.dropped.should.deepEqual([{ reason: 'foreign', detail: '127.0.0.1' }]))
    for (const { messages } of [allowing, all]) await eventually(() => messages.length.should.equal(1))
    strict.messages.should.be.empty()
    strict.receiver.statistics().foreign.should.equal(1)
  })

  it('shares a port with others of this process, each with its own device and message', async () => {
    const first = await receive('Imu')
    const { port } = first.receiver
    const [second, frames, elsewhere] = await Promise.all([
      receive('Imu', { port }),
      receive('Frame', { port }),
      receive('Imu', { port, device: '127.0.0.2', address: '127.0.0.1' }),
    ])
    await first.send(imuBytes(1))
    for (const { messages } of [first, second]) await eventually(() => messages.should.deepEqual([imu(1)]))
    frames.receiver.statistics().garbage.should.equal(1)
    elsewhere.receiver.statistics().foreign.should.equal(0)
    await first.receiver.close()
    await first.send(imuBytes(2))
    await eventually(() => second.messages.should.deepEqual([imu(1), imu(2)]))
    first.messages.length.should.equal(1)
  })

  it('can use a port again at once after it was closed, several at a time too', async () => {
    const { receiver } = await receive('Imu')
    await receiver.close()
    for (let round = 0; round < 20; round++) {
      const { port } = receiver
      const both = await Promise.all([receive('Imu', { port }), receive('Imu', { port })])
      await Promise.all(both.map((each) => each.receiver.close()))
    }
  })

  it('reports what a handler throws, and continues', async () => {
    const errors: unknown[] = []
    const receiver = await receiveStream(
      { device: '127.0.0.1', message: 'Imu' },
      {
        onMessage: (_, { sec }) => {
          throw new Error(`no ${String(sec)}`)
        },
        onError: (error) => errors.push((error as Error).message),
      },
    )
    open.push(receiver)
    await device.send(imuBytes(1), receiver)
    await device.send(imuBytes(2), receiver)
    await eventually(() => errors.should.deepEqual(['no 1', 'no 2']))
    receiver.statistics().messages.should.equal(2)
  })

  it('says in a sentence why it cannot listen', async () => {
    const taken = await failure({ port: device.port })
    taken.code.should.equal('INVALID_INPUT')
    taken.message.should.startWith(`Cannot listen on port ${device.port} of 127.0.0.1 (EADDRINUSE).`)
    const absent = await failure({ address: '192.0.2.1' })
    absent.message.should.startWith('192.0.2.1 is not an address of this machine (EADDRNOTAVAIL).')
    const unknown = await failure({ device: 'no such host' })
    unknown.code.should.equal('UNREACHABLE')
    unknown.message.should.startWith('The host name no such host cannot be resolved')
    for (const wrong of [
      { port: -1 },
      { port: 7e4 },
      { rate: 0 },
      { recvBufferSize: 0.5 },
      { message: 'Pose' },
    ])
      (await failure(wrong)).code.should.equal('INVALID_INPUT')
  })

  it('requests a larger buffer from the system', async () => {
    const { receiver } = await receive('Imu')
    const { port, bufferBytes } = receiver
    const large = await receive('Imu', { port, recvBufferSize: bufferBytes + 4096 })
    large.receiver.bufferBytes.should.be.aboveOrEqual(bufferBytes)
  })

  it('measures the stream', async () => {
    const { receiver, messages, send } = await receive('Imu', { rate: 1 })
    for (const second of [1, 2, 5, 6]) await send(imuBytes(second))
    await eventually(() => messages.length.should.equal(4))
    receiver.statistics().should.containDeep({ lost: 2, gaps: 1, timestamp: at(6) })
    receiver.statistics().rate.should.be.above(0)
    receiver.silence().should.be.below(5000)
  })

  it('leaves nothing when it is closed, and makes no more callbacks', async () => {
    const twenty = await Promise.all(Array.from({ length: 20 }, () => receive('Imu')))
    const last = await receive('Imu')
    const before = sockets()
    const sent = Array.from({ length: 50 }, (_, index) => last.send(imuBytes(index)))
    await last.receiver.close()
    const received = last.messages.length
    await Promise.all([...sent, ...twenty.map(({ receiver }) => receiver.close())])
    await eventually(() => sockets().should.be.belowOrEqual(before - 21))
    last.messages.length.should.equal(received)
    await last.receiver.close()
  })
})
