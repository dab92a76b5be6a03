import type { Scene } from '../detection/scene'
import type { Module } from '../module'
import type { Scenario } from '../scenario'
import type { CellSnapshot } from './cell'

/** What stands before the camera of a pipeline, in its frame. */
export interface Sight {
  /** The scene of the detection modules. */
  scene: () => Scene
  /** The calibration grid, as seen from the last reported pose. */
  grid: () => CellSnapshot
  /** Whether poses are being recorded: the grid is then in front of the camera. */
  calibrating: boolean
  /** Standard deviation of a measured depth, metres. */
  noise: number
}

/** The module that knows both scene and grid. */
export type SeeingModule = Module & { sight: () => Sight }

/** @param handEye the hand-eye calibration of a pipeline */
export const sightOf = (handEye: Module | undefined): Sight | undefined =>
  (handEye as SeeingModule | undefined)?.sight()

/** Whether the grid is in front of the camera in place of the scene. */
export const seesGrid = ({ image_view }: Scenario, sight: Sight | undefined): boolean =>
  image_view === 'grid' || (image_view === 'auto' && sight?.calibrating === true)
