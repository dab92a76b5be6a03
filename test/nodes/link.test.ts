import 'should'
import type { SysInfo } from '../../lib/contract'
import { VisionError } from '../../lib/client/vision-error'
import { Link } from '../../nodes/device-config/link'
import { pauseAfter } from '../../nodes/device-config/link-pause'

const up = { ready: true, uptime: 100 } as SysInfo
const starting = { ready: false, uptime: 1 } as SysInfo
const gone = () => new VisionError({ code: 'UNREACHABLE', key: 'unreachable' })

/** A link whose checks get the given answers, the last one for ever. */
function watch(answers: (SysInfo | Error)[]) {
  const states: string[] = []
  let connections = 0
  let wait: { wanted: string; resolve: () => void } = { wanted: '', resolve: () => undefined }
  const link = new Link({
    interval: 0.001,
    random: () => 0,
    ask: () => {
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? up
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
    },
    changed: (state) => {
      states.push(state)
      if (state === wait.wanted) wait.resolve()
    },
    connected: () => connections++,
  })
  return {
    link,
    states,
    connections: () => connections,
    reaches: (wanted: string) => new Promise<void>((resolve) => (wait = { wanted, resolve })),
  }
}

describe('the link to a device', () => {
  it('is connecting, then ready', async () => {
    const { link, states, reaches } = watch([up])
    link.state.should.equal('connecting')
    const ready = reaches('ready')
    link.start()
    await ready
    link.close()
    states.should.eql(['ready'])
  })

  it('tells only changes', async () => {
    const { link, states, reaches } = watch([up, up, up, gone(), gone(), starting, starting, up, up, gone()])
    const ready = reaches('starting').then(() => reaches('unreachable'))
    link.start()
    await ready
    link.close()
    states.should.eql(['ready', 'unreachable', 'starting', 'ready', 'unreachable'])
  })

  it('is patient with a device that starts in the same moment', async () => {
    const { link, states, reaches } = watch([gone(), gone(), up])
    const ready = reaches('ready')
    link.start()
    await ready
    link.close()
    states.should.eql(['ready'])
  })

  it('says when what was known may be out of date: after a failure and after a restart', async () => {
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
    // The first time, after the failure, and twice as the uptime went back.
    connections().should.equal(4)
  })

  const codes = {
    UNAUTHORIZED: 'loginRefused',
    FORBIDDEN: 'loginRefused',
    NOT_FOUND: 'otherDevice',
    BAD_REPLY: 'otherDevice',
    DEVICE_FAULT: 'inTrouble',
    STARTING: 'starting',
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

  it('stays ready where the device only wants fewer requests', async () => {
    const limited = new VisionError({ code: 'RATE_LIMITED', key: 'rate-limited' })
    const { link, states, reaches } = watch([up, limited, limited, starting])
    const end = reaches('starting')
    link.start()
    await end
    link.close()
    states.should.eql(['ready', 'starting'])
  })
})

describe('the pause before the next check', () => {
  it('is the interval while the device is ready', () => pauseAfter('ready', 0, 5, () => 0.5).should.equal(5))

  it('grows while nothing answers, and not for ever', () => {
    const pauses = [1, 2, 3, 4, 50].map((failures) => pauseAfter('unreachable', failures, 5, () => 1))
    pauses.should.eql([0.2, 0.4, 0.8, 1.6, 10])
  })

  it('differs from device to device', () =>
    pauseAfter('unreachable', 3, 5, () => 0).should.be.below(pauseAfter('unreachable', 3, 5, () => 0.9)))
})
