import type { ParameterValue } from '../parameter'
import { qualities, type Quality } from './stereo-matching.parameters'

type Values = Readonly<Record<string, ParameterValue>>

/** Our choice: the share of its time limit that the automatic exposure needs. */
const adaptShare = 0.5
/** Our choice: the share of the computation saved by the smallest search range. */
const rangeShare = 0.2
const smallestMindepth = 0.1

/** Time to compute one depth image, seconds. A larger `mindepth` searches fewer disparities. */
export function computing(parameters: Values): number {
  const { seconds } = qualities[parameters.quality as Quality]
  const saved = rangeShare * (1 - smallestMindepth / Number(parameters.mindepth))
  return seconds * (1 - saved) * (parameters.double_shot === true ? 2 : 1)
}

/** Time to collect the images of one depth image, seconds: averaging needs 8 frames, only in High and Full. */
function gathering(parameters: Values, cameraFps: number): number {
  const averages = parameters.quality === 'High' || parameters.quality === 'Full'
  return parameters.static_scene === true && averages ? Math.max(8 / cameraFps, 0.32) : 0
}

/** Shortest time between two depth images, seconds: at least one frame of the camera. */
export const depthPeriod = (parameters: Values, cameraFps: number): number =>
  Math.max(computing(parameters) + gathering(parameters, cameraFps), 1 / cameraFps)

/** Time from a trigger until all pictures of the depth image are taken, seconds. */
export function takingTime(parameters: Values, cameraFps: number, automaticExposure: boolean): number {
  const settling = automaticExposure ? adaptShare * Number(parameters.exposure_adapt_timeout) : 0
  // With output 1, the image without projection is taken one frame after the one with projection.
  const secondImage = parameters.acquisition_mode === 'SingleFrameOut1' ? 1 / cameraFps : 0
  return settling + secondImage + Math.max(gathering(parameters, cameraFps), 1 / cameraFps)
}

/** Time from a trigger to the depth image, seconds. */
export function triggeredPeriod(parameters: Values, cameraFps: number, automaticExposure: boolean): number {
  const settling = automaticExposure ? adaptShare * Number(parameters.exposure_adapt_timeout) : 0
  // With output 1, the image without projection is taken one frame after the one with projection.
  const secondImage = parameters.acquisition_mode === 'SingleFrameOut1' ? 1 / cameraFps : 0
  return settling + secondImage + depthPeriod(parameters, cameraFps)
}
