import type { Variant } from '../../lib/contract'
import type { ModuleFactory } from '../module'
import { camera } from './camera'
import { dynamics } from './dynamics'
import { gripperDb } from './gripper-db'
import { handEyeCalibration } from './hand-eye-calibration'
import { loadCarrierDb } from './load-carrier-db'
import { roiDb } from './roi-db'
import { stereoCalib } from './stereo-calib'
import { stereoIns } from './stereo-ins'
import { stereoMatching } from './stereo-matching'

const databases = [roiDb, loadCarrierDb, gripperDb]
const everywhere = [camera, stereoMatching, stereoCalib, handEyeCalibration]
const navigation = [dynamics, stereoIns]

/** The modules of a device: those that exist once, and those that each pipeline has. */
export function modulesOf(variant: Variant): { global: ModuleFactory[]; pipeline: ModuleFactory[] } {
  return { global: databases, pipeline: variant === 'single' ? [...everywhere, ...navigation] : everywhere }
}
