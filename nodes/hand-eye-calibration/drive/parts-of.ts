import { join } from 'node:path'
import type { Node, NodeAPI } from 'node-red'
import { pictureNow } from '../../../lib/images'
import { gridPattern } from '../../../lib/images/grid'
import type { Connection } from '../../device/connection'
import { imagePlace } from '../../device/image-place'
import type { DeployedRobot } from '../../robot-motion/deployed-robot'
import { detailOf, spoken } from '../../shared/node-error'
import type { HandEyeCalibrationFields } from '../fields'
import type { Setup } from '../session'
import type { Driving } from './driving'
import { DriveJournal } from './journal'
import type { DriveParts } from './parts'
import { driveSettings, planCamera } from './settings'
import { detectedTags, statedCamera } from './tag-device'
import { sentencesOf } from '../../sentences'

const { invalidInput: invalidRobot } = sentencesOf('robot-motion')
const { invalidInput } = sentencesOf('hand-eye-calibration')

/** The journal of a node. */
export function journalOf(RED: NodeAPI, node: Node): DriveJournal {
  const { userDir } = RED.settings as { userDir?: string }
  return new DriveJournal(join(userDir ?? '.', 'vision-hand-eye'), node.id, (damage) =>
    node.warn(damage.inLanguage(spoken())),
  )
}

/** What a node brings for a robot that drives itself. */
export interface DrivingNode {
  fields: HandEyeCalibrationFields
  setup: Setup
  driving: Driving
  journal: DriveJournal
  deployed: DeployedRobot | undefined
  device: Connection
  pipeline: string
  /** Aborted when the node closes. */
  signal: AbortSignal
}

/** @throws INVALID_INPUT naming a setting */
export function drivePartsOf(node: DrivingNode): DriveParts {
  const { fields, setup, driving, journal, deployed, device, pipeline, signal } = node
  if (fields.drive === 'robot' && !deployed) throw invalidRobot('robot-missing')
  const settings = settingsOf(fields, setup, deployed)
  const ofDevice = { device, pipeline: pipeline || '0', deadline: setup.deadline }
  const take = async (stopped: AbortSignal) =>
    pictureNow({
      ...(await imagePlace(device, ofDevice.pipeline)),
      longestSilence: setup.deadline,
      signal: stopped,
    })
  return {
    ...{ driving, journal, deployed, closing: signal, settings, take },
    camera: async (stopped) =>
      settings.sightings === 'picture' ? planCamera(await take(stopped)) : statedCamera(ofDevice, stopped),
    detect: (stopped) => detectedTags(ofDevice, settings, stopped),
  }
}

function settingsOf(fields: HandEyeCalibrationFields, setup: Setup, deployed: DeployedRobot | undefined) {
  try {
    return driveSettings(fields, setup, deployed?.settings.limits, gridPattern)
  } catch (error) {
    if (error instanceof RangeError) throw invalidInput('drive-bad-plan', { problem: detailOf(error) })
    throw error
  }
}
