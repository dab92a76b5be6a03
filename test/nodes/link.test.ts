import 'should'
import type { SysInfo } from '../../lib/contract'
import { VisionError } from '../../lib/client/vision-error'
import { Link } from '../../nodes/device/connection'

const up = { ready: true, uptime: 100 } as SysInfo
const starting = { ready: false, uptime: 1 } as SysInfo
const gone = () => new VisionError({ code: 'UNREACHABLE', key: 'unreachable' })

const links: Link[] = []

/** A link whose checks get the given answers; the last one is repeated for ever. */
function watch(answers: (SysInfo | Error)[]) {
  const states: string[] = []
  const asked: number[] = []
  let connections = 0
  let wait: { wanted: string; resolve: () => void } = { wanted: '', resolve: () => undefined }
  const link = new Link({
    interval: 0.001,
    random: () => 0,
    ask: () => {
      asked.push(performance.now())
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? up
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
    },
    changed: (state) => {
      states.push(state)
      if (state === wait.wanted) wait.resolve()
    },
    connected: () => connections++,
  })
  links.push(link)
  return {
    link,
    states,
    asked,
    connections: () => connections,
    reaches: (wanted: string) => new Promise<void>((resolve) => (wait = { wanted, resolve })),
  }
}

describe('the link to a device', () => {
  afterEach(() => {
    for (const link of links.splice(0)) link.close()
  })

  it('is connecting, then ready', async () => {
    const { link, states, reaches } = watch([up])
    link.state.should.equal('connecting')
    const ready = reaches('ready')
    link.start()
    await ready
    link.close()
    states.should.eql(['ready'])
  })

  it('reports only changes', async () => {
    const { link, states, reaches } = watch([up, up, up, gone(), gone(), starting, starting, up, up, gone()])
    const ready = reaches('starting').then(() => reaches('unreachable'))
    link.start()
    await ready
    link.close()
    states.should.eql(['ready', 'unreachable', 'starting', 'ready', 'unreachable'])
  })

  it('allows for a device that starts at the same time', async () => {
    const { link, states, reaches } = watch([gone(), gone(), up])
    const ready = reaches('ready')
    link.start()
    await ready
    link.close()
    states.should.eql(['ready'])
  })

  it('reports when what was known may be out of date: after a failure and after a restart', async () => {
    const { link, connections, reaches } = watch([
      up,
      gone(),
      up,
      { ...up, uptime: 5 },
      { ...up, uptime: 6 },
      starting,
    ])
    const end = reaches('starting')
    link.start()
    await end
    link.close()
    // The first time, after the failure, and twice because the uptime went back.
    connections().should.equal(4)
  })

  it('knows a restart also where the device has been running longer than before', async () => {
    const uptimes = [0.25, 0.26]
    await new Promise<void>((resolve) => {
      let connections = 0
      const link = new Link({
        interval: 0.2,
        random: () => 0,
        ask: () => Promise.resolve({ ...up, uptime: uptimes.shift() ?? 1000 }),
        changed: () => undefined,
        connected: () => {
          if (++connections < 2) return
          link.close()
          resolve()
        },
      })
      links.push(link)
      link.start()
    })
    uptimes.should.be.empty()
  })

  const codes = {
    UNAUTHORIZED: 'loginRefused',
    FORBIDDEN: 'loginRefused',
    NOT_FOUND: 'otherDevice',
    BAD_REPLY: 'otherDevice',
    DEVICE_FAULT: 'inTrouble',
    STARTING: 'starting',
    RATE_LIMITED: 'askedToWait',
  } as const
  for (const [code, state] of Object.entries(codes)) {
    it(`is ${state} after ${code}`, async () => {
      const { link, reaches } = watch([
        new VisionError({ code: code as keyof typeof codes, key: 'unauthorized' }),
      ])
      const reached = reaches(state)
      link.start()
      await reached
      link.close()
    })
  }

  it('stays ready if the device only limits requests', async () => {
    const limited = new VisionError({ code: 'RATE_LIMITED', key: 'rate-limited' })
    const { link, states, reaches } = watch([up, limited, limited, starting])
    const end = reaches('starting')
    link.start()
    await end
    link.close()
    states.should.eql(['ready', 'starting'])
  })

  for (const code of ['RATE_LIMITED', 'STARTING'] as const)
    it(`waits as long as the device asks with ${code}`, async () => {
      const resting = new VisionError({ code, key: 'rate-limited', cause: { retryAfter: 0.08 } })
      const { link, asked, reaches } = watch([up, resting, { ...up, ready: false }])
      const end = reaches('starting')
      link.start()
      await end
      while (asked.length < 3) await new Promise((resolve) => setImmediate(resolve))
      link.close()
      const [, refused = 0, next = 0] = asked
      ;(next - refused).should.be.aboveOrEqual(79)
    })

  it('shows that a device asked to wait for hours, and does not check it after a failed call', async () => {
    const resting = new VisionError({
      code: 'RATE_LIMITED',
      key: 'rate-limited',
      cause: { retryAfter: 86_400 },
    })
    const { link, asked, states, reaches } = watch([up, resting, up])
    const end = reaches('askedToWait')
    link.start()
    await end
    for (let call = 0; call < 3; call++) {
      link.hint(gone())
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    link.close()
    states.should.eql(['ready', 'askedToWait'])
    asked.should.have.length(2)
  })
})
