import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import should from 'should'
import { endOf } from '../support/end-of'
import { listening, type Listening } from '../support/listening'
import { root } from '../support/root'

/** Heap that Node.js takes on a gateway computer with 512 MB, in MB. */
const heap = 256
const memory = 512
/** Calls of a client in flight at the same time. */
const atOnce = 4

const json = (text: string) => ({ type: 'application/json', body: Buffer.from(text) })
const ubjson = (text: string) => ({ type: 'application/ubjson', body: Buffer.from(text, 'latin1') })

/** Within the limit of an answer, and as much decoded memory as is allowed. */
const hostile = [
  json(`[${'0,'.repeat(7_900_000)}0]`),
  json(`[${'0,'.repeat(2_500_000)}0${' '.repeat(10_900_000)}]`),
  ubjson(`[${'Ca'.repeat(7_900_000)}]`),
  ubjson(`[${'{}'.repeat(8_000_000)}]`),
  ubjson(`[${'Z'.repeat(8_000_000)}]`),
]
const good = json(JSON.stringify({ status: 'running', timestamp: 1, values: {} }))

interface Report {
  ends: string[]
  megabytes: number
}

describe(`a gateway computer with ${memory} MB`, function () {
  this.timeout(300_000)
  let device: Listening
  let asked = 0
  before(async () => {
    const server = createServer((_, response) => {
      const { type, body } = hostile[Math.floor(asked++ / atOnce)] ?? good
      response.writeHead(200, { 'content-type': type }).end(body)
    })
    device = await listening(server)
  })
  after(() => device.stop())

  it('keeps running, whatever a device answers to all calls at the same time', async () => {
    const program = join(root, 'dist/test/client/four-calls.js')
    const child = fork(program, [device.url], {
      execArgv: [`--max-old-space-size=${heap}`],
      stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
    })
    const reports: Report[] = []
    child.on('message', (report: Report) => reports.push(report))
    const [code, signal] = await endOf(child)
    should([code, signal]).eql([0, null])
    const refused = new Array<string>(atOnce).fill('BAD_REPLY')
    const answered = new Array<string>(atOnce).fill('answered')
    should(reports.map(({ ends }) => ends)).eql([...hostile.map(() => refused), answered])
    for (const { megabytes } of reports) should(megabytes).be.below(memory)
  })
})
