import should from 'should'
import { useBench } from '../support/bench'

const half = { position: { x: 0.4, y: -0.2, z: 0.3 }, orientation: { x: 0, y: 0, z: 0, w: 1 } }

describe('robot-pose', () => {
  const bench = useBench({ type: 'vision-robot-pose', device: undefined })
  const converted = async (fields: object, payload: unknown) => {
    const all = { pose: 'payload', poseType: 'msg', which: 'one', from: 'kuka', fromUnit: '', to: 'device' }
    await bench.deploy({
      ...all,
      toUnit: '',
      shape: 'object',
      refuse: 'impossible',
      property: 'payload',
      ...fields,
    })
    return bench.send({ payload })
  }

  it("converts a KUKA pose to the form that the device's services accept", async () => {
    const { payload, warnings } = await converted({}, '{X 400, Y -200, Z 300, A 0, B 0, C 0}')
    should(payload).deepEqual(half)
    should(warnings).deepEqual([])
  })

  it('converts a device pose to the KUKA form, in all three shapes', async () => {
    const back = { from: 'device', to: 'kuka' }
    const turned = { ...half, orientation: { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 } }
    should((await converted(back, turned)).payload).deepEqual({ X: 400, Y: -200, Z: 300, A: 90, B: 0, C: 0 })
    should((await converted({ ...back, shape: 'array' }, turned)).payload).deepEqual([
      400, -200, 300, 90, 0, 0,
    ])
    should((await converted({ ...back, shape: 'text' }, turned)).payload).equal(
      '{X 400, Y -200, Z 300, A 90, B 0, C 0}',
    )
  })

  it('reads and writes other units than the usual ones', async () => {
    const { payload } = await converted(
      { from: 'universal-robots', fromUnit: 'mm', to: 'fanuc', toUnit: 'm', shape: 'array' },
      [400, -200, 300, 0, 0, 0],
    )
    should(payload).deepEqual([0.4, -0.2, 0.3, 0, 0, 0])
  })

  it('passes on the flags of the arm from the input, or from a taught pose', async () => {
    const kuka = '{X 400, Y -200, Z 300, A 90, B 0, C 0, S 2, T 35}'
    const same = { from: 'kuka', to: 'kuka', shape: 'text' }
    should((await converted(same, kuka)).payload).equal(kuka)
    should((await converted({ ...same, shape: 'object' }, kuka)).payload).match({ A: 90, S: 2, T: 35 })
    const pose = { position: { x: 0.1, y: 0, z: 0.3 }, orientation: { x: 0, y: 0, z: 0, w: 1 } }
    const taught = { from: 'device', to: 'kuka', shape: 'text', taught: kuka, taughtType: 'str' }
    should((await converted(taught, pose)).payload).equal('{X 100, Y 0, Z 300, A 0, B 0, C 0, S 2, T 35}')
    should((await converted({ ...same, taught: '' }, '{X 1, Y 2, Z 30, A 0, B 0, C 0}')).payload).equal(
      '{X 1, Y 2, Z 30, A 0, B 0, C 0}',
    )
  })

  it('reads and writes a format that is described in words', async () => {
    const fields = { from: 'custom', fromCustom: 'xyz fixed rad m', to: 'kuka', shape: 'array' }
    const { payload } = await converted(fields, [0.4, -0.2, 0.3, 0, 0, Math.PI / 2])
    should(payload).deepEqual([400, -200, 300, 90, 0, 0])
    const { payload: back } = await converted(
      { from: 'kuka', to: 'custom', toCustom: 'wxyz m', shape: 'text' },
      payload,
    )
    should(back).equal('0.4, -0.2, 0.3, 0.70710678, 0, 0, 0.70710678')
    await converted(
      { from: 'custom', fromCustom: 'zyx sideways' },
      [0, 0, 0, 0, 0, 0],
    ).should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: /"zyx sideways" does not describe a pose format\. Write, for example, zyx moving deg mm/,
    })
  })

  it('reads the pose from any property and writes it to any', async () => {
    await converted(
      { pose: 'robot.pose', property: 'vision.pose' },
      [400, -200, 300, 0, 0, 0],
    ).should.be.rejected()
    const message = await bench.send({ payload: 'kept', robot: { pose: [400, -200, 300, 0, 0, 0] } })
    should(message.payload).equal('kept')
    should(message['vision']).match({ pose: half, state: 'done' })
  })

  it('converts a list, as an array or as lines', async () => {
    const list = { which: 'list', to: 'universal-robots', shape: 'text' }
    const poses = ['p[0.4,-0.2,0.3,0,0,0]', 'p[0.1,0,0.5,0,0,1.570796]']
    should((await converted(list, [[400, -200, 300, 0, 0, 0], '100 0 500 90 0 0'])).payload).deepEqual(poses)
    should((await converted(list, '400 -200 300 0 0 0\n\n100 0 500 90 0 0\r\n')).payload).deepEqual(poses)
    await converted(list, [
      [400, -200, 300, 0, 0, 0],
      [1, 2],
    ]).should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: /^Pose 2 of the list cannot be used\..*6 numbers are needed .X Y Z A B C., but 2 were found/,
    })
    await converted(list, [400, -200, 300, 0, 0, 0]).should.be.rejectedWith({ message: /No list of poses/ })
  })

  for (const given of [
    [445, 0, 500, 1, 0, 0, 0],
    '445.1, 0, 500, 1, 0, 0, 0',
    [445, 0, 500, 0, 90],
    Array.from({ length: 12 }, (_, index) => index),
    '{X 400, Y -200, Z 300, Q1 1, Q2 0, Q3 0, Q4 0}',
  ])
    it(`refuses ${JSON.stringify(given)}, which is not exactly a pose of six numbers`, () =>
      converted({}, given).should.be.rejectedWith({ code: 'INVALID_INPUT', message: /6 numbers are needed/ }))

  it('reads decimal commas where they can be nothing else, and otherwise names both readings', async () => {
    const { payload } = await converted({}, '{X 400,5, Y -200,25, Z 300, A 0, B 0, C 0}')
    should((payload as typeof half).position).deepEqual({ x: 0.4005, y: -0.20025, z: 0.3 })
    await converted({}, 'X 1,234 Y 200 Z 300 A 0 B 0 C 0').should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: /1,234 in the pose can mean 1\.234 or 1234\. Write decimals with a point/,
    })
  })

  it('refuses several poses if one is expected, and accepts a nested one', async () => {
    await converted({}, [
      [400, -200, 300, 0, 0, 0],
      [100, 0, 500, 90, 0, 0],
    ]).should.be.rejectedWith({ code: 'INVALID_INPUT', message: /Several poses were sent/ })
    const { payload } = await converted({ from: 'abb' }, [
      [400, -200, 300],
      [1, 0, 0, 0],
    ])
    should(payload).deepEqual(half)
  })

  for (const [what, from, payload, message] of [
    ['a quaternion of another length', 'abb', [600, 0, 500, 1, 1, 0, 0], /length 1\.414 instead of 1/],
    [
      'millimetres as metres',
      'fruitcore',
      [400, 0, 0, 1, 0, 0, 0],
      /400 m from the origin.*probably millimetres/,
    ],
    [
      'an angle beyond a turn',
      'fanuc',
      [600, 0, 500, 3600, 0, 0],
      /W is 3600°, but FANUC uses -180° to 180°/,
    ],
    ['degrees as radians', 'universal-robots', [0.6, 0, 0.5, 180, 0, 0], /probably degrees/],
    [
      'a matrix row by row',
      'franka-matrix',
      [1, 0, 0, 0.4, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
      /probably written row by row/,
    ],
    ['words', 'kuka', 'here', /0 were found/],
    ['something that is no number', 'kuka', [1, 2, 3, 4, 5, 'far'], /C is not a number/],
  ] as const)
    it(`refuses ${what} and names the suspicion`, () =>
      converted({ from }, payload).should.be.rejectedWith({ code: 'INVALID_INPUT', message }))

  it('warns of doubtful poses, and accepts them', async () => {
    const { payload, warnings } = await converted({ from: 'kuka', shape: 'array' }, [600, 0, 500, 0, 95, 0])
    should(payload).have.length(7)
    should(warnings).match([
      { kind: 'angle-out-of-range', severity: 'suspicious', text: /^B is 95°, but KUKA/ },
    ])
    await bench.status('doubtful')
    should(bench.statuses.at(-1)).match({ fill: 'yellow' })
  })

  it('refuses doubtful poses too, or nothing, by choice', async () => {
    const metres = [0.4, -0.2, 0.3, 0, 0, 0]
    await converted({ refuse: 'doubtful' }, metres).should.be.rejectedWith({ message: /probably metres/ })
    const { payload, warnings } = await converted({ refuse: 'none', from: 'abb' }, [600, 0, 500, 2, 0, 0, 0])
    should(payload).match({ orientation: { w: 1 } })
    should(warnings).match([{ kind: 'quaternion-not-unit', severity: 'impossible' }])
  })
})
