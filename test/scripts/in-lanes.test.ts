import { join } from 'node:path'
import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import should from 'should'
import { root } from '../support/root'

type InLanes = (
  count: number,
  jobs: readonly number[],
  run: (job: number) => Promise<void>,
  options?: { idle?: () => number },
) => Promise<void>

describe('jobs in lanes', () => {
  let inLanes: InLanes
  const started: number[] = []
  const ends = new Map<number, () => void>()
  const run = (job: number) => {
    started.push(job)
    return new Promise<void>((end) => ends.set(job, end))
  }
  const end = async (...jobs: number[]) => {
    for (const job of jobs) ends.get(job)?.()
    await turn()
  }
  const look = async () => {
    mock.timers.tick(2000)
    await turn()
  }

  before(async () => {
    const script = pathToFileURL(join(root, 'scripts', 'in-lanes.mjs')).href
    ;({ inLanes } = (await import(script)) as { inLanes: InLanes })
  })
  beforeEach(() => {
    started.length = 0
    mock.timers.enable({ apis: ['setInterval'] })
  })
  afterEach(() => mock.timers.reset())

  it('run so many at a time, in their order', async () => {
    const done = inLanes(2, [1, 2, 3, 4], run, { idle: () => 0 })
    await look()
    started.should.eql([1, 2])
    await end(2)
    started.should.eql([1, 2, 3])
    await end(1, 3)
    started.should.eql([1, 2, 3, 4])
    await end(4)
    await done
  })

  it('are more at a time while the processor idles, up to a limit', async () => {
    let idle = 0.1
    const done = inLanes(1, [1, 2, 3, 4], run, { idle: () => idle })
    await look()
    started.should.eql([1])
    idle = 0.5
    await look()
    await look()
    started.should.eql([1, 2])
    idle = 0
    await end(2)
    await look()
    started.should.eql([1, 2])
    await end(1)
    await end(3)
    started.should.eql([1, 2, 3, 4])
    await end(4)
    await done
  })

  it('look at the processor no more when all have ended', async () => {
    let looks = 0
    await inLanes(1, [], run, { idle: () => ++looks })
    await look()
    should(looks).equal(0)
  })
})
