import 'should'
import { useExampleAtBroker } from './at-broker'

describe('the example cell-agent', function () {
  this.timeout(120_000)
  const example = useExampleAtBroker('cell-agent', [8196])

  it('publishes the state of the cell', () => example().prints(/state\][^]*device: 'left'[^]*link: 'ready'/))

  it('reads, sets and runs a flow as a centre asks, and refuses what is not allowed', async () => {
    const { follows } = example()
    await follows('agent-read', /answer\][^]*state: 'done'[^]*fps: 25/)
    await follows('agent-set', /answer\][^]*state: 'done'[^]*fps: 10/)
    await follows('agent-flow', /answer\][^]*state: 'done'[^]*light: true/)
    await follows('agent-reset', /answer\][^]*state: 'refused'[^]*code: 'NOT_ALLOWED'/)
  })
})
