import 'should'
import type { NodeDescription } from '../../nodes/shared/fields/description'
import { numberOf, type Translated, withDefaults } from '../../nodes/shared/fields/checked-fields'
import { oneByOne } from '../../nodes/shared/handle-input'
import { NoAnswer } from '../../nodes/shared/outcome'
import { contradictions } from '../../scripts/dialogs/consistency'

const lamp = {
  type: 'lamp',
  group: 'configure',
  icon: 'vision-write.svg',
  inputs: 1,
  changes: true,
  outputs: ['done'],
  fields: {
    mode: { kind: 'choice', default: 'on', choices: ['on', 'off'], icon: 'play' },
    seconds: {
      kind: 'number',
      default: '',
      least: 0.1,
      most: 60,
      unit: 's',
      optional: true,
      icon: 'clock-o',
    },
    level: {
      kind: 'number',
      default: 5,
      least: 0,
      most: 10,
      whole: true,
      unit: '1',
      icon: 'tachometer',
      hint: true,
    },
  },
} as const satisfies NodeDescription

interface Texts {
  paletteLabel: string
  label: { mode: string; seconds: string; level: string }
  mode: { on: string; off: string }
  hint: { level: string }
  port: { input: string; done: string }
}

// The code after these comments must not compile: the build fails if it does.
export type Complete = Translated<typeof lamp, { lamp: Texts }>
// @ts-expect-error a choice without a label
export type WithoutChoice = Translated<typeof lamp, { lamp: Omit<Texts, 'mode'> & { mode: { on: string } } }>
// @ts-expect-error a hint without its text, in one of two languages
export type WithoutHint = Translated<typeof lamp, { lamp: Texts } | { lamp: Omit<Texts, 'hint'> }>
export const unbounded = {
  ...lamp,
  // @ts-expect-error a number without a most
  fields: { seconds: { kind: 'number', default: 1, least: 0, unit: 's', icon: 'clock-o' } },
} as const satisfies NodeDescription
export const unknownUnit = {
  ...lamp,
  // @ts-expect-error a unit that is not in the table
  fields: { seconds: { kind: 'number', default: 1, least: 0, most: 9, unit: 'furlong', icon: 'clock-o' } },
} as const satisfies NodeDescription

// @ts-expect-error a node with an input that does not say whether its messages change something
export const undecided = { ...lamp, changes: undefined } as const satisfies NodeDescription
const sometimes = { ...lamp, changes: 'some' } as const satisfies NodeDescription
export const decidesNothing = (...[RED, node]: Parameters<typeof oneByOne>) => {
  // @ts-expect-error a node that leaves it to the runtime, which does not decide
  oneByOne(RED, node, sometimes, () => Promise.resolve(new NoAnswer()))
}

describe('the description of a node', () => {
  it('provides defaults for fields that an older flow lacks', () => {
    const fields = withDefaults(lamp, { mode: 'off' as const })
    fields.should.deepEqual({ name: '', mode: 'off', seconds: '', level: 5 })
    // @ts-expect-error no such choice
    fields.mode satisfies 'dimmed'
  })

  it('bounds its numbers at run time as in the dialog', () => {
    const fields = { seconds: '', level: '7.9' }
    ;(numberOf(lamp, fields, 'seconds') === undefined).should.be.true()
    numberOf(lamp, fields, 'level').should.equal(7)
    for (const level of [-1, 11, 'bright', ''])
      (() => numberOf(lamp, { ...fields, level }, 'level')).should.throw({
        code: 'INVALID_INPUT',
        message: /level.*from 0 to 10/,
      })
  })

  it('does not contradict itself', () => {
    contradictions(lamp).should.deepEqual([])
    contradictions({
      ...lamp,
      secondOutputWhen: 'mode=dim',
      fields: { ...lamp.fields, level: { ...lamp.fields.level, default: 11, when: 'colour=red' } },
    }).should.deepEqual([
      'colour=red: no field colour',
      'mode=dim: mode has no choice dim',
      'level: default or bounds',
    ])
    const { level } = lamp.fields
    const withZero = (bounds: { least: number; default: number }) =>
      contradictions({ ...lamp, fields: { ...lamp.fields, level: { ...level, ...bounds, zero: true } } })
    withZero({ least: 1, default: 0 }).should.deepEqual([])
    withZero({ least: 0, default: 5 }).should.deepEqual(['level: default or bounds'])
  })
})
