import { useExample } from '../support/example'
import { asksForAPose, stoodIn, type PlcOfMessages } from '../support/stood-in'

describe('the example plc-ads', function () {
  this.timeout(60_000)
  const types = ['ads-client-subscribe', 'ads-client-write-symbol', 'ads-client-connection']
  const example = useExample(
    'plc-ads',
    [8145],
    stoodIn({ reader: 'ads-client-subscribe', writer: 'ads-client-write-symbol', types }),
  )

  it('gives the PLC a pose, with the messages that the source of node-red-contrib-ads-client shows', () => {
    const fromPlc: Record<string, unknown> = { sequence: 0, job: 0, plcLife: 0, abort: false, manualAllowed: false }
    let toPlc: Record<string, unknown> = {}
    const plc: PlcOfMessages = {
      take: ({ topic, payload }) => {
        if (topic === 'GVL_Cell.toPlc') toPlc = payload as Record<string, unknown>
      },
      messages: () => [
        { symbol: { name: 'GVL_Cell.fromPlc' }, type: {}, timestamp: 0, payload: fromPlc },
        { symbol: { name: 'GVL_Cell.toPlc' }, type: {}, timestamp: 0, payload: toPlc },
      ],
      set: (name, value) => void (fromPlc[name] = value),
      get: (name) => toPlc[name],
    }
    return asksForAPose(example(), plc)
  })
})
