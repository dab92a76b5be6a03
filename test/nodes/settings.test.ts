import should from 'should'
import helper from 'node-red-node-test-helper'
import type { NodeMessage } from 'node-red'
import { join } from 'node:path'
import { holds } from '../../lib/contract/reading/values'
import { defaultsOf, withDefaults } from '../../nodes/shared/fields/checked-fields'
import type { Field, NodeDescription } from '../../nodes/shared/fields/description'
import { descriptions } from '../../scripts/dialogs'
import { onTab, useBench, type Caught } from '../support/bench'
import { ourNodes } from '../support/our-nodes'
import { root } from '../support/root'
import { Controller } from '../universal-robots/controller'

const all = descriptions(join(root, 'nodes'))
const fieldsIn = ({ fields }: NodeDescription) => Object.entries<Field>(fields)
const shown = (value: unknown) => JSON.stringify(value) as string | undefined
const plain = (value: unknown) => (typeof value === 'object' ? '' : `${value as string | number | boolean}`)

/** What no field of a kind may accept. */
const hostile: Partial<Record<Field['kind'], readonly unknown[]>> = {
  switch: ['', ' ', {}, [], [true], null, 2, -1, NaN, 'maybe', 'truee', '${UNSET}', { value: true }],
  number: [
    '5 s',
    '5mm',
    'NaN',
    NaN,
    '1e999',
    Infinity,
    '-1e999',
    'many',
    '1,5',
    [5],
    [],
    {},
    true,
    null,
    '${UNSET}',
  ],
  choice: [0, 7, true, {}, [], null, 'no such choice', '${UNSET}'],
  text: [{}, [], true, null],
  typed: [{}, [], null],
  property: [{}, [], true, null],
  json: [{}, [], true, null],
  config: [{}, [], true, null],
}

/** What a field makes of a value: the value, or the error. */
function read(description: NodeDescription, name: string, value: unknown) {
  try {
    return { value: (withDefaults(description, { [name]: value }) as Record<string, unknown>)[name] }
  } catch (error) {
    return { error: error as Error & { code?: string } }
  }
}

describe('a setting', () => {
  for (const description of all)
    it(`of ${description.type} that is none is refused with its name, or has its default where it does not apply`, () => {
      const defaults = defaultsOf(description) as Record<string, unknown>
      for (const [name, field] of fieldsIn(description))
        for (const value of hostile[field.kind] ?? []) {
          const about = `${name} = ${shown(value)}`
          const { error, value: given } = read(description, name, value)
          const rule = 'when' in field ? field.when : undefined
          const applies = rule === undefined || holds(rule, (other) => plain(defaults[other]))
          if (applies) {
            should(error).match({ code: 'INVALID_INPUT' }, about)
            should(error?.message.includes(name)).equal(true, about)
          } else if (!error) should(given).eql(defaults[name], about)
          if (field.kind === 'typed') {
            const kind = read(description, `${name}Type`, 'password')
            if (applies) should(kind.error).match({ code: 'INVALID_INPUT' }, about)
          }
        }
    })

  it('that is a switch is on or off in each spelling of an environment variable', () => {
    for (const description of all)
      for (const [name, field] of fieldsIn(description))
        if (field.kind === 'switch') {
          for (const on of [true, 'true', 'TRUE', ' True\n', 'yes', 'on', '1', 1])
            should(read(description, name, on).value).equal(true, `${description.type} ${name} ${String(on)}`)
          for (const off of [false, 'false', 'FALSE', ' no ', 'off', '0', 0, -0])
            should(read(description, name, off).value).equal(
              false,
              `${description.type} ${name} ${String(off)}`,
            )
        }
  })

  it('that permits something is off unless somebody has switched it on', () => {
    for (const description of all)
      for (const [name, field] of fieldsIn(description))
        if (field.kind === 'switch' && /^(may[A-Z]|allow|confirmed|doubtful)/.test(name))
          field.default.should.equal(false, `${description.type} ${name}`)
  })

  it('outside the bounds of its number is refused with both, and a number as text is one', () => {
    for (const description of all)
      for (const [name, field] of fieldsIn(description))
        if (field.kind === 'number' && field.when === undefined) {
          for (const out of [field.least - 1e-6, field.most + 1, String(field.most * 2 + 1)])
            if (!(field.zero && Number(out) === 0))
              should(read(description, name, out).error?.message).match(
                new RegExp(`${name} .*${field.least} (to|bis) ${field.most}`),
              )
          should(read(description, name, String(field.most)).value).equal(String(field.most))
        }
  })
})

const nodeOf = (id: string) => helper.getNode(id) as NonNullable<ReturnType<typeof helper.getNode>>

describe('nodes with a setting that cannot be used', () => {
  const hasOwn = (field: Field) => !('when' in field) || field.when === undefined
  const nodes = all
    .filter(({ group }) => group !== 'config')
    .flatMap((description) =>
      fieldsIn(description)
        .filter(([, field]) => hostile[field.kind] && hasOwn(field) && field.kind !== 'config')
        .map(([name, { kind }], index) => ({
          name,
          node: {
            ...onTab,
            id: `${description.type}-${name}`,
            type: `vision-${description.type}`,
            [name]: hostile[kind]?.[index % hostile[kind].length],
          },
          inputs: 'inputs' in description ? description.inputs : 0,
        })),
    )
  const told = new Map<string, string>()
  const failed = new Map<string, string>()

  before(async () => {
    await helper.startServer()
    await helper.load(
      [...ourNodes],
      [
        { id: 'tab', type: 'tab', label: 'test' },
        { ...onTab, id: 'catch', type: 'catch', scope: null, wires: [['caught']] },
        { ...onTab, id: 'caught', type: 'helper', wires: [] },
        ...nodes.map(({ node }) => node),
      ],
    )
    await new Promise<void>((resolve) => {
      let sent = false
      nodeOf('caught').on('input', (message: NodeMessage) => {
        const { code, source, message: text } = message['error'] as Caught
        if (code !== 'INVALID_INPUT') return
        const mine = message['payload'] === 'a part' ? failed : told
        mine.set(source.id, text)
        if (told.size === nodes.length && !sent) {
          sent = true
          for (const { node, inputs } of nodes) if (inputs > 0) nodeOf(node.id).receive({ payload: 'a part' })
        }
        if (sent && failed.size === nodes.filter(({ inputs }) => inputs > 0).length) resolve()
      })
    })
  })
  after(async () => {
    await helper.unload()
    await helper.stopServer()
  })

  it('tell it once at deploy and fail each message, naming the setting', () => {
    nodes.length.should.be.above(100)
    for (const { node, name, inputs } of nodes) {
      should(told.get(node.id)).containEql(name)
      if (inputs > 0) should(failed.get(node.id)).equal(told.get(node.id))
    }
  })
})

describe('a robot whose permission comes from an environment variable', () => {
  let controller: Controller
  const arm: Record<string, unknown> = { id: 'arm', type: 'vision-robot-config', kind: 'universal-robots' }
  before(async () => {
    controller = await new Controller().start()
    const { rtde, primary, dashboard } = controller.ports
    Object.assign(arm, { host: '127.0.0.1', rtdePort: rtde, primaryPort: primary, dashboardPort: dashboard })
    Object.assign(arm, { poseFormat: 'universal-robots-pendant', mayMove: '${VISION_TEST_MAY_MOVE}' })
  })
  after(() => controller.stop())

  for (const [value, error] of [
    ['false', { code: 'NOT_ALLOWED' }],
    [' No ', { code: 'NOT_ALLOWED' }],
    ['0', { code: 'NOT_ALLOWED' }],
    ['', { code: 'INVALID_INPUT', message: /mayMove must be true or false.*""/ }],
    ['perhaps', { code: 'INVALID_INPUT', message: /mayMove must be true or false.*"perhaps"/ }],
    [undefined, { code: 'INVALID_INPUT', message: /mayMove.*VISION_TEST_MAY_MOVE/ }],
  ] as const)
    describe(`set to ${shown(value)}`, () => {
      before(() => {
        if (value === undefined) delete process.env['VISION_TEST_MAY_MOVE']
        else process.env['VISION_TEST_MAY_MOVE'] = value
      })
      after(() => delete process.env['VISION_TEST_MAY_MOVE'])
      const bench = useBench(
        { type: 'vision-robot', robot: 'arm', action: 'move', outputs: 2, confirm: 'none' },
        { flow: [arm] },
      )
      it('does not move', async () => {
        await bench.send({ payload: [401, -200, 450, 0, Math.PI, 0] }).should.be.rejectedWith(error)
        controller.scripts.should.be.empty()
      })
    })
})
