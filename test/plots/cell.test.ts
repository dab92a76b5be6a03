import should from 'should'
import { plots } from '../../lib'
import { durationSteps } from '../../lib/plc/handshake/figures'

const { boundsPlot, cycleTimesPlot, timeLinePlot } = plots

/** `bars` with so many cycles up to some of the steps. */
const barsOf = (counts: Readonly<Record<number, number>>) => [
  ...durationSteps.map((step) => counts[step] ?? 0),
  counts[Infinity] ?? 0,
]
const rectangles = (svg: string) =>
  [
    ...svg.matchAll(/<rect x="([-\d.]+)" y="([-\d.]+)" width="([-\d.]+)" height="([-\d.]+)" fill="(#\w+)"/g),
  ].map(([, x, y, width, height, fill]) => ({
    ...{ x: Number(x), y: Number(y), width: Number(width), height: Number(height) },
    fill,
  }))

describe('the histogram of cycle times', () => {
  const times = {
    steps: durationSteps,
    bars: barsOf({ 200: 10, 500: 40, 1000: 20, [Infinity]: 1 }),
    median: 412.4,
    longest: 7012,
  }

  it('has bars as high as their cycles are many, those above all steps in red', () => {
    const bars = rectangles(cycleTimesPlot(times))
    should(bars.length).equal(4)
    should((bars[1]?.height ?? 0) / (bars[0]?.height ?? 1)).be.approximately(4, 0.05)
    should((bars[1]?.height ?? 0) / (bars[2]?.height ?? 1)).be.approximately(2, 0.05)
    should(new Set(bars.map(({ fill }) => fill)).size).equal(2)
  })

  it('tells median and longest in the words and numbers of the language', () => {
    cycleTimesPlot(times).should.containEql('median 412 ms').and.containEql('longest 7,012 ms')
    cycleTimesPlot(times, { language: 'de' }).should.containEql('längster 7.012 ms')
    cycleTimesPlot({ steps: durationSteps, bars: barsOf({}) }).should.containEql('No cycle yet.')
  })
})

describe('the time line of a handshake', () => {
  const now = 100_000
  const lines: plots.TimeLine[] = [
    {
      name: 'trigger',
      changes: [
        { at: 95_000, on: true },
        { at: 96_000, on: false },
      ],
    },
    {
      name: 'ready',
      changes: [
        { at: 95_010, on: false },
        { at: 96_100, on: true },
      ],
    },
    {
      name: 'busy',
      changes: [
        { at: 95_010, on: true },
        { at: 95_422, on: false },
      ],
    },
    {
      name: 'done',
      changes: [
        { at: 95_422, on: true },
        { at: 96_050, on: false },
      ],
    },
    { name: 'error', changes: [] },
  ]
  const svg = timeLinePlot(lines, { now })

  it('has a bar for each time that a signal was on, at its place in time', () => {
    const bars = rectangles(svg)
    // Ready was on before it first changed, and is on now.
    should(bars.length).equal(5)
    const scale = (392 - 84) / 10_000
    const [trigger, before, after, busy, done] = bars
    should(trigger?.x).be.approximately(84 + 5000 * scale, 0.1)
    should(trigger?.width).be.approximately(1000 * scale, 0.1)
    should(before?.x).equal(84)
    should((after?.x ?? 0) + (after?.width ?? 0)).be.approximately(392, 0.1)
    should(busy?.width).be.approximately(412 * scale, 0.1)
    should(done?.x).be.approximately((busy?.x ?? 0) + (busy?.width ?? 0), 0.2)
  })

  it('writes how long each was on the last time', () => {
    svg.should.containEql('>412 ms<').and.containEql('>628 ms<').and.containEql('>1 s<')
    timeLinePlot(lines, { now, language: 'de' }).should.containEql('>Fehler<').and.containEql('>jetzt<')
  })

  it('shows nothing of what was before its time', () => {
    should(rectangles(timeLinePlot(lines.slice(0, 1), { now: now + 60_000 }))).be.empty()
  })
})

describe('the plot of results with bounds', () => {
  const good = { name: 'Position', unit: 'mm', value: 0.4, bound: 0.7, limit: 1 }

  it('is red where the bound exceeds the limit, although the value does not', () => {
    const [fine] = rectangles(boundsPlot([good]))
    const [bad] = rectangles(boundsPlot([{ ...good, bound: 1.2 }]))
    should(fine?.fill).not.equal(bad?.fill)
    boundsPlot([good]).should.containEql('95 %: at most 0.7 mm').and.containEql('limit 1 mm')
    boundsPlot([good], { language: 'de' }).should.containEql('Grenze 1 mm').and.containEql('0,4 mm')
  })
})

describe('the plots of a cell', () => {
  const odd = [NaN, Infinity, -Infinity, 1e300, -5]
  const all: ((options: plots.PlotOptions, value?: number) => string)[] = [
    (options, value = 300) =>
      cycleTimesPlot(
        { steps: durationSteps, bars: barsOf({ 500: value }), median: value, longest: value },
        options,
      ),
    (options, value = 95) =>
      timeLinePlot([{ name: 'busy', changes: [{ at: value, on: true }] }], {
        ...options,
        now: 100,
        window: 10,
      }),
    (options, value = 0.5) =>
      boundsPlot([{ name: 'a', unit: 'mm', value, bound: value, limit: value }], options),
  ]

  it('are readable at their 400 pixels, in light and dark', () => {
    for (const plot of all) {
      plot({ theme: 'light' }).should.not.equal(plot({ theme: 'dark' }))
      for (const theme of ['light', 'dark'] as const) {
        const svg = plot({ theme })
        svg.should.startWith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 ')
        svg.should.not.match(/NaN|undefined|Infinity|<script|href/)
        for (const [, size] of svg.matchAll(/font-size="(\d+)"/g)) Number(size).should.be.aboveOrEqual(11)
      }
    }
  })

  it('tolerate numbers that are none', () => {
    for (const plot of all)
      for (const value of odd)
        plot({}, value)
          .should.startWith('<svg')
          .and.not.match(/NaN|undefined|Infinity/)
  })
})
