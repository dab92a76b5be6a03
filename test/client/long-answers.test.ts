import type { ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import 'should'
import { stepBytes } from '../../lib/codec/json'
import { encodeUbjson } from '../../lib/codec/ubjson'
import { failureOf, useServer } from './use-server'

const values = Object.fromEntries(
  Array.from({ length: 10_000 }, (_, index) => [`k${index.toString(36)}`, 'x'.repeat(50)]),
)
const status = { status: 'running', timestamp: 1, values }
const bodies = {
  'application/json': Buffer.from(JSON.stringify(status)),
  'application/ubjson': encodeUbjson(status),
}

/** Turns of the event loop that remain when an answer is read at once; the last byte needs some of them to arrive. */
const fewTurns = 12
/** Bytes after which the loop has had its turn: twice what one step reads. */
const bytesPerTurn = 2 * stepBytes

/**
 * A machine so slow that each reading of the clock takes as long as a slice, so that the test does not depend on a real
 * one.
 */
function slowClock(): () => void {
  const now = performance.now.bind(performance)
  let looks = 0
  performance.now = () => now() + 10 * ++looks
  return () => Reflect.deleteProperty(performance, 'now')
}

describe('a long answer', () => {
  const bench = useServer()
  let restore = () => {}
  afterEach(() => restore())

  /** Answers with everything except the last byte. Resolves with a function that sends the rest. */
  async function held(type: keyof typeof bodies): Promise<() => void> {
    const response = await new Promise<ServerResponse>((resolve) => {
      bench.server.behave((response) => {
        response.writeHead(200, { 'content-type': type })
        resolve(response)
      })
    })
    const body = bodies[type]
    await new Promise((resolve) => response.write(body.subarray(0, -1), resolve))
    // The client reads a part in each turn.
    for (let turns = 0; turns < 1000; turns++) await turn()
    return () => {
      restore = slowClock()
      response.end(body.subarray(-1))
    }
  }

  for (const type of Object.keys(bodies) as (keyof typeof bodies)[])
    it(`is decoded while others have their turn: ${type}`, async () => {
      const answered = held(type)
      const ended = new AbortController()
      const call = bench
        .client({ deadline: 3_600_000 })
        .getNodeStatus({ pipeline: '0', node: 'dev_camera' })
        .finally(() => ended.abort())
      ;(await answered)()
      let turns = 0
      for (; !ended.signal.aborted; turns++) await turn()
      Object.keys((await call).values).should.have.length(10_000)
      turns.should.be.above(Math.max(fewTurns, bodies[type].length / bytesPerTurn))
    })

  it('is not decoded further once nobody waits for it', async () => {
    const answered = held('application/ubjson')
    const gone = new AbortController()
    const call = failureOf(
      bench
        .client({ deadline: 3_600_000 })
        .getNodeStatus({ pipeline: '0', node: 'dev_camera' }, { signal: gone.signal }),
    )
    ;(await answered)()
    for (let turns = 0; turns < fewTurns; turns++) await turn()
    gone.abort()
    ;(await call).code.should.equal('ABORTED')
  })
})
