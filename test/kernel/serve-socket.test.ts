import should from 'should'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { writeRequest } from '../../lib/robot-interface'
import { InterfaceLink, lineEnds, RobotLink, dialects, type Link, type DialectId } from '../../lib/robots'
import { toInterface } from '../../nodes/robots/codes'
import { manualClock, startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { codes, numbersOf } from '../robots/options'
import { eventually } from '../support/eventually'

/** A port under test: what a peer sends without a pause, and how each part of it is answered. */
interface Port {
  open: () => Promise<{ port: number; close: () => Promise<unknown> }>
  request: Buffer
  /** Bytes of the answer to each. */
  answer: number
}

const events = {
  onCycle: () => undefined,
  onOver: () => undefined,
  onReply: () => undefined,
  onNotice: () => undefined,
  onChange: () => undefined,
}
const of = (link: Promise<Link>) =>
  link.then((opened) => ({ port: opened.port, close: () => opened.close() }))
const here = { host: '127.0.0.1', port: 0, allow: ['127.0.0.1'], connections: 8 }
const rules = { deadline: 60_000, oldest: 60_000, workspace: {}, newToken: () => 'token', codes }
const text = (id: DialectId) => () =>
  of(
    RobotLink.open(
      {
        ...{ ...here, ...rules, commands: ['PICK'] },
        ...{ dialect: dialects[id], numbers: numbersOf(id), end: lineEnds[dialects[id].end] },
      },
      events,
    ),
  )
const device = (portOf: (started: VirtualDevice) => number | undefined) => async () => {
  const started = await startVirtualDevice({
    ...{ port: 0, variant: 'multi', robotPort: 0, arm: 'ur5e', armPort: 0, clock: manualClock() },
  })
  return { port: portOf(started) ?? 0, close: () => started.stop() }
}
const arm = (part: string) => device(({ ports }) => ports['arm']?.parts?.[part])
const status = writeRequest({ action: 'STATUS', poseFormat: 2 })

const ports: Readonly<Record<string, Port>> = {
  'a robot that writes text': { open: text('ascii'), request: Buffer.from('?!?\n'), answer: 20 },
  'a robot that writes XML': { open: text('kuka'), request: Buffer.from('<a/>'), answer: 108 },
  'a robot on the binary interface of a flow': {
    open: () => of(InterfaceLink.open({ ...here, ...rules, jobs: [], toInterface }, events)),
    ...{ request: status, answer: 80 },
  },
  'a robot on the interface of a device': {
    open: device(({ ports: { robot } }) => robot?.port),
    ...{ request: status, answer: 80 },
  },
  'a client of the dashboard': { open: arm('dashboard'), request: Buffer.from('robotmode\n'), answer: 19 },
  'a client that sends programs of one line': {
    ...{ open: arm('primary'), request: Buffer.from('nothing\n'), answer: 0 },
  },
  'a client of the real-time data exchange': {
    ...{ open: arm('rtde'), request: Buffer.from([0, 3, 118]), answer: 19 },
  },
}

for (const [name, { open, request, answer }] of Object.entries(ports))
  describe(`a port that serves ${name}, which sends without a pause`, function () {
    this.timeout(120_000)
    let close: () => Promise<unknown>
    let client: Socket
    let server: Socket
    let writes: number
    /** Of the answers so far, in one turn of the event loop. */
    let most: number
    let received: number
    let timer: NodeJS.Immediate

    beforeEach(async () => {
      const opened = await open()
      close = opened.close
      let accept: (socket: Socket) => void = () => undefined
      const accepted = new Promise<Socket>((resolve) => (accept = resolve))
      const seen = (message: unknown) => accept((message as { socket: Socket }).socket)
      subscribe('net.server.socket', seen)
      client = connect(opened.port, '127.0.0.1')
      await once(client, 'connect')
      server = await accepted
      unsubscribe('net.server.socket', seen)
      received = writes = most = 0
      let inTurn = 0
      const write = server.write.bind(server) as (...given: unknown[]) => boolean
      server.write = (...given: unknown[]) => {
        writes++
        most = Math.max(most, ++inTurn)
        return write(...given)
      }
      const turn = () => {
        inTurn = 0
        timer = setImmediate(turn)
      }
      turn()
    })
    afterEach(async () => {
      clearImmediate(timer)
      client.destroy()
      await close()
    })

    it('answers one request in each turn of the event loop', async () => {
      const count = Math.floor(32_768 / request.length)
      client.on('data', () => undefined)
      client.write(Buffer.concat(Array<Buffer>(count).fill(request)))
      await eventually(() => should(writes).equal(count))
      should(most).be.belowOrEqual(2)
    })

    it('reads and answers nothing while its answers are unread, and loses none', async () => {
      const count = 5000
      // As if the buffers of the system were full.
      server.cork()
      client.write(Buffer.concat(Array<Buffer>(count).fill(request)))
      await eventually(() => should(server.writableNeedDrain).be.true())
      const answered = writes
      for (let left = 100; left > 0; left--) await new Promise((resolve) => setImmediate(resolve))
      should(writes).equal(answered)
      should(server.writableLength).be.below(server.writableHighWaterMark + 4096)
      client.on('data', (bytes: Buffer) => (received += bytes.length))
      server.uncork()
      await eventually(() => should(writes).equal(count))
      await eventually(() => should(received).be.aboveOrEqual(count * answer))
    })
  })
