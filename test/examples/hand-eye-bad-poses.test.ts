import { useExample } from '../support/example'

describe('the example hand-eye-bad-poses', () => {
  const example = useExample('hand-eye-bad-poses', [8104])

  it("shows the node's messages about bad sets", async () => {
    const { answers, press, prints } = example()
    await answers('bad-missing', /Pose 2 of the list cannot be used\..*6 numbers are needed .*but 5 were found/)
    await answers('bad-axis', /Ready for the first pose/)
    await prints(/Not calibrated: these poses are not sufficient\. All poses turn about one axis, nearly the Z axis/)
    await press('bad-alike')
    await prints(/Not calibrated: these poses are not sufficient\. The poses turn by/)
    await press('bad-twice')
    await prints(/Poses 3 and 5 are nearly the same and count as one/)
    await press('bad-unit')
    await prints(/These are probably metres: choose m as the unit/)
    await press('bad-far')
    await prints(/Pose 2 of the list cannot be used\..*62 m/)
  })
})
