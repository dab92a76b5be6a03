import { useExample } from '../support/example'
import { asksForAPose, stoodIn, type PlcOfMessages } from '../support/stood-in'

describe('the example plc-mqtt', function () {
  this.timeout(60_000)
  const types = ['mqtt in', 'mqtt out', 'mqtt-broker']
  const example = useExample('plc-mqtt', [8143], stoodIn({ reader: 'mqtt in', writer: 'mqtt out', types }))

  it('gives the PLC a pose, with the messages of mqtt in and mqtt out', () => {
    const own: Record<string, number> = {}
    let cell: Record<string, unknown> = {}
    const plc: PlcOfMessages = {
      take: ({ payload }) => {
        // The buttons that play the PLC publish too.
        if (Object.hasOwn(payload as object, 'ready')) cell = payload as Record<string, unknown>
      },
      messages: () => [{ topic: 'cell/plc', qos: 1, retain: false, payload: own }],
      set: (name, value) => void (own[name] = value),
      get: (name) => cell[name],
    }
    return asksForAPose(example(), plc)
  })
})
