export { findGrid, gridSteps, type GridMiss } from './find-grid'
export type { PoseUncertainty } from './grid-pose'
export type { GridSearchOptions, SeenGrid } from './find-grid'
export {
  cornersOf,
  gridPattern,
  isSymmetric,
  patternMistake,
  type GridPattern,
  type PatternMistake,
} from './pattern'
