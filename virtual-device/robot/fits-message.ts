import type { Pose } from '../../lib/robotics/pose'
import { interfaceCodes, readAnswer, writeAnswer } from '../../lib/robot-interface'

/** Whether an answer can carry a pose: up to 2147.483647 mm. */
export function fitsMessage(pose: Pose, poseFormat: number): boolean {
  const answer = readAnswer(writeAnswer({ poseFormat, action: 1, jobId: 0 }, { pose }))
  return typeof answer === 'object' && answer.code === interfaceCodes.NO_ERROR
}
