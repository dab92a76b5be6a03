import 'should'
import { createConnection } from 'node:net'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'

describe('the example hand-eye-robot-over-tcp', () => {
  const example = useExample('hand-eye-robot-over-tcp', [8102, 8111])

  it('is run by the simulated robot, line by line', async () => {
    const { press, prints, output, port } = example()
    await eventually(() => fetch(`http://127.0.0.1:${port(8102)}/api/v2/system`))
    await press('tcp-program')
    await prints(/OK Good and saved: accuracy [\d.]+ mm\. \{X /, 90_000)
    output().should.match(/POSE \{X 620, Y -40, Z 750/)
    output().should.match(/OK Pose 12 stored/)
  })

  it('answers another robot, and reports what it did not understand', async () => {
    const robot = createConnection({ host: '127.0.0.1', port: example().port(8111) })
    await once(robot, 'connect')
    const lines = createInterface(robot)[Symbol.asyncIterator]()
    const ask = async (line: string) => {
      robot.write(`${line}\n`)
      return String((await lines.next()).value)
    }
    ;(await ask('START ')).should.match(/^OK Ready/)
    ;(await ask('CALIBRATE ')).should.match(/^NO Not calibrated: these poses are not sufficient/)
    ;(await ask('POSE {X 62000, Y 0, Z 0, A 0, B 0, C 0}')).should.match(/^ERROR The pose was not used/)
    ;(await ask('DANCE ')).should.match(/^ERROR There is no command "dance"/)
    robot.destroy()
  })
})
