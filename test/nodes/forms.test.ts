import should from 'should'
import { useBench } from '../support/bench'

const flow = [{ id: 'ask', type: 'helper', z: 'tab', wires: [] }]

/** A node that calls `set_pose` with arguments as stored by a form. */
const posing = (args: object) => ({
  type: 'vision-call-service',
  node: 'dev_hand_eye_calibration',
  service: 'set_pose',
  args: JSON.stringify(args),
  argsType: 'form',
})
const pose = { orientation: { w: 1, x: 0, y: 0, z: 0 }, position: { x: 0, y: 0, z: 0 } }

describe('a form', () => {
  before(() => (process.env['VISION_TEST_SLOT'] = '2'))
  after(() => delete process.env['VISION_TEST_SLOT'])

  const forms: [what: string, args: object, sent: object][] = [
    ['fixed values', { slot: 1, list: [1, null, true], pose }, { slot: 1, list: [1, null, true], pose }],
    ['text with a variable', { text: 'slot ${VISION_TEST_SLOT}' }, { text: 'slot 2' }],
    ['a message property', { slot: { $msg: 'slot' } }, { slot: 4 }],
    ['parts of parts', { pose: { position: { x: { $msg: 'near.x' } } } }, { pose: { position: { x: 0.5 } } }],
    ['items of a list', { ids: [{ $msg: 'topic' }, 'fixed'] }, { ids: ['bin', 'fixed'] }],
    ['an expression', { slot: { $jsonata: 'slot + 1', as: 'uint32' } }, { slot: 5 }],
    ['a variable of the type', { slot: { $env: 'VISION_TEST_SLOT', as: 'uint32' } }, { slot: 2 }],
    ['the flow context', { slot: { $flow: 'slot' } }, { slot: 6 }],
    ['the global context', { slot: { $global: 'slot' } }, { slot: 7 }],
    ['an object with a field of that name', { $msg: 'a', b: 1 }, { $msg: 'a', b: 1 }],
  ]
  for (const [what, args, sent] of forms)
    describe(`with ${what}`, () => {
      const bench = useBench(posing(args), { flow })
      it('sends it to the device', async () => {
        bench.node.context().flow.set('slot', 6)
        bench.node.context().global.set('slot', 7)
        await bench.send({ slot: 4, near: { x: 0.5 }, topic: 'bin' }).catch(() => undefined)
        const call = bench.device.calls().findLast(({ operation }) => operation === 'callService')
        should(call?.input).match({ args: sent })
      })
    })

  const wrong: [what: string, args: object, message: RegExp][] = [
    [
      'nothing there',
      { pose: { position: { x: { $msg: 'nowhere' } } } },
      /args\.pose\.position\.x .* msg nowhere/,
    ],
    ['another type', { slot: { $msg: 'payload', as: 'uint32' } }, /args\.slot .* uint32.*"many"/],
    ['half a thing', { slot: { $jsonata: '1.5', as: 'int32' } }, /args\.slot .* int32.*1\.5/],
    ['a broken expression', { ids: [{ $jsonata: '"f" &' }] }, /expression of the setting args\.ids\[0\]/],
    ['an unknown variable', { text: '${VISION_TEST_NONE}' }, /args\.text .*VISION_TEST_NONE/],
  ]
  for (const [what, args, message] of wrong)
    describe(`with ${what}`, () => {
      const bench = useBench(posing(args))
      it('is refused with the name of the field, and nothing is sent', async () => {
        await bench.send({ payload: 'many' }).should.be.rejectedWith({ code: 'INVALID_INPUT', message })
        bench.device
          .calls()
          .some(({ operation }) => operation === 'callService')
          .should.be.false()
      })
    })

  describe('with invalid JSON', () => {
    const bench = useBench({ ...posing({}), args: '{' })
    it('is refused', () =>
      bench.send().should.be.rejectedWith({ code: 'INVALID_INPUT', message: /args is not valid JSON/ }))
  })

  describe('of plain JSON, as in older flows', () => {
    const bench = useBench({ ...posing({ text: '${PATH}', from: { $msg: 'slot' } }), argsType: 'json' })
    it('is used as it is', async () => {
      await bench.send({ slot: 4 }).catch(() => undefined)
      const call = bench.device.calls().findLast(({ operation }) => operation === 'callService')
      should(call?.input).match({ args: { text: '${PATH}', from: { $msg: 'slot' } } })
    })
  })

  describe('of several parameters', () => {
    const bench = useBench({
      type: 'vision-set-parameter',
      node: 'dev_camera',
      which: 'several',
      value: '{"fps":{"$msg":"payload","as":"float64"},"exp_auto":false}',
      valueType: 'form',
    })
    it('are written in one step', async () => {
      const { payload } = await bench.send({ payload: '8' })
      should(payload).deepEqual({ fps: 8, exp_auto: false })
    })
    it('report which parameter is out of its limits', () =>
      bench.send({ payload: 99 }).should.be.rejectedWith({ code: 'INVALID_INPUT', message: /fps.*1 and 25/ }))
  })
})
