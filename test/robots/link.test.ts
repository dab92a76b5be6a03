import should from 'should'
import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import {
  lineEnds,
  RobotLink,
  dialects,
  type LinkOptions,
  type LinkTold,
  type DialectId,
} from '../../lib/robots'
import type { Reply, RobotCycle } from '../../lib/robots'
import { eventually } from '../support/eventually'
import { at, codes, numbersOf, present } from './options'
import { Robot } from './robot'

const poses = [at(400, 0, 300), at(410, 0, 300)].map((pose) => ({ pose, score: 0.5 }))

describe('a link to robots', () => {
  let link: RobotLink
  let cycles: RobotCycle[]
  let told: LinkTold[]
  let replies: Reply[]
  const robots: Robot[] = []

  async function open(id: DialectId = 'ascii', more: Partial<LinkOptions> = {}): Promise<void> {
    let count = 0
    cycles = []
    told = []
    replies = []
    link = await RobotLink.open(
      {
        ...{ host: '127.0.0.1', port: 0, allow: ['127.0.0.1'], connections: 8 },
        ...{ dialect: dialects[id], numbers: numbersOf(id), end: lineEnds[dialects[id].end], codes },
        ...{ commands: ['PICK'], deadline: 60_000, oldest: 60_000, workspace: {} },
        newToken: () => `t${String(++count)}`,
        ...more,
      },
      {
        onCycle: (cycle) => cycles.push(cycle),
        onOver: () => undefined,
        onReply: (reply) => replies.push(reply),
        onNotice: (each) => told.push(each),
        onChange: () => undefined,
      },
    )
  }
  const connect = async (): Promise<Robot> => {
    const robot = await Robot.connect(link.port)
    robots.push(robot)
    return robot
  }
  /** Waits for that many requests, and gives the last one. */
  const asked = (count = 1) =>
    eventually(() => {
      cycles.length.should.equal(count)
      return present(cycles.at(-1))
    })
  const whats = () => told.map(({ what }) => what)

  afterEach(async () => {
    for (const robot of robots.splice(0)) robot.close()
    await link.close()
  })

  it('answers a request that comes byte by byte, without an end, in lower case', async () => {
    await open()
    const robot = await connect()
    for (const letter of 'pick') await robot.send(letter)
    const { token, command } = await asked()
    command.should.equal('PICK')
    link.answer(token, { code: 0, poses }).should.match({ reply: { code: 0, count: 2 } })
    ;(await robot.line()).should.equal('0,2,0.5,400,0,300,0,0,0')
    await robot.send('next')
    ;(await robot.line()).should.equal('0,1,0.5,410,0,300,0,0,0')
    await robot.send('NEXT\n')
    ;(await robot.line()).should.equal('2,0,0,0,0,0,0,0,0')
    should(link.counts).match({ requests: 3, done: 2, failed: 1 })
  })

  it('sends each answer in one write', async () => {
    for (const id of Object.keys(dialects) as DialectId[]) {
      await open(id, { commands: [] })
      const robot = await connect()
      await robot.send(id === 'kuka' ? '<R><Command>PICK</Command></R>' : 'PICK\n')
      const { token } = await asked()
      const pieces = robot.pieces.length
      link.answer(token, { code: 0, poses })
      await eventually(() => robot.pieces.length.should.equal(pieces + 1))
      should(robot.pieces.at(-1)?.length).be.above(20)
      await link.close()
    }
  })

  it('answers what it does not understand, and unknown commands, with their codes', async () => {
    await open()
    const robot = await connect()
    await robot.send('DANCE\n')
    ;(await robot.line()).should.startWith('207,0,')
    await robot.send('1,2,3\n')
    ;(await robot.line()).should.startWith('224,0,')
    await robot.send('PICK 1 2 3\n')
    ;(await robot.line()).should.startWith('224,0,')
    whats().should.eql(['connected', 'not-allowed', 'not-understood', 'not-understood'])
    cycles.should.eql([])
  })

  it('names the element that XML lacks', async () => {
    await open('kuka')
    const robot = await connect()
    await robot.send('<Robot><Job>3</Job></Robot>')
    ;(await robot.until('</Vision>')).should.startWith('<Vision><Code>224</Code>')
    should(told.at(-1)).match({ what: 'not-understood', fault: 'missing', missing: '<Command>' })
  })

  it('answers XML that never ends, instead of silence', async function () {
    this.timeout(60_000)
    await open('kuka')
    const robot = await connect()
    await robot.send('<Robot><Command>PICK</Command>')
    ;(await robot.until('</Vision>')).should.startWith('<Vision><Code>224</Code><Count>0</Count>')
    should(told.at(-1)).match({ what: 'not-understood', fault: 'incomplete' })
  })

  it('answers by its deadline, and drops what comes later', async function () {
    this.timeout(60_000)
    await open('ascii', { deadline: 50 })
    const robot = await connect()
    await robot.send('PICK\n')
    ;(await robot.line()).should.startWith('208,0,')
    const { token } = await asked()
    link.answer(token, { code: 0, poses }).should.eql({ dropped: 'late' })
    await robot.send('NEXT\n')
    ;(await robot.line()).should.startWith('2,0,')
    should(link.counts).match({ failed: 2, late: 1 })
    const { milliseconds } = told.find(({ what }) => what === 'late') as { milliseconds: number }
    milliseconds.should.be.aboveOrEqual(50)
    should(replies[0]).not.have.property('late')
    // A second answer to the same request measures nothing.
    link.answer(token, { code: 0, poses })
    await robot.send('PICK\n')
    ;(await robot.line()).should.startWith('208,0,')
    should(replies.at(-1)).match({ code: 208, late: milliseconds })
  })

  it('gives a robot that asks again only the last answer', async () => {
    await open()
    const robot = await connect()
    await robot.send('PICK\n')
    const first = await asked()
    await robot.send('PICK\n')
    const second = await asked(2)
    link.answer(first.token, { code: 5 }).should.eql({ dropped: 'late' })
    link.answer(second.token, { code: 6 })
    ;(await robot.line()).should.startWith('6,')
    whats().should.eql(['connected', 'replaced', 'late'])
  })

  it('keeps robots apart', async () => {
    await open('ascii', { commands: [] })
    const three = [await connect(), await connect(), await connect()]
    for (const [index, robot] of three.entries()) await robot.send(`GO ${String(index)}\n`)
    await asked(3)
    for (const { token, job = NaN } of cycles.toReversed()) link.answer(token, { code: 10 + job })
    for (const [index, robot] of three.entries())
      (await robot.line()).should.startWith(`${String(10 + index)},`)
    link.robots.map(({ last }) => last?.code).should.eql([10, 11, 12])
    link.robots.forEach(({ address, last }) => {
      address.should.equal('127.0.0.1')
      should(last?.command).equal('GO')
      should(last?.milliseconds).be.a.Number()
    })
  })

  it('forgets a robot that goes in the middle', async () => {
    await open()
    const robot = await connect()
    await robot.send('PICK\n')
    const { token } = await asked()
    robot.close()
    await eventually(() => link.robots.should.eql([]))
    link.answer(token, { code: 0, poses }).should.eql({ dropped: 'late' })
    whats().should.eql(['connected', 'left', 'late'])
    link.counts.left.should.equal(1)
  })

  it('refuses hosts that are not allowed, and tells which', async () => {
    await open('ascii', { allow: ['192.168.0.0/24'] })
    const socket = createConnection({ host: '127.0.0.1', port: link.port })
    socket.on('error', () => undefined)
    await once(socket, 'close')
    await eventually(() =>
      told.should.eql([{ what: 'refused', address: '127.0.0.1', reason: 'not-allowed' }]),
    )
    link.counts.refused.should.equal(1)
  })

  it('refuses a connection too many, and keeps those that it has', async () => {
    await open('ascii', { connections: 1 })
    const robot = await connect()
    await eventually(() => link.robots.should.have.length(1))
    const socket: Socket = createConnection({ host: '127.0.0.1', port: link.port })
    socket.on('error', () => undefined)
    await once(socket, 'close')
    await eventually(() => should(told.at(-1)).match({ what: 'refused', reason: 'too-many' }))
    await robot.send('PICK\n')
    link.answer((await asked()).token, { code: 0, poses: [] })
    ;(await robot.line()).should.startWith('1,0,')
  })

  it('says that its port is taken, and that an allowed address is none', async () => {
    await open()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    await open('ascii', { port }).should.be.rejectedWith({
      name: 'ListenFailure',
      reason: 'taken',
      code: 'EADDRINUSE',
    })
    await open('ascii', { allow: ['robot'] }).should.be.rejectedWith(RangeError)
    other.close()
  })
})
