import should from 'should'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { abbReads, fanucReads, kukaReads, urReads, type RobotRead } from '../robots/controllers'
import { Robot } from '../robots/robot'
import { eventually } from '../support/eventually'
import { exampleNodes, useExample } from '../support/example'
import { root } from '../support/root'

interface Make {
  port: number
  device: number
  id: string
  asks: (command: string) => string[]
  end: string
  reads: (text: string) => RobotRead
  /** What the simulated robot of the example gets. */
  gets: (code: number) => RegExp
  /** The program in docs/robots, and how long it waits for an answer: a number, of which so many are a second. */
  waits: { program: string; number: RegExp; perSecond?: number }
}

/** How the program in docs/robots for each make asks, in the pieces in which it sends, and reads the answer. */
const makes = {
  'universal-robots': {
    ...{ port: 8112, device: 8170, id: 'ur', end: ')', reads: urReads },
    asks: (command) => [command, ' ', 'p[0.445, 0, 0.5, 0, 1.5707963, 0]', '\n'],
    gets: (code) => RegExp(`answer\\]\\s+'?\\(${String(code)},\\d+,`),
    waits: { program: 'universal-robots.script', number: /socket_read_ascii_float\(9, \"vision\", (\d+)\)/ },
  },
  kuka: {
    ...{ port: 8113, device: 8171, id: 'kuka', end: '</Vision>', reads: kukaReads },
    asks: (command) => [
      `<Robot><Command>${command}</Command><Pose X="445.000" Y="0.000" Z="500.000" A="0.000" B="90.000" C="0.000"></Pose></Robot>`,
    ],
    gets: (code) => RegExp(`answer\\]\\s+'?<Vision><Code>${String(code)}</Code>`),
    waits: { program: 'kuka-vision.src', number: /waited < ([\d.]+)\)/ },
  },
  abb: {
    ...{ port: 8114, device: 7154, id: 'abb', end: '\n', reads: abbReads },
    asks: (command) => [`${command} [`, '[445,0,500],', '[0.707107,0,0.707107,0]]\n'],
    gets: (code) => RegExp(`answer\\]\\s+'?${String(code)};\\d+;`),
    waits: { program: 'abb-vision.mod', number: /SocketReceive .*\\Time:=(\d+)/ },
  },
  fanuc: {
    ...{ port: 8115, device: 7155, id: 'fanuc', end: '\n', reads: fanucReads },
    asks: (command) => [`${command}\r\n`],
    gets: (code) => RegExp(`answer\\]\\s+'?\\+${String(code).padStart(4, '0')}:\\d{3}:`),
    waits: { program: 'fanuc-vision.kl', number: /wait_ms = (\d+)/, perSecond: 1000 },
  },
} satisfies Record<string, Make>

/** Tests the example of a make of robots. */
export function testMaker(make: keyof typeof makes): void {
  const { port, device, id, asks, end, reads, gets, waits }: Make = makes[make]
  describe(`the example robot-${make}`, () => {
    const name = `robot-${make}`
    const example = useExample(name, [port, device])
    let robot: Robot | undefined
    afterEach(() => robot?.close())

    it('answers the simulated robot with a pose, or a code that says why there is none', async () => {
      const { answers, press } = example()
      await answers(`${id}-press-${id}`, gets(0))
      await press(`${id}-empty`)
      await answers(`${id}-press-${id}`, gets(1))
      await press(`${id}-full`)
      await answers(`${id}-press-${id}`, gets(0))
    })

    it('gives the program in docs/robots one pose after the other, as its controller reads them', async () => {
      const connected = (robot = await Robot.connect(example().port(port)))
      const ask = async (command: string) => {
        for (const piece of asks(command)) await connected.send(piece)
        return reads(await connected.until(end))
      }
      const first = await eventually(async () => {
        const read = await ask('PICK')
        read.code.should.equal(0)
        return read
      })
      first.count.should.be.above(1)
      const second = await ask('NEXT')
      second.should.match({ code: 0, count: first.count - 1 })
      second.numbers.should.not.eql(first.numbers)
      ;(await ask('DANCE')).should.match({ code: 207, count: 0 })
    })

    it('has the port of the program in docs/robots, and answers before that gives up', () => {
      const connection = exampleNodes(name).find(({ type }) => type === 'vision-robot-connection')
      should(connection?.port).equal(port)
      const program = readFileSync(join(root, 'docs', 'robots', waits.program), 'utf8')
      const seconds = Number(waits.number.exec(program)?.[1]) / (waits.perSecond ?? 1)
      should(connection?.['deadline']).be.below(seconds)
    })
  })
}
