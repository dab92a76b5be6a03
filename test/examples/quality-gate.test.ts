import { useExample } from '../support/example'

describe('the example quality-gate', () => {
  const example = useExample('quality-gate', [8122])

  it('accepts good parts, and says why it rejects the others', async () => {
    const { answers, press } = example()
    await answers('gate-part', /accepted, quality\]\s+0\.[89]/)
    await press('gate-tilted')
    await answers('gate-part', /rejected\]\s+the quality of the best grasp is only 0\.7\d/)
    await press('gate-far')
    await answers('gate-part', /rejected\]\s+only \d\d % of the image has depth values/)
    await press('gate-none')
    await answers('gate-part', /rejected\]\s+nothing to grasp/)
    await press('gate-good')
    await answers('gate-part', /accepted, quality\]\s+0\.[89]/)
  })
})
