import { useExample } from '../support/example'

describe('the example robot-poses', () => {
  const example = useExample('robot-poses', [])

  it('converts, and says what is wrong with poses that cannot be', async () => {
    const { press, prints, answers } = example()
    await answers('poses-kuka', /position: \{ x: 0\.62, y: -0\.04, z: 0\.75 \}/)
    await answers('poses-device', /\{X 620, Y -40, Z 750, A 30, B 20, C 10\}|A 29\.99\d+|A 30\.00\d+/)
    await answers('poses-ur', /\[\[620,-40,750\],\[0\.98255\d+,0\.0497/)
    await answers('poses-many', /\[\s*620, -40, 750,/)
    await press('poses-millimetres')
    await prints(/probably millimetres: choose mm as the unit/)
    await press('poses-degrees')
    await prints(/180 rad long, more than a full turn/)
    await press('poses-range')
    await prints(/B is 120°, but KUKA uses -90° to 90°/)
  })
})
