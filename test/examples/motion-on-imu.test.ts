import { useExample } from '../support/example'

describe('the example motion-on-imu', () => {
  const example = useExample('motion-on-imu', [8092])

  it('reports when the device starts and stops moving', async () => {
    const { prints } = example()
    await prints(/motion\]\s+moving[^]*motion\]\s+standing still[^]*motion\]\s+moving/)
  })
})
