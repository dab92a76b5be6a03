import 'should'
import { betaShare, fQuantile } from '../../lib/robotics/hand-eye/likelihood'

describe('quantiles of the F distribution', () => {
  for (const [above, below, expected] of [
    [1, 4, 7.708647],
    [3, 10, 3.708265],
    [6, 18, 2.661305],
    [6, 36, 2.363751],
    [3, 1e6, 7.814728 / 3],
  ] as const)
    it(`match the tables for ${above} and ${below} degrees of freedom`, () => {
      fQuantile(0.95, above, below).should.be.approximately(expected, 2e-5)
    })

  it('leave the given share below them', () => {
    for (const share of [0.05, 0.5, 0.95, 0.99])
      for (const [above, below] of [
        [2.3, 5.7],
        [0.8, 41],
        [12, 3.2],
      ] as const) {
        const x = (above * fQuantile(share, above, below)) / below
        betaShare(x / (1 + x), above / 2, below / 2).should.be.approximately(share, 1e-9)
      }
  })
})
