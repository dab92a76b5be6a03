import { useExample } from '../support/example'

describe('the example quality-gate', () => {
  const example = useExample('quality-gate', [8122, 1522])
  const verdict = (number: number, score = '') =>
    new RegExp(`code: 0,\\s+done: true[^]*property: ${number}\\b[^]*score: ${score}`)

  it('gives the PLC its verdict on each part', async () => {
    const { answers, press } = example()
    await answers('gate-part', verdict(1, '0\\.[89]'))
    await press('gate-tilted')
    await answers('gate-part', verdict(4, '0\\.7'))
    await press('gate-far')
    await answers('gate-part', verdict(2, '0\\b'))
    await press('gate-none')
    await answers('gate-part', verdict(3, '0\\b'))
    await press('gate-good-parts')
    await answers('gate-part', verdict(1, '0\\.[89]'))
  })
})
