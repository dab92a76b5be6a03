import { useExample } from '../support/example'

describe('the example plc-trigger', () => {
  const example = useExample('plc-trigger', [8138, 1538])

  it('gives the PLC a pose for each trigger, or the code of what went wrong', async () => {
    const { answers, follows, press } = example()
    await answers('handshake-press', /code: 0,\s+done: true[^]*pose: \[/)
    await press('handshake-out')
    // A connection that breaks during a call leaves its outcome unknown.
    await follows('handshake-press', /code: 20[13],\s+done: false/)
    await press('handshake-in')
    await answers('handshake-press', /code: 0,\s+done: true[^]*pose: \[/)
  })
})
