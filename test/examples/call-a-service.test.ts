import { useExample } from '../support/example'

describe('the example call-a-service', () => {
  const example = useExample('call-a-service', [8082])

  it('calls services', async () => {
    const { answers, press } = example()
    await answers('service-go', /refused acquisition_trigger.*-8/)
    await press('service-single')
    await answers('service-go', /value: 0/)
    await answers('service-nameless', /why\].*(refused|refused an argument)/)
    await answers('service-store', /value: (0|11)\b/)
    await answers('service-list', /bin_1/)
  })
})
