import { useExample } from '../support/example'

describe('the example system', () => {
  const example = useExample('system', [8085])

  it('reads and sets, restarts and waits, and refuses what is not confirmed', async () => {
    const { answers, press, prints } = example()
    await answers('system-ask-network', /ip_address/)
    await answers('system-ask-time', /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/)
    await answers('system-ask-servers', /ntp\.plant\.example/)
    await answers('system-unsafe', /not confirmed/)
    await press('system-go')
    await prints(/phase: 'asked'/)
    await prints(/phase: 'ready'/, 20_000)
  })
})
