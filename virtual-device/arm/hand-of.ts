import type { Hand } from '../cell/cell'
import { armTruth } from './arm-truth'
import type { Arm } from './control/arm'
import { linkPoses } from './kinematics/forward'

/** An arm as the scene knows it. */
export const handOf = (arm: Arm): Hand => ({
  flange: () => arm.flange(),
  flangeAt: (seconds) => arm.flangeAt(seconds),
  start: arm.flange(),
  links: () => {
    arm.advance()
    const { drive, model } = arm.controller
    return linkPoses(model, drive.joints)
  },
  truth: () => armTruth(arm),
})
