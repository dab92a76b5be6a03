import { useExample } from '../support/example'
import { asksForAPose, bitOfState, stoodIn, type PlcOfMessages } from '../support/stood-in'

const prefix = 'ns=2;s=Cell.'

describe('the example plc-opcua', function () {
  this.timeout(60_000)
  const types = ['OpcUa-Client', 'OpcUa-Endpoint']
  const example = useExample(
    'plc-opcua',
    [8142],
    stoodIn({ reader: 'OpcUa-Client', writer: 'OpcUa-Client', types, output: 2 }),
  )

  it('gives the PLC a pose, with the messages of node-red-contrib-opcua', () => {
    const variables = new Map<string, unknown>()
    let asked: string[] = []
    const valueOf = (id: string) => ({ value: { value: variables.get(id) ?? 0 }, statusCode: { value: 0 } })
    const plc: PlcOfMessages = {
      take: ({ action, payload }) => {
        if (action === 'readmultiple') asked = payload as string[]
        else
          for (const { nodeId, value } of payload as { nodeId: string; value: unknown }[])
            variables.set(nodeId, value)
      },
      messages: () =>
        asked.length > 0
          ? [{ topic: asked.map((nodeId) => ({ nodeId })), payload: asked.map((id) => valueOf(id)) }]
          : [],
      set: (name, value) => void variables.set(prefix + name, value),
      get: (name) =>
        name === 'ready' || name === 'done'
          ? bitOfState(variables.get(`${prefix}state`), name)
          : variables.get(prefix + name),
    }
    return asksForAPose(example(), plc)
  })
})
