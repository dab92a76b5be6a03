import { useExample } from '../support/example'

describe('the example pick-cycle', () => {
  const example = useExample('pick-cycle', [8121])

  it('answers each trigger with a pose for the robot, or with an error code', async () => {
    const { answers, press, prints } = example()
    const pose = /to the robot\]\s+'?\{X [\d.-]+, Y [\d.-]+, Z [\d.-]+, A [\d.-]+, B [\d.-]+, C [\d.-]+\}/
    await answers('pick-part', pose)
    await press('pick-empty')
    await answers('pick-part', /error code\]\s+101\b/)
    await press('pick-full')
    await answers('pick-part', pose)
    await press('pick-out')
    // A connection that breaks during a call leaves its outcome unknown.
    await answers('pick-part', /error code\]\s+20[13]\b/)
    await prints(/why\] device: .*(could not be reached|did not answer)/)
    await press('pick-in')
    await answers('pick-part', pose)
  })

  it('uses one pose per trigger', async () => {
    const { answers, output } = example()
    const poses = () => output().match(/to the robot\]/g)?.length ?? 0
    const before = poses()
    await answers('pick-part', /to the robot\]/)
    poses().should.equal(before + 1)
  })
})
