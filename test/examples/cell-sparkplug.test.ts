import 'should'
import { useExampleAtBroker } from './at-broker'

describe('the example cell-sparkplug', function () {
  this.timeout(120_000)
  const example = useExampleAtBroker('cell-sparkplug', [8198])

  it('is born, and again when a host asks for it', async () => {
    const { follows } = example()
    await follows('spark-rebirth', /message\][^]*NBIRTH\/cell-1[^]*message\][^]*DBIRTH\/cell-1\/left/)
  })

  it('sets the parameter that it shows', () =>
    example().answers('spark-set', /message\][^]*DDATA\/cell-1\/left/))
})
