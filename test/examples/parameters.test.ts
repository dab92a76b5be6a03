import { useExample } from '../support/example'

describe('the example parameters', () => {
  const example = useExample('parameters', [8081])

  it('reads and writes parameters', async () => {
    const { answers } = example()
    await answers('parameters-get-one', /\b25\b/)
    await answers('parameters-get-several', /exp_auto: true/)
    await answers('parameters-get-all', /acquisition_mode: 'Continuous'/)
    await answers('parameters-get-record', /Low, Medium, High, Full/)
    await answers('parameters-set-ten', /\b10\b/)
    await answers('parameters-set-full', /Full/)
    await answers('parameters-set-exposure', /exp_auto: false, exp_value: 0.004/)
    await answers('parameters-set-wrong', /fps cannot be 99/)
  })
})
