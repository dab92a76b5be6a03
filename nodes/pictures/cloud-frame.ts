import type { Box } from '../../lib/images/cloud/box'
import { composed, inverted, type Pose } from '../../lib/robotics/pose'
import type { Connection } from '../device/connection'
import { HandEyeDevice } from '../hand-eye-calibration/device'
import type { FieldValues } from '../shared/read-fields'
import type { PictureFields } from './picture-fields'
import { readDevicePose, readLoadCarrier, readRegion } from './read-records'
import { sentencesOf } from '../sentences'

const { invalidInput, nodeError } = sentencesOf('pictures')

/** The frame of a cloud and what is kept of it. */
export interface CloudFrame {
  /** The pose of the camera in the frame. @default the camera's own frame */
  camera?: Pose
  region?: Box
}

export interface CloudFrameQuery {
  fields: Pick<PictureFields, 'cloudFrame'>
  read: FieldValues<'robotPose' | 'loadCarrier' | 'cloudRegion'>['read']
  device: Connection
  pipeline: string
  signal: AbortSignal
}

/**
 * Finds the frame of a cloud: for the robot's, by the hand-eye calibration that is saved on the device.
 * @throws INVALID_INPUT naming the field; NOT_FOUND if there is no calibration; errors of the call
 */
export async function cloudFrame(query: CloudFrameQuery): Promise<CloudFrame> {
  const { fields, read } = query
  const given = read('cloudRegion')
  const hasRegion = given !== undefined && given !== null && given !== ''
  const regionIn = (frame?: 'camera' | 'external') =>
    hasRegion ? { region: readRegion('cloudRegion', given, frame) } : {}

  if (fields.cloudFrame === 'camera') return regionIn('camera')
  if (fields.cloudFrame === 'robot') {
    const region = regionIn('external')
    return { camera: await cameraInRobot(query), ...region }
  }
  const { pose, isExternal, inside } = readLoadCarrier('loadCarrier', read('loadCarrier'))
  const region = { region: inside, ...regionIn() }
  const inCamera = isExternal ? composed(inverted(await cameraInRobot(query)), pose) : pose
  return { camera: inverted(inCamera), ...region }
}

async function cameraInRobot({ read, device, pipeline, signal }: CloudFrameQuery): Promise<Pose> {
  const asked = { pipeline, node: 'dev_hand_eye_calibration', signal }
  const saved = await new HandEyeDevice(device, asked, device.deadline).savedCalibration()
  if (!saved.success) throw nodeError('NOT_FOUND', 'no-hand-eye', { device: device.client.name, pipeline })
  if (!saved.robot_mounted) return saved.pose
  const given = read('robotPose')
  if (given === undefined || given === null || given === '')
    throw invalidInput('robot-pose-needed', { field: 'robotPose' })
  return composed(readDevicePose('robotPose', given), saved.pose)
}
