import should from 'should'
import { images } from '../../lib'
import { eventually } from '../support/eventually'
import { startGrpcServer, type GrpcCall, type GrpcServer } from './grpc-server'
import { bytesOf, setBytes } from './messages'
import { failureOf } from './use-links'

const accepted = { value: 0, message: '' }
const timeOf = (number: number) => BigInt(1_700_000_000 + number) * 1_000_000_000n + 123_456_789n

/** Sets, events and answers travel on three connections, and overtake each other. */
describe('an acquisition whose set, event and answer come in any order', () => {
  let server: GrpcServer
  let sets: GrpcCall[]
  let events: GrpcCall[]
  const open: images.Acquisition[] = []

  const start = async (port = 0) => {
    ;[sets, events] = [[], []]
    server = await startGrpcServer({
      ...{ port, images: (call) => void sets.push(call), events: (call) => void events.push(call) },
    })
  }
  beforeEach(() => start())
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()))
    server.stop()
  })

  const acquisition = (options: Partial<images.AcquisitionOptions> = {}) => {
    const created = new images.Acquisition({
      host: '127.0.0.1',
      port: server.port,
      random: () => 0,
      ...options,
    })
    open.push(created)
    return created
  }
  const set = (number: number) => sets.at(-1)?.write(setBytes({ number }))
  const event = (number: number) => {
    const time = String(timeOf(number))
    const message = { depthAcquisitionDone: { timestamp: time }, imagesetTimestamp: time }
    events.at(-1)?.write(bytesOf('ImageEvents', message))
  }
  /** Does something as soon as the device has both subscribers, and answers. */
  const steps = (trigger: () => unknown, own: Partial<images.AcquisitionSteps> = {}) => ({
    ...{ mode: () => Promise.resolve('SingleFrame'), setMode: () => Promise.resolve() },
    ...{ period: () => Promise.resolve(1) },
    trigger: async () => {
      await eventually(() => should([sets.length > 0, events.length > 0]).eql([true, true]))
      return ((await trigger()) as typeof accepted | undefined) ?? accepted
    },
    ...own,
  })
  const isHere = (one: images.Acquisition, number: number) =>
    eventually(() => one.newest.should.equal(timeOf(number)))
  /** Before the answer, an event leaves no trace outside. */
  const isAnnounced = (one: images.Acquisition) =>
    eventually(() => should(one['watch']?.['awaited']?.taken).be.ok())

  it('does not doubt a set that comes before the answer, if its event came too', async () => {
    const one = acquisition()
    const { doubt, takenBy } = await one.acquire(
      steps(async () => {
        set(1)
        await isHere(one, 1)
        event(1)
        await isAnnounced(one)
      }),
    )
    should([doubt, takenBy]).eql([undefined, 'event'])
  })

  it('takes the set that was announced, not one that was under way before', async () => {
    const one = acquisition()
    const { set: taken } = await one.acquire(
      steps(() => event(5), {
        onTaken: () => {
          set(3)
          set(5)
        },
      }),
    )
    taken.timestamp.should.equal(timeOf(5))
  })

  it('drops a set that came before the answer, if a later one is announced', async () => {
    const one = acquisition()
    const { set: taken, doubt } = await one.acquire(
      steps(
        async () => {
          set(3)
          await isHere(one, 3)
          event(5)
          await isAnnounced(one)
        },
        { onTaken: () => set(5) },
      ),
    )
    should([taken.timestamp, doubt]).eql([timeOf(5), undefined])
  })

  it('takes the later of two sets that come unannounced before the answer, and doubts it', async () => {
    const one = acquisition()
    const { set: taken, doubt } = await one.acquire(
      steps(async () => {
        set(3)
        await isHere(one, 3)
        set(4)
        await isHere(one, 4)
      }),
    )
    should([taken.timestamp, doubt]).eql([timeOf(4), 'early'])
  })

  it('opens the stream again, once, if the device has forgotten it', async () => {
    const one = acquisition({ subscribing: 1 })
    await one.acquire(steps(() => set(1)))
    let asked = 0
    const { set: taken } = await one.acquire(
      steps(() => {
        if (++asked === 1) {
          sets.length = 0
          return { value: 102, message: 'no subscriber' }
        }
        set(2)
        return undefined
      }),
    )
    should([asked, sets.length, taken.timestamp]).eql([2, 1, timeOf(2)])
  })

  it('works again after the clock of the device was set back, and after a restart at once', async () => {
    const one = acquisition({ deadline: 300 })
    await one.acquire(steps(() => set(1000)))
    const failure = await failureOf(one.acquire(steps(() => set(10))))
    failure.should.have.properties({ code: 'OUTCOME_UNKNOWN', key: 'acquire-no-set' })
    should((await one.acquire(steps(() => set(11)))).set.timestamp).equal(timeOf(11))

    const { port } = server
    server.stop()
    await eventually(() => one.isOpen.should.be.false())
    await start(port)
    should((await one.acquire(steps(() => set(5)))).set.timestamp).equal(timeOf(5))
  })

  it('closes a stream that would go on sending in the mode that is put back', async () => {
    const one = acquisition({ restoresMode: true })
    await one.acquire(steps(() => set(1), { mode: () => Promise.resolve('Continuous') }))
    one.isOpen.should.be.false()
  })
})
