import type { CellSettings } from './cell-settings'

/** Rows of squares on every calibration grid. */
const rows = 9

/** Squares of a calibration grid; the one at the top left is black. */
export const squaresOf = ({
  grid_width,
  grid_height,
}: Pick<CellSettings, 'grid_width' | 'grid_height'>): { rows: number; columns: number } => ({
  rows,
  columns: Math.max(1, Math.round((grid_width / grid_height) * rows)),
})
