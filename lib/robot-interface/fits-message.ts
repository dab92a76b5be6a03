import type { Pose } from '../robotics/pose'
import { readAnswer, writeAnswer } from './answer'
import { interfaceCodes } from './error-codes'

/** Whether an answer can carry a pose: up to 2147.483647 mm. */
export function fitsMessage(pose: Pose, poseFormat: number): boolean {
  const answer = readAnswer(writeAnswer({ poseFormat, action: 1, jobId: 0 }, { pose }))
  return typeof answer === 'object' && answer.code === interfaceCodes.NO_ERROR
}
