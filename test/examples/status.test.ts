import { useExample } from '../support/example'

describe('the example status', () => {
  const example = useExample('status', [8083])

  it('watches the state of a device', async () => {
    const { answers, press, prints } = example()
    await answers('status-ask-camera', /fps: 2\d/)
    await answers('status-ask-device', /true/)
    await answers('status-ask-firmware', /v\d+\.\d+\.\d+/)
    // Reported once, at the next read after the change.
    await press('status-stale')
    await prints(/stale/)
    await press('status-fresh')
    await prints(/stale[^]*running/)
    await prints(/\s2\d\.\d\n/)
  })
})
