import { createRequire } from 'node:module'
import { durationSteps, signalNames } from '../../lib/plc/handshake/figures'
import type * as Plots from '../../lib/plots'
import type { DeployedHandshake } from '../plc/deployed-handshake'
import { timesOf } from '../plc/handshake-of'
import { loadOverlay } from '../shared/load-later'
import { spoken } from '../shared/node-error'

const load = createRequire(__filename)

/** Plots of a handshake as addresses of images. */
export interface PanelPlots {
  cycleTimes: string
  timeLine: string
}

/** How long the cycles took, and the signals of the last seconds. */
export function plotsOf({ cell }: DeployedHandshake, theme: 'light' | 'dark'): PanelPlots {
  const { cycleTimesPlot, timeLinePlot } = load('../../lib/plots') as typeof Plots
  const { svgDataUrl } = loadOverlay()
  const { cycles } = timesOf(cell)
  const language = spoken() ?? 'en-US'
  const times = { steps: durationSteps, bars: cycles?.bars ?? [], median: cycles?.p50, longest: cycles?.most }
  const lines = cell?.figures.signals.lines
  const shown = signalNames.map((name) => ({ name, changes: lines?.[name] ?? [] }))
  return {
    cycleTimes: svgDataUrl(cycleTimesPlot(times, { theme, language })),
    timeLine: svgDataUrl(timeLinePlot(shown, { theme, language, now: performance.now() })),
  }
}
