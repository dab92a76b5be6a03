import should from 'should'
import { useExample } from '../support/example'

describe('the example depth-at-a-point', () => {
  const example = useExample('depth-at-a-point', [8153, 8154])

  it('tells the depth in the middle of the picture in millimetres', async () => {
    // At one of thirty pixels nothing is measured.
    await example().prints(/millimetres: [1-9]\d*\s/)
    const [, millimetres] = /millimetres: ([1-9]\d*)/.exec(example().output()) ?? []
    // The bin of the simulated cell is 1.1 m away, with parts in it.
    should(Number(millimetres)).be.within(800, 1400)
    example().output().should.match(/column: \d+/)
  })
})
