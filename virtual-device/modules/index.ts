import type { Variant } from '../../lib/contract'
import type { ModuleFactory } from '../module'
import { camera } from './camera'
import { dynamics } from './dynamics'
import { gripperDb } from './gripper-db'
import { handEyeCalibration } from './hand-eye-calibration'
import { ioControl } from './io-control'
import { loadCarrierDb } from './load-carrier-db'
import { roiDb } from './roi-db'
import { slam } from './slam'
import { stereoCalib } from './stereo-calib'
import { stereoIns } from './stereo-ins'
import { stereoMatching } from './stereo-matching'
import { stereoVisodo } from './stereo-visodo'

const databases = [roiDb, loadCarrierDb, gripperDb]
const everywhere = [camera, stereoMatching, stereoCalib, handEyeCalibration, ioControl]
const navigation = [dynamics, stereoIns, stereoVisodo, slam]

/** The modules of a device: those that exist once, and those that each pipeline has. */
export function modulesOf(variant: Variant): { global: ModuleFactory[]; pipeline: ModuleFactory[] } {
  return { global: databases, pipeline: variant === 'single' ? [...everywhere, ...navigation] : everywhere }
}
