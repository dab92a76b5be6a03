import should from 'should'
import { Robot } from '../robots/robot'
import { abbReads, fanucReads, kukaReads, urReads, type RobotRead } from '../robots/controllers'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'

/** How the program in docs/robots for each make asks, and reads the answer. */
const makes: Record<string, { port: number; request: string; end: string; reads: (text: string) => RobotRead }> = {
  'Universal Robots': { port: 8116, request: 'PICK', end: ')', reads: urReads },
  KUKA: {
    port: 8117,
    request: '<Robot><Command>PICK</Command><Pose X="445.0" Y="0.0" Z="500.0" A="0.0" B="90.0" C="0.0"/></Robot>',
    end: '</Vision>',
    reads: kukaReads,
  },
  ABB: { port: 8118, request: 'PICK [[445,0,500],[0.70711,0,0.70711,0]]', end: '\n', reads: abbReads },
  FANUC: { port: 8119, request: 'PICK\r\n', end: '\n', reads: fanucReads },
}

describe('the example robot-over-tcp', () => {
  const example = useExample('robot-over-tcp', [8116, 8117, 8118, 8119, 8137])
  const robots: Robot[] = []
  afterEach(() => {
    for (const robot of robots.splice(0)) robot.close()
  })
  const connect = async (written: number) => {
    const robot = await eventually(() => Robot.connect(example().port(written)))
    robots.push(robot)
    return robot
  }

  it('answers the simulated robots with a pose, or a code that says why there is none', async () => {
    const { answers, press } = example()
    await answers('line-press-ur', /answer\]\s+'?\(0,\d+,[\d.]+,(-?\d[\d.]*,){5}-?\d/)
    await press('line-empty')
    await answers('line-press-ur', /answer\]\s+'?\(1,0,0,0,0,0,0,0,0\)/)
    await answers('line-press-kuka', /answer\]\s+'?<Vision><Code>1<\/Code><Count>0<\/Count>/)
    await press('line-full')
    await press('line-out')
    await answers('line-press-abb', /answer\]\s+'?20[1-4];0;0;/)
    await press('line-in')
    await answers('line-press-abb', /answer\]\s+'?0;\d+;[\d.]+;\[\[/)
    await answers('line-press-fanuc', /answer\]\s+'?\+0000:\d{3}:/)
    await answers('line-press-dance', /answer\]\s+'?\(207,0,/)
  })

  for (const [make, { port, request, end, reads }] of Object.entries(makes))
    it(`gives ${make} one pose after the other, as its program reads them, also after a restart of the device`, async () => {
      const robot = await connect(port)
      const ask = async (text: string) => {
        await robot.send(text)
        return reads(await robot.until(end))
      }
      const first = await eventually(async () => {
        const read = await ask(request)
        read.code.should.equal(0)
        return read
      })
      first.count.should.be.above(1)
      should(Math.hypot(...first.numbers.slice(0, 3))).be.above(0)
      const second = await ask(request.replace('PICK', 'NEXT'))
      second.should.match({ code: 0, count: first.count - 1 })
      second.numbers.should.not.eql(first.numbers)
      await fetch(`http://127.0.0.1:${String(example().port(8137))}/api/v2/system/reboot`, { method: 'PUT' })
      await eventually(async () => (await ask(request)).code.should.equal(0))
    })
})
