import should from 'should'
import { Signals } from '../../lib/plc/handshake/figures'
import type { CellOutputs, PlcInputs } from '../../lib/plc/rows'

const cell = (outputs: Partial<CellOutputs>) =>
  ({ ready: false, busy: false, done: false, error: false, sequenceEcho: 0, ...outputs }) as CellOutputs

describe('the signals of a handshake', () => {
  const linesOf = (steps: readonly [PlcInputs | undefined, CellOutputs | undefined][]) => {
    const signals = new Signals()
    steps.forEach(([plc, outputs], at) => signals.note(plc, outputs, at))
    return signals.lines
  }

  it('are changes with their times, and nothing while nothing changes', () => {
    const { trigger, ready, busy, done, error } = linesOf([
      [{ trigger: false }, cell({ ready: true })],
      [{ trigger: true }, cell({ ready: true })],
      [{ trigger: true }, cell({ busy: true })],
      [{ trigger: true }, cell({ busy: true })],
      [{ trigger: true }, cell({ done: true })],
      [{ trigger: false }, cell({ ready: true })],
    ])
    should(trigger).eql([
      { at: 1, on: true },
      { at: 5, on: false },
    ])
    should(ready.map(({ at }) => at)).eql([0, 2, 5])
    should(busy.map(({ at }) => at)).eql([2, 4])
    should(done.map(({ at }) => at)).eql([4, 5])
    should(error).be.empty()
  })

  it('have a trigger from a new number or command until it is answered', () => {
    const numbers = linesOf([
      [{ sequence: 0 }, cell({})],
      [{ sequence: 7 }, cell({})],
      [{ sequence: 7 }, cell({ sequenceEcho: 7 })],
    ])
    should(numbers.trigger.map(({ at, on }) => [at, on])).eql([
      [1, true],
      [2, false],
    ])
    should(
      linesOf([
        [{ command: 4 }, undefined],
        [{ command: 0 }, cell({})],
      ]).trigger.length,
    ).equal(2)
  })

  it('are never more than twice the bound', () => {
    const signals = new Signals()
    for (let at = 0; at < 10_000; at++) signals.note({ trigger: at % 2 === 0 }, undefined, at)
    should(signals.lines.trigger.length).be.within(100, 200)
    should(signals.lines.trigger.at(-1)?.at).equal(9999)
  })
})
