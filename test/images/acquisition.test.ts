import should from 'should'
import { images, isVisionError } from '../../lib'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { startGrpcServer, type GrpcCall, type GrpcServer } from './grpc-server'
import { bytesOf, setBytes } from './messages'
import { failureOf } from './use-links'

const accepted = { value: 0, message: '' }

/** A device of which the test decides what it answers and sends. */
describe('an acquisition', () => {
  let server: GrpcServer
  let streams: GrpcCall[]
  let eventStreams: GrpcCall[]
  let number: number
  let triggers: number
  const open: images.Acquisition[] = []

  beforeEach(async () => {
    ;[streams, eventStreams, number, triggers] = [[], [], 0, 0]
    const [port = 0] = await freePorts(1)
    server = await startGrpcServer({
      port,
      images: (call) => void streams.push(call),
      events: (call) => void eventStreams.push(call),
    })
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()))
    server.stop()
  })

  const acquisition = (options: Partial<images.AcquisitionOptions> = {}) => {
    const created = new images.Acquisition({
      ...{ host: '127.0.0.1', port: server.port, device: 'cell 1', random: () => 0 },
      ...options,
    })
    open.push(created)
    return created
  }
  const send = (of = ++number) => streams.at(-1)?.write(setBytes({ number: of }))
  const tellTaken = () => {
    const time = BigInt(1_700_000_000 + number + 1) * 1_000_000_000n + 123_456_789n
    const event = { depthAcquisitionDone: { timestamp: String(time) }, imagesetTimestamp: String(time) }
    eventStreams.at(-1)?.write(bytesOf('ImageEvents', event))
  }
  /** Waits for the streams, which open a moment after the client was told so. */
  const subscribed = () => eventually(() => void streams.at(-1)?.cancelled.should.be.false())
  const steps = (own: Partial<images.AcquisitionSteps> = {}): images.AcquisitionSteps => ({
    mode: () => Promise.resolve('SingleFrame'),
    setMode: () => Promise.reject(new Error('not to be changed')),
    period: () => Promise.resolve(1),
    trigger: async () => {
      triggers++
      await subscribed()
      setImmediate(() => send())
      return accepted
    },
    ...own,
  })

  it('ends with the set that belongs to its trigger, and can be repeated on the open stream', async () => {
    const one = acquisition()
    const first = await one.acquire(steps())
    should(first).have.properties({ takenBy: 'set' }).and.not.have.property('doubt')
    should(first.set.disparity).be.ok()
    const second = await one.acquire(steps())
    should(second.set.timestamp > first.set.timestamp).be.true()
    should([triggers, streams.length]).eql([2, 1])
  })

  it('says that the robot may move as soon as the device says that the pictures are taken', async () => {
    const order: string[] = []
    const told = acquisition().acquire(
      steps({
        trigger: async () => {
          await subscribed()
          await eventually(() => eventStreams.length.should.equal(1))
          setImmediate(tellTaken)
          return accepted
        },
        onTaken: (by) => {
          order.push(by)
          send()
        },
      }),
    )
    const { takenBy, takenAfter, doneAfter } = await told
    order.push('done')
    should(order).eql(['event', 'done'])
    takenBy.should.equal('event')
    doneAfter.should.be.aboveOrEqual(takenAfter)
  })

  it('works with firmware that has no events', async () => {
    server.stop()
    server = await startGrpcServer({ images: (call) => void streams.push(call) })
    const { takenBy } = await acquisition().acquire(steps())
    takenBy.should.equal('set')
  })

  it('asks again while the device does not know its subscriber yet, because nothing was acquired', async () => {
    let asked = 0
    await acquisition().acquire(
      steps({
        trigger: async () => {
          if (++asked < 3) return { value: 102, message: 'no subscriber' }
          return steps().trigger()
        },
      }),
    )
    should([asked, triggers]).eql([3, 1])
  })

  it('does not ask for ever', async () => {
    let asked = 0
    const trigger = () => Promise.resolve({ value: 102, message: 'no subscriber' })
    const counted = () => {
      asked++
      return trigger()
    }
    const error = await failureOf(acquisition({ subscribing: 0 }).acquire(steps({ trigger: counted })))
    should(error).have.properties({ code: 'REFUSED', key: 'acquire-no-subscriber' })
    should(error.cause?.returnCode?.value).equal(102)
    asked.should.equal(5)
  })

  it('marks a set that may belong to a trigger of before', async () => {
    const trigger = async () => {
      await steps().trigger()
      return { value: 101, message: 'a trigger is pending already' }
    }
    const { doubt } = await acquisition().acquire(steps({ trigger }))
    should(doubt).equal('pending')
  })

  it('marks a set that came before the trigger was answered', async () => {
    const one = acquisition()
    await one.acquire(steps())
    const { doubt } = await one.acquire(
      steps({
        trigger: async () => {
          const { newest } = one
          send()
          await eventually(() => should(one.newest > newest).be.true())
          return accepted
        },
      }),
    )
    should(doubt).equal('early')
  })

  it('marks a set where somebody else triggers too', async () => {
    const one = acquisition()
    await one.acquire(steps())
    const { newest } = one
    send()
    await eventually(() => should(one.newest > newest).be.true())
    should((await one.acquire(steps())).doubt).equal('others')
    should(await one.acquire(steps())).not.have.property('doubt')
  })

  it('takes no set with a time that the device has shown before', async () => {
    const one = acquisition()
    number = 4
    await one.acquire(steps())
    const { set } = await one.acquire(
      steps({
        trigger: () => {
          for (const old of [3, 5, 4]) send(old)
          setImmediate(() => send(6))
          return Promise.resolve(accepted)
        },
      }),
    )
    set.timestamp.should.equal(BigInt(1_700_000_006) * 1_000_000_000n + 123_456_789n)
  })

  it('triggers nothing if the stream cannot be opened', async () => {
    server.stop()
    const error = await failureOf(acquisition().acquire(steps()))
    error.code.should.equal('UNREACHABLE')
    triggers.should.equal(0)
  })

  it('is of unknown outcome if the stream breaks after the trigger, and begins anew at the next', async () => {
    const one = acquisition()
    const error = await failureOf(
      one.acquire(
        steps({
          trigger: async () => {
            await subscribed()
            server.stop()
            return accepted
          },
        }),
      ),
    )
    should(error).have.properties({ code: 'OUTCOME_UNKNOWN', key: 'acquire-broken' })
    server = await startGrpcServer({ port: server.port, images: (call) => void streams.push(call) })
    streams = []
    should((await one.acquire(steps())).set).be.ok()
  })

  it('is of unknown outcome if no set comes', async () => {
    const error = await failureOf(
      acquisition({ deadline: 20 }).acquire(steps({ trigger: () => Promise.resolve(accepted) })),
    )
    should(error).have.properties({ code: 'OUTCOME_UNKNOWN', key: 'acquire-no-set' })
    error.message.should.match(/within 0\.02 s/)
  })

  it('sets the single-frame mode and puts back what was there, after a failure too', async () => {
    const modes: string[] = []
    const continuous = (trigger?: images.AcquisitionSteps['trigger']) =>
      steps({
        mode: () => Promise.resolve('Continuous'),
        setMode: (mode, isRestored) => {
          modes.push(`${mode} ${isRestored}`)
          return Promise.resolve()
        },
        ...(trigger && { trigger }),
      })
    await acquisition({ restoresMode: true }).acquire(continuous())
    should(modes.splice(0)).eql(['SingleFrame false', 'Continuous true'])
    const refused = new Error('refused')
    await acquisition({ restoresMode: true })
      .acquire(continuous(() => Promise.reject(refused)))
      .should.be.rejectedWith(refused)
    should(modes.splice(0)).eql(['SingleFrame false', 'Continuous true'])
    await acquisition().acquire(continuous())
    should(modes).eql(['SingleFrame false'])
  })

  it('keeps the picture, and says so, if the mode cannot be put back', async () => {
    const failure = await failureOf(acquisition({ port: 1 }).acquire(steps()))
    const { set, modeLeft } = await acquisition({ restoresMode: true }).acquire(
      steps({
        mode: () => Promise.resolve('Continuous'),
        setMode: (_, isRestored) => (isRestored ? Promise.reject(failure) : Promise.resolve()),
      }),
    )
    should(set).be.ok()
    should(modeLeft).equal(failure)
  })

  it('ends at once when it is aborted, wherever it is', async () => {
    for (const at of ['mode', 'trigger', 'set'] as const) {
      const abort = new AbortController()
      const stop = <Value>(place: string, value: Value) => {
        if (place === at) setImmediate(() => abort.abort())
        return Promise.resolve(value)
      }
      const error = await failureOf(
        acquisition().acquire(
          steps({
            mode: () => stop('mode', 'SingleFrame'),
            trigger: () =>
              stop(
                at === 'trigger' ? 'trigger' : 'set',
                at === 'trigger' ? { value: 102, message: '' } : accepted,
              ),
          }),
          abort.signal,
        ),
      )
      error.code.should.equal('ABORTED')
    }
  })

  it('leaves no stream open where it is not to stay', async () => {
    const one = acquisition({ staysOpen: false })
    await one.acquire(steps())
    one.isOpen.should.be.false()
    await eventually(() => streams.every(({ cancelled }) => cancelled).should.be.true())
    should(isVisionError(await one.acquire(steps()))).be.false()
  })
})
