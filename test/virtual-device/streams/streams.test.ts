import { execFile } from 'node:child_process'
import { networkInterfaces } from 'node:os'
import should from 'should'
import { decodeMessage, type Time } from '../../../lib/codec/streams'
import { manualClock, Refusal } from '../../../virtual-device/values'
import { type Navigation, streams, type Streams } from '../../../virtual-device/streams/streams'
import { eventually } from '../../support/eventually'
import { openInbox, type Inbox } from '../../support/datagrams'

const milliseconds = ({ sec = 0, nsec = 0 }: Time = {}) => Number(sec) * 1000 + nsec / 1e6
const imuTime = (datagram: Buffer) => milliseconds(decodeMessage('Imu', datagram).timestamp)
const frameTime = (datagram: Buffer) => milliseconds(decodeMessage('Frame', datagram).pose?.timestamp)
const steps = (times: readonly number[]) =>
  times.slice(1).map((time, index) => time - (times[index] as number))
const refusal = (act: () => void): Refusal => {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('not refused')
}

/** Resolves when a program has nothing more to wait for. */
const ended = (program: string): Promise<{ code: number | string | null | undefined; err: string }> =>
  new Promise((resolve) =>
    execFile(process.execPath, ['-e', program], { timeout: 10_000 }, (error, _, err) =>
      resolve({ code: error ? (error.code ?? error.signal) : 0, err }),
    ),
  )

describe('the streams of the virtual device', () => {
  let clock: ReturnType<typeof manualClock>
  let navigation: Navigation | undefined
  let asked: number
  let device: Streams
  let inbox: Inbox

  beforeEach(async () => {
    clock = manualClock()
    navigation = undefined
    asked = 0
    const counted = { now: () => (asked++, clock.now()) }
    device = streams({ clock: counted, navigation: () => navigation })
    device.start()
    inbox = await openInbox()
  })
  afterEach(async () => {
    device.stop()
    await inbox.close()
  })

  it('are the seven that the device has', () => {
    const names = ['pose', 'pose_ins', 'pose_rt', 'pose_rt_ins', 'dynamics', 'dynamics_ins', 'imu']
    device
      .list()
      .map(({ name }) => name)
      .should.deepEqual(names)
    for (const { destinations, protocol, description } of device.list()) {
      destinations.should.deepEqual([])
      protocol.should.equal('UDP')
      description.should.not.be.empty()
    }
    const messages = device.list().map(({ protobuf }) => protobuf)
    messages.should.deepEqual(['Frame', 'Frame', 'Frame', 'Frame', 'Dynamics', 'Dynamics', 'Imu'])
  })

  it('send imu two hundred times a second by the clock, with evenly spaced timestamps', async () => {
    device.add('imu', [inbox.destination])
    clock.advance(0.2)
    const times = (await inbox.first(41)).map(imuTime)
    should(times[0]).equal(1_700_000_000_000)
    steps(times).should.deepEqual(Array<number>(40).fill(5))
  })

  it('send pose 25 times a second, from slightly older images, while the device estimates it', async () => {
    navigation = { began: clock.now() - 5, slam: false }
    device.add('pose', [inbox.destination])
    clock.advance(0.2)
    const times = (await inbox.first(6)).map(frameTime)
    steps(times).should.deepEqual([40, 40, 40, 40, 40])
    should(times.at(-1)).be.within(1_700_000_000_100, 1_700_000_000_120)
  })

  it('send only imu while the device does not estimate its motion', async () => {
    for (const { name } of device.list()) if (name !== 'imu') device.add(name, [inbox.destination])
    const other = await openInbox()
    device.add('imu', [other.destination])
    await other.first(1)
    clock.advance(0.2)
    await other.first(41)
    inbox.received.should.be.empty()
    navigation = { began: clock.now(), slam: false }
    clock.advance(0.005)
    await inbox.first(4)
    await other.close()
  })

  it('are sent to every destination', async () => {
    const other = await openInbox()
    device.add('imu', [inbox.destination, other.destination])
    clock.advance(0.05)
    ;(await inbox.first(11)).should.deepEqual(await other.first(11))
    device.remove('imu', [inbox.destination])
    device.get('imu').destinations.should.deepEqual([other.destination])
    await other.close()
  })

  it('reach the others if a destination cannot be reached', async () => {
    // The system refuses a broadcast, and nobody hears the others. None of them leaves this machine.
    const dead = ['127.255.255.255:9', '127.0.0.1:9', '127.0.0.9:9', '[::1]:9']
    device.add('imu', [...dead, inbox.destination])
    clock.advance(0.2)
    await inbox.first(41)
    clock.advance(0.2)
    await inbox.first(81)
  })

  it('are sent to IPv6 too', async function () {
    if (!Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1')))
      this.skip()
    const six = await openInbox('::1')
    device.add('imu', [six.destination])
    await six.first(1)
    await six.close()
  })

  it('do no work and hold no socket without a destination', async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'UDPWrap').length
    asked.should.equal(0)
    device.add('imu', [inbox.destination])
    await inbox.first(1)
    const open = sockets()
    device.remove('imu')
    device.get('imu').destinations.should.be.empty()
    await eventually(() => sockets().should.be.below(open))
  })

  for (const [what, ending] of [
    ['their last destination is removed', "device.remove('imu'); device.remove('pose')"],
    ['they are stopped', 'device.stop()'],
  ])
    it(`do not keep a process alive if ${what}`, async () => {
      const modules = ['streams/streams', 'values'].map((name) =>
        JSON.stringify(require.resolve(`../../../virtual-device/${name}`)),
      )
      const program = `
        const { streams } = require(${modules[0]})
        const { systemClock: clock } = require(${modules[1]})
        const device = streams({ clock, navigation: () => ({ began: 0, slam: false }) })
        device.start()
        for (const name of ['imu', 'pose']) device.add(name, ['127.0.0.1:9', ${JSON.stringify(inbox.destination)}])
        setTimeout(() => { ${ending} }, 50)`
      const [{ code, err }] = await Promise.all([ended(program), inbox.first(2)])
      should({ code, err }).eql({ code: 0, err: '' })
    })

  it('keep destinations and send nothing while they are stopped', async () => {
    device.stop()
    device.add('imu', [inbox.destination])
    asked.should.equal(0)
    device.start()
    await inbox.first(1)
    device.stop()
    device.get('imu').destinations.should.deepEqual([inbox.destination])
  })

  it('catch up after a short pause and skip messages after a long one', async () => {
    device.add('imu', [inbox.destination])
    await inbox.first(1)
    clock.advance(0.24)
    steps((await inbox.first(49)).map(imuTime)).should.deepEqual(Array<number>(48).fill(5))
    clock.advance(3600)
    const [, later] = (await inbox.first(50)).slice(-2)
    imuTime(later as Buffer).should.equal(1_700_003_600_240)
  })

  it('continue if the clock was set back', async () => {
    device.add('imu', [inbox.destination])
    await inbox.first(1)
    clock.advance(-3600)
    const [, later] = await inbox.first(2)
    imuTime(later as Buffer).should.equal(1_699_996_400_000)
  })

  it('have at most ten destinations each, without duplicates', () => {
    const ten = Array.from({ length: 10 }, (_, index) => `127.0.0.1:${40_000 + index}`)
    device.stop()
    device.add('imu', ten)
    device.add('imu', ten.slice(3))
    device.get('imu').destinations.should.deepEqual(ten)
    const { status, message } = refusal(() => device.add('imu', ['127.0.0.1:50000']))
    status.should.equal(403)
    message.should.match(/at most 10/)
    device.remove('imu', [ten[0] as string])
    refusal(() => device.add('imu', ['127.0.0.1:50000', '127.0.0.1:50001'])).status.should.equal(403)
    device.add('imu', ['127.0.0.1:50000'])
    device.get('imu').destinations.should.deepEqual([...ten.slice(1), '127.0.0.1:50000'])
    device.clear()
    device
      .list()
      .every(({ destinations }) => destinations.length === 0)
      .should.be.true()
  })

  it('refuse an invalid destination, and then add none of them', () => {
    const wrong = [
      '',
      'localhost:80',
      '1.2.3.4',
      '1.2.3.4:0',
      '1.2.3.4:65536',
      '1.2.3.4:080',
      '1.2.3:5',
      '256.1.1.1:5',
      '::1:5',
      '[::1]',
      '[1.2.3.4]:5',
      ' 1.2.3.4:5',
      '1.2.3.4:5 ',
    ]
    for (const each of wrong) {
      refusal(() => device.add('imu', ['127.0.0.1:5', each])).status.should.equal(400, each)
      refusal(() => device.remove('imu', [each])).status.should.equal(400, each)
    }
    device.get('imu').destinations.should.be.empty()
  })

  it('have known names', () => {
    for (const act of [() => device.get('x'), () => device.add('x', []), () => device.remove('__proto__')])
      refusal(act).status.should.equal(404)
  })
})
