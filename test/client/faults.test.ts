import 'should'
import { isVisionError, type Client, type VisionError } from '../../lib'
import { seededRandom } from '../../virtual-device/values'
import {
  endInBody,
  garbage,
  hangUp,
  json,
  reply,
  reset,
  silence,
  stallInBody,
  stallInHeaders,
  type Behaviour,
} from '../support/misbehaving-server'
import { sampleResult } from './samples'
import { endsWithin, fps, useServer, whichFps } from './use-server'

const long = process.env.CELLSIGHT_LONG === '1'
const rounds = long ? 100 : 4
const callsPerRound = 100
const deadline = 400

/** How a call ended. */
interface Ending {
  result?: unknown
  failure?: VisionError
  inTime: boolean
}

describe('calls to a device with many faults', () => {
  const bench = useServer()

  for (let round = 0; round < rounds; round++) {
    it(`end once and in time, and execute no service twice (seed ${round})`, async () => {
      const random = seededRandom(round)
      const one = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)] as T
      const executed = new Map<string, number>()

      const refused = [reply(429), reply(429, '', { 'retry-after': '0.1' })]
      const good: Behaviour = (response, { method, url }) => {
        json(method === 'GET' || url.includes('parameters') ? fps(10) : sampleResult('callService'))(
          response,
          { method, url, headers: {}, body: Buffer.alloc(0) },
        )
      }
      const bad = [
        reset,
        hangUp,
        endInBody,
        silence,
        stallInBody,
        stallInHeaders,
        garbage,
        reply(502),
        reply(500),
      ]
      bench.server.behave((response, request) => {
        const behaviour = one(good, good, good, one(...bad), one(...refused))
        if (!refused.includes(behaviour)) executed.set(request.url, (executed.get(request.url) ?? 0) + 1)
        behaviour(response, request)
      })

      const client = bench.client({ deadline, concurrency: 32, random, retries: 10 })
      const urlOf = (service: string) => `/api/v2/pipelines/0/nodes/n/services/${service}`
      const endings = await Promise.all(
        Array.from({ length: callsPerRound }, async (_, call) => {
          const controller = new AbortController()
          const end = ended(
            one<() => Promise<unknown>>(
              () => client.getParameter(whichFps, { signal: controller.signal }),
              () => client.setParameter({ ...whichFps, value: 10 }, { signal: controller.signal }),
              () => callService(client, `s${call}`, controller.signal),
              () => callService(client, `s${call}`, controller.signal),
            )(),
          )
          if (random() < 0.2) setTimeout(() => controller.abort(), random() * deadline)
          if (random() < 0.05) bench.server.resetConnections(1)
          const ending = await end
          return { ending, times: executed.get(urlOf(`s${call}`)) ?? 0 }
        }),
      )
      await client.close()
      await bench.server.deserted()

      for (const { ending, times } of endings) {
        ending.inTime.should.be.true()
        times.should.be.belowOrEqual(1)
        const { code, key, operation } = ending.failure ?? {}
        if (operation !== 'callService') continue
        // Only these may leave the outcome open, or report an answer of the device.
        const mayHaveRun = ['OUTCOME_UNKNOWN', 'STARTING', 'DEVICE_FAULT', 'BAD_REPLY'].includes(code ?? '')
        if (!mayHaveRun && key !== 'aborted-sent') times.should.equal(0, `${code} ${key} ran`)
      }
    })
  }
})

const callService = (client: Client, service: string, signal: AbortSignal) =>
  client.callService({ pipeline: '0', node: 'n', service }, { signal })

async function ended(call: Promise<unknown>): Promise<Ending> {
  const inTime = endsWithin(deadline + 100, call)
  try {
    return { result: await call, inTime: await inTime }
  } catch (error) {
    if (!isVisionError(error)) throw error
    return { failure: error, inTime: await inTime }
  }
}
