import should from 'should'
import { plots, robotics } from '../../lib'
import { seenFromFirst } from '../../lib/plots/calibration'

const { coveragePlot, residualPlot } = plots
const turned = (x: number, y: number, z: number) =>
  robotics.ofRotationVector({
    x: robotics.radians(x),
    y: robotics.radians(y),
    z: robotics.radians(z),
  })
const pose = (x = 0, y = 0, z = 0, distance = 0): robotics.Pose => ({
  position: { x: 0.4, y: 0, z: 0.5 + distance },
  orientation: turned(x, y, z),
})
const recorded = [pose(), pose(20), pose(0, 30, 0, 0.1), pose(0, 0, 60)].map((each, index) => ({
  number: index + 1,
  pose: each,
}))

describe('the plot of coverage', () => {
  it('shows a pose as seen from the first: tilt, turn about the line of sight, distance', () => {
    const seen = (to: robotics.Pose) => seenFromFirst(pose(), to)
    should(seen(pose(0, 30)).tilt.x).be.approximately(30, 1e-6)
    should(seen(pose(20)).tilt.y).be.approximately(-20, 1e-6)
    should(seen(pose(0, 0, 60))).match({ tilt: { x: 0, y: 0 } })
    should(seen(pose(0, 0, 60)).turn).be.approximately(60, 1e-6)
    should(seen(pose(0, 0, -170)).turn).be.approximately(-170, 1e-6)
    should(seen(pose(0, 0, 0, 0.1)).distance).be.approximately(100, 1e-6)
  })

  it('has each pose in all three parts, and the words of the language', () => {
    const svg = coveragePlot({ recorded, unseen: [pose(40)], missing: [pose(-30), pose(0, -30)] })
    for (const number of [1, 2, 3, 4])
      should(svg.split(`>${number}</text>`).length - 1).equal(3, String(number))
    should(svg.match(/stroke-dasharray/g)?.length).equal(2 * 3 + 1)
    svg.should.containEql('recorded: 4').and.containEql('missing: 2')
    svg.should.containEql('grid not recognised: 1')
    coveragePlot({ recorded }, { language: 'de' }).should.containEql('aufgenommen: 4')
    coveragePlot({ recorded: [] }).should.containEql('No pose recorded yet.')
  })

  it('keeps every mark inside, however far a pose is', () => {
    const far = [pose(), pose(170), pose(0, 120), pose(0, 0, 179, 3), pose(0, 0, 0, -2)]
    const svg = coveragePlot({ recorded: far.map((each, index) => ({ number: index, pose: each })) })
    const places = [...svg.matchAll(/<circle cx="([-\d.]+)" cy="([-\d.]+)"/g)]
    places.length.should.be.above(10)
    for (const [, x, y] of places) {
      Number(x).should.be.within(8, 392)
      Number(y).should.be.within(8, 292)
    }
  })
})

describe('the plot of residuals', () => {
  const residuals = [0.0002, 0.0004, 0.0031, 0.0003].map((translation, index) => ({
    number: index + 1,
    translation,
    isBad: translation > 0.001,
  }))

  it('has a bar for each pose, as high as its residual, and names those that do not fit', () => {
    const svg = residualPlot(residuals, { limit: 0.001 })
    const heights = [...svg.matchAll(/<rect .*? height="([\d.]+)"/g)].map(([, height]) => Number(height))
    should(heights.length).equal(4)
    should((heights[1] ?? 0) / (heights[0] ?? 1)).be.approximately(2, 0.05)
    svg.should.containEql('does not fit: 3').and.containEql('limit 1 mm')
    residualPlot(residuals, { language: 'de' }).should.containEql('passt nicht: 3')
  })
})

describe('plots', () => {
  const both = [
    (theme: plots.PlotTheme) => coveragePlot({ recorded, unseen: [pose(9)], missing: [pose(5)] }, { theme }),
    (theme: plots.PlotTheme) => residualPlot([{ number: 1, translation: 0.001 }], { theme, limit: 0.001 }),
  ]

  it('are readable at their 400 pixels, in light and dark', () => {
    for (const plot of both) {
      plot('light').should.not.equal(plot('dark'))
      for (const theme of ['light', 'dark'] as const) {
        const svg = plot(theme)
        svg.should.startWith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 ')
        svg.should.not.match(/NaN|undefined|Infinity|<script|href/)
        for (const [, size] of svg.matchAll(/font-size="(\d+)"/g)) Number(size).should.be.aboveOrEqual(11)
      }
    }
  })

  it('tolerate numbers that are none', () => {
    const odd = { position: { x: NaN, y: 0, z: 0 }, orientation: { w: NaN, x: 0, y: 0, z: 0 } }
    coveragePlot({ recorded: [...recorded, { number: 9, pose: odd }] }).should.not.match(/NaN|Infinity/)
    residualPlot([
      { number: 1, translation: NaN },
      { number: 2, translation: Infinity },
    ]).should.not.match(/NaN|Infinity/)
    residualPlot([]).should.startWith('<svg')
  })
})
