import { useExample } from '../support/example'

describe('the example motion-on-imu', () => {
  const example = useExample('motion-on-imu', [8092])

  it('tells when the device begins and ends to move', async () => {
    const { prints } = example()
    await prints(/motion\]\s+moving[^]*motion\]\s+standing still[^]*motion\]\s+moving/)
  })
})
