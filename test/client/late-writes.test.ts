import { createServer } from 'node:http'
import should from 'should'
import { createClient, isVisionError } from '../../lib'
import { seededRandom } from '../../virtual-device/values'
import { listening } from '../support/listening'
import { fps } from './use-server'

const runs = process.env.CELLSIGHT_LONG === '1' ? 2000 : 100
const writesOfEach = 4
/** Milliseconds: the longest time for which the gateway holds a request, and the clients' setting for it. */
const held = 40
const lateArrival = 100

/** One write as seen by its writer. */
interface Write {
  value: number
  begun: number
  /** When its writer learned the outcome. */
  told: number
  ending: 'ok' | 'unknown' | 'not done'
  /** When the device executed it. */
  executed: number[]
}

/**
 * A parameter behind a gateway that delays each request, resets connections before or after it has passed a request on,
 * or loses the request.
 */
function parameterBehindGateway(random: () => number) {
  let value = 1
  const pass = (write: Write | undefined, wanted: number | undefined) => {
    write?.executed.push(performance.now())
    value = wanted ?? value
    return JSON.stringify(fps(value))
  }
  return {
    value: () => value,
    /** `reset` closes the connection to the client. */
    receive: (
      write: Write | undefined,
      wanted: number | undefined,
      answer: (body: string) => void,
      reset: () => void,
    ) => {
      const late = random() * held
      const fate = random()
      if (fate < 0.6) setTimeout(() => answer(pass(write, wanted)), late)
      else if (fate < 0.85) {
        setTimeout(reset, random() * late)
        setTimeout(() => pass(write, wanted), late)
      } else setTimeout(reset, late)
    },
  }
}

type GatewayParameter = ReturnType<typeof parameterBehindGateway>

describe('parameter writes of two writers, behind a gateway that delays, loses and resets', () => {
  const parameters = new Map<string, GatewayParameter>()
  /** The present write of each writer, `run/writer`. */
  const current = new Map<string, Write>()
  let server: Awaited<ReturnType<typeof listening>>

  before(async () => {
    server = await listening(
      createServer((request, response) => {
        const [, run = '', writer = ''] = request.url?.split('/') ?? []
        const write = request.method === 'PUT' ? current.get(`${run}/${writer}`) : undefined
        const parts: Buffer[] = []
        request.on('data', (part: Buffer) => parts.push(part))
        request.on('end', () => {
          const body = Buffer.concat(parts).toString()
          const wanted = body ? (JSON.parse(body) as { value: number }).value : undefined
          parameters.get(run)?.receive(
            write,
            wanted,
            (answer) => response.end(answer),
            () => response.socket?.resetAndDestroy(),
          )
        })
      }),
    )
  })
  after(() => server.stop())

  async function writesOf(place: string, random: () => number): Promise<Write[]> {
    // No deadline passes: what the gateway receives late on a busy machine would be later than it may be.
    const client = createClient({ address: `${server.url}/${place}`, random, lateArrival, deadline: 60_000 })
    const writes: Write[] = []
    for (let count = 0; count < writesOfEach; count++) {
      // Few values, so that the wanted one is often there before.
      const value = 1 + Math.floor(random() * 3)
      const write: Write = { value, begun: performance.now(), told: 0, ending: 'ok', executed: [] }
      writes.push(write)
      current.set(place, write)
      await client
        .setParameter({ pipeline: '0', node: 'dev_camera', param: 'fps', value })
        .catch((error: unknown) => {
          if (!isVisionError(error)) throw error
          write.ending = error.code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'not done'
        })
      write.told = performance.now()
    }
    await client.close()
    return writes
  }

  it(`end with the value of the last one reported done, or somebody knows that it is unknown (${runs} seeds)`, async () => {
    const endings = await Promise.all(
      Array.from({ length: runs }, async (_, seed) => {
        const random = seededRandom(seed)
        const parameter = parameterBehindGateway(random)
        parameters.set(`${seed}`, parameter)
        const writes = (await Promise.all(['a', 'b'].map((who) => writesOf(`${seed}/${who}`, random)))).flat()
        await new Promise((resolve) => setTimeout(resolve, 2 * held))

        for (const { ending, told, executed } of writes) {
          if (ending !== 'unknown') executed.filter((at) => at > told).should.be.empty()
        }
        const done = writes.filter(({ ending }) => ending === 'ok')
        const last = done.filter(({ told }) => !done.some(({ begun }) => begun > told))
        const unknown = writes.filter(({ ending }) => ending === 'unknown')
        const possible = [...last, ...unknown].map(({ value }) => value)
        if (possible.length > 0) should(possible).containEql(parameter.value())
        return writes.map(({ ending }) => ending)
      }),
    )
    // Every kind of ending has occurred.
    for (const ending of ['ok', 'unknown'] as const)
      endings
        .flat()
        .filter((one) => one === ending)
        .length.should.be.above(runs / 10)
  })
})
