import type { Hand } from '../cell/hand'
import { armTruth } from './arm-truth'
import type { Arm } from './control/arm'

/** An arm as the scene knows it. */
export const handOf = (arm: Arm): Hand => ({
  flange: () => arm.flange(),
  flangeAt: (seconds) => arm.flangeAt(seconds),
  start: arm.flange(),
  truth: () => armTruth(arm),
})
