import 'should'
import { encodeMessage, type StreamMessageType } from '../../lib/codec/streams'
import { receiveStream, type Receiver, type ReceiverStatistics } from '../../lib/streams'
import { seededRandom } from '../../virtual-device/values'
import { heldAfterCollection } from '../support/collect-garbage'
import { openInbox, type Inbox } from '../support/datagrams'
import { eventually } from '../support/eventually'

const count = process.env['CELLSIGHT_LONG'] ? 200_000 : 1200
/** Most datagrams waiting to be read: those dropped by the system would not be counted. */
const atOnce = 50

const vector = { x: 1.5, y: -2, z: 3e-9 }
const timestamp = { sec: 1_700_000_000, nsec: 5_000_000 }
const orientation = { x: 0, y: 0, z: 0, w: 1 }
const pose = { timestamp, pose: { position: vector, orientation } }
const valid: Record<StreamMessageType, Buffer> = {
  Imu: encodeMessage('Imu', { timestamp, linear_acceleration: vector, angular_velocity: vector }),
  Frame: encodeMessage('Frame', { pose, parent: 'world', name: 'camera', producer: 'device' }),
  Dynamics: encodeMessage('Dynamics', { timestamp, pose: pose.pose, linear_velocity: vector }),
}

/** What a faulty or hostile sender makes of a valid datagram. */
function mutated(bytes: Buffer, random: () => number): Buffer {
  const below = (most: number) => Math.floor(random() * most)
  const noise = (length: number) => Buffer.from(Array.from({ length }, () => below(256)))
  const copy = Buffer.from(bytes)
  switch (below(9)) {
    case 0:
      return bytes
    case 1:
      return copy.subarray(0, below(copy.length))
    case 2:
      return Buffer.concat([copy, noise(1 + below(20))])
    case 3:
      return noise(below(200))
    case 4:
      return Buffer.concat([copy, noise(below(60_000))])
    case 5:
      return Buffer.concat([copy, copy])
    case 6:
      // A field length, or a timestamp, that never ends.
      return Buffer.concat([copy.subarray(0, below(copy.length)), Buffer.alloc(1 + below(12), 0xff)])
    case 7:
      return Buffer.alloc(0)
    default:
      for (let flips = 1 + below(8); flips > 0; flips--) copy[below(copy.length)] = below(256)
      return copy
  }
}

const seen = ({ messages, garbage, truncated, foreign }: ReceiverStatistics) =>
  messages + garbage + truncated + foreign

describe('hostile datagrams', function () {
  this.timeout(process.env['CELLSIGHT_LONG'] ? 600_000 : 120_000)
  const open: { close: () => Promise<unknown> }[] = []
  let device: Inbox
  let stranger: Inbox
  beforeEach(async () => {
    device = await openInbox()
    stranger = await openInbox('127.0.0.2')
    open.push(device, stranger)
  })
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())))

  async function receive(message: StreamMessageType, told: (message: object) => void): Promise<Receiver> {
    const onError = (error: unknown) => {
      throw error
    }
    const receiver = await receiveStream({ device: '127.0.0.1', message }, { onMessage: told, onError })
    open.push(receiver)
    return receiver
  }

  for (const type of Object.keys(valid) as StreamMessageType[])
    it(`are each counted once, by kind, by a receiver of ${type}`, async () => {
      const random = seededRandom(7)
      let told = 0
      const receiver = await receive(type, (message) => {
        told++
        // A flow must be able to write what it gets as JSON.
        JSON.stringify(message, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))
      })
      let strange = 0
      let held = await heldAfterCollection()
      for (let sent = 1; sent <= count; sent++) {
        const isStrange = random() < 0.1
        if (isStrange) strange++
        await (isStrange ? stranger : device).send(mutated(valid[type], random), receiver)
        if (sent % atOnce === 0) await eventually(() => seen(receiver.statistics()).should.equal(sent))
        if (sent === Math.floor(count / 2)) held = await heldAfterCollection()
      }
      await eventually(() => seen(receiver.statistics()).should.equal(count))
      const after = await heldAfterCollection()
      ;(after.heap - held.heap).should.be.below(1e6)
      ;(after.external - held.external).should.be.below(1e6)

      const { messages, foreign, ...statistics } = receiver.statistics()
      foreign.should.equal(strange)
      messages.should.equal(told).and.be.above(count / 20)
      for (const [name, value] of Object.entries(statistics))
        if (name !== 'timestamp') Number.isFinite(value).should.be.true(name)
    })

  it('in a flood block nothing, take no memory, and valid ones are received afterwards', async () => {
    const receiver = await receive('Imu', () => undefined)
    const flood = async () => {
      for (let sent = 0; sent < 4 * count; sent += 100)
        await Promise.all(
          Array.from({ length: 100 }, () => stranger.send(Buffer.alloc(1400, 0xff), receiver)),
        )
    }
    await flood()
    const held = await heldAfterCollection()
    await flood()
    const after = await heldAfterCollection()
    ;(after.heap - held.heap).should.be.below(2e6)
    ;(after.external - held.external).should.be.below(2e6)

    receiver.statistics().foreign.should.be.above(100)
    const { messages } = receiver.statistics()
    await eventually(async () => {
      await device.send(valid.Imu, receiver)
      receiver.statistics().messages.should.be.above(messages)
    })
  })
})
