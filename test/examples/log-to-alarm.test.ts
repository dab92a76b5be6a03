import 'should'
import { useExample } from '../support/example'

describe('the example log-to-alarm', () => {
  const example = useExample('log-to-alarm', [8125], (nodes) => {
    for (const node of nodes) {
      if (node.type === 'vision-log-watch') node.seconds = 2
      if (node.type === 'trigger') node.duration = '3'
    }
    return nodes
  })

  it('lists a few errors and counts the others; the lamp is on while there are any', async () => {
    const { follows, output } = example()
    await follows('alarm-trouble', /lamp\]\s+'?on\b[^]*alarm list\].*ERROR[^]*not listed\].*held back/, 20_000)
    // The next period may have begun before the first one is summed up.
    const [before = ''] = output().split('not listed]')
    before.match(/alarm list\]/g)?.length.should.be.within(3, 6)
    output().should.not.match(/alarm list\].* (DEBUG|INFO|WARN) /)
    await follows('alarm-quiet', /lamp\]\s+'?off\b/, 20_000)
  })
})
