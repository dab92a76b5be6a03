/** Plots for people: coverage and residuals of a calibration, cycle times, signals. In: numbers. Out: SVG text. */
export { boundsPlot, type BoundedResult, type PlotOptions, type PlotTheme } from './canvas'
export {
  coveragePlot,
  type CoveragePoses,
  residualPlot,
  type PoseResidual,
  type ResidualOptions,
} from './calibration'
export { cycleTimesPlot, type CycleTimes, timeLinePlot, type TimeLine, type TimeLineOptions } from './cell'
