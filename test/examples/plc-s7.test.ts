import { useExample } from '../support/example'
import { asksForAPose, bitOfState, stoodIn, type PlcOfMessages } from '../support/stood-in'

describe('the example plc-s7', function () {
  this.timeout(60_000)
  const types = ['s7 in', 's7 out', 's7 endpoint']
  const example = useExample('plc-s7', [8141], stoodIn({ reader: 's7 in', writer: 's7 out', types }))

  it('gives the PLC a pose, with the messages of node-red-contrib-s7', () => {
    const variables = new Map<string, unknown>([["control", 0]])
    const plc: PlcOfMessages = {
      take: ({ variable, payload }) =>
        (variable as string[]).forEach((name, at) => variables.set(name, (payload as unknown[])[at])),
      messages: () => [{ topic: '', payload: Object.fromEntries(variables) as object }],
      set: (name, value) => void variables.set(name, value),
      get: (name) =>
        name === 'ready' || name === 'done' ? bitOfState(variables.get('state'), name) : variables.get(name),
    }
    return asksForAPose(example(), plc)
  })
})
