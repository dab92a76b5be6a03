import 'should'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { createInterface } from 'node:readline'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'

describe('the example robot-over-tcp', () => {
  const example = useExample('robot-over-tcp', [8112, 8137])

  it('answers the simulated robot with a pose, or why there is none', async () => {
    const { answers, press } = example()
    await answers('line-press', /answer\]\s+'?POSE (-?\d+(\.\d+)?(e-?\d+)?,){5}-?\d/)
    await press('line-empty')
    await answers('line-press', /answer\]\s+'?NONE 101/)
    await press('line-full')
    await press('line-out')
    await answers('line-press', /answer\]\s+'?ERROR device: .*(could not be reached|did not answer)/)
    await press('line-in')
    await answers('line-press', /answer\]\s+'?POSE /)
    await answers('line-dance', /answer\]\s+'?ERROR Unknown command "DANCE"\. Send PICK\./)
  })

  it('answers each line of another robot once, in order, also after a restart of the device', async () => {
    const { port } = example()
    const robot = createConnection({ host: '127.0.0.1', port: port(8112) })
    await once(robot, 'connect')
    const lines = createInterface(robot)[Symbol.asyncIterator]()
    const ask = async (words: string[]) => {
      robot.write(words.map((word) => `${word}\n`).join(''))
      const answers: string[] = []
      while (answers.length < words.length) answers.push(String((await lines.next()).value))
      return answers.map((answer) => answer.split(' ')[0])
    }
    ;(await ask(['PICK', 'PICK', 'PICK'])).should.eql(['POSE', 'POSE', 'POSE'])
    await fetch(`http://127.0.0.1:${port(8137)}/api/v2/system/reboot`, { method: 'PUT' })
    await eventually(async () => (await ask(['PICK'])).should.eql(['POSE']))
    robot.destroy()
  })
})
