import { useExample } from '../support/example'

describe('the example pick-cycle', () => {
  const example = useExample('pick-cycle', [8121, 1521])
  const pose = /code: 0,\s+done: true[^]*count: [1-9][^]*pose: \[\s*[^0\s]/

  it('answers each trigger with a pose for the robot, or with the code of what went wrong', async () => {
    const { answers, follows, press, prints } = example()
    await answers('pick-part', pose)
    await press('pick-empty')
    await answers('pick-part', /code: 0,\s+done: true[^]*count: 0/)
    await press('pick-full')
    await answers('pick-part', pose)
    await press('pick-out')
    // A connection that breaks during a call leaves its outcome unknown.
    await follows('pick-part', /code: 20[13],\s+done: false/)
    await press('pick-in')
    await answers('pick-part', pose)
    await prints(/events\]\s+'?acquisition \d+: result 0/)
  })

  it('uses one pose per trigger', async () => {
    const { answers, follows, output } = example()
    await answers('pick-part', pose)
    const cycles = () => output().match(/acquisition \d+: result 0/g)?.length ?? 0
    const before = cycles()
    await follows('pick-part', pose)
    cycles().should.equal(before + 1)
  })
})
