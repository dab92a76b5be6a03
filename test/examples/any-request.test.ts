import { useExample } from '../support/example'

describe('the example any-request', () => {
  const example = useExample('any-request', [8105])

  it('reads, sends a file and reads it back, and executes nothing far-reaching unasked', async () => {
    const { answers } = example()
    await answers('request-log', /component/)
    await answers('request-palm', /id: 'palm'/)
    await answers('request-back', /<Buffer 70 6c 79/)
    await answers('request-ask', /utc: '\d{4}-/)
    await answers('request-restart', /was not executed, .*was not confirmed/)
  })
})
