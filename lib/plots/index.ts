export type { PlotOptions, PlotTheme } from './canvas'
export { coveragePlot, type CoveragePoses } from './coverage'
export { residualPlot, type PoseResidual, type ResidualOptions } from './residuals'
