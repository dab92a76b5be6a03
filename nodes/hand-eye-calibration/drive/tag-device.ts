import type { DetectedTag } from '../../../lib/calibration'
import type { PlanCamera } from '../../../lib/robotics'
import type { Connection } from '../../device/connection'
import { inPipeline } from '../../device/known-nodes'
import { isPose } from '../device'
import type { DriveSettings } from './settings'
import { sentencesOf } from '../../sentences'

const { nodeError } = sentencesOf('hand-eye-calibration')

/** Names on a device; one of another brand has the same with its own prefix. */
const modules = { april: 'dev_april_tag_detect', qr: 'dev_qr_code_detect' } as const
const cameraNode = 'dev_camera'

/** What is needed of a device whose tag module sees for us. */
export interface TagDevice {
  device: Connection
  pipeline: string
  /** Milliseconds. */
  deadline: number
}

/** Has the tag module look for the tag. @throws VisionError FORBIDDEN without its licence, and what else a call may end with */
export async function detectedTags(
  { device, pipeline, deadline }: TagDevice,
  { sightings, tag }: Pick<DriveSettings, 'sightings' | 'tag'>,
  signal: AbortSignal,
): Promise<DetectedTag[]> {
  const node = sightings === 'qr' ? modules.qr : modules.april
  const { response } = await device.onNode({ pipeline, node, signal }, (target) =>
    device.client.callService(
      {
        ...inPipeline(target),
        service: 'detect',
        args: { tags: [{ id: tag }], pose_frame: 'camera' },
      },
      { signal, deadline },
    ),
  )
  const { tags } = response as { tags?: unknown }
  return (Array.isArray(tags) ? (tags as unknown[]) : []).filter(isTag)
}

const isTag = (value: unknown): value is DetectedTag =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { id?: unknown }).id === 'string' &&
  isPose((value as { pose?: unknown }).pose)

/** The camera of the rectified pictures, by its status values. @throws INTERNAL if the device does not state them */
export async function statedCamera(
  { device, pipeline, deadline }: TagDevice,
  signal: AbortSignal,
): Promise<PlanCamera> {
  const { values } = await device.onNode({ pipeline, node: cameraNode, signal }, (target) =>
    device.client.getNodeStatus(inPipeline(target), { signal, deadline }),
  )
  // Devices send an empty list in place of no values.
  const stated = Array.isArray(values) ? {} : values
  const [width = 0, height = 0, focal = 0] = ['width', 'height', 'focal'].map((name) => Number(stated[name]))
  if (!(width > 0 && height > 0 && focal > 0)) throw nodeError('BAD_REPLY', 'drive-no-camera')
  // The focal length is stated for a picture that is one wide.
  return { width, height, focalLength: focal * width }
}
