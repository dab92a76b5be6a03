import type { Variant } from '../../lib/contract'
import type { ModuleFactory } from '../module'
import { cameraOf } from './camera'
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
import { structuredLight } from './structured-light'
import { timeOfFlight } from './time-of-flight'

const databases = [roiDb, loadCarrierDb, gripperDb]
const everywhere = [stereoCalib, handEyeCalibration, ioControl]
const navigation = [dynamics, stereoIns, stereoVisodo, slam]
/** By kind of sensor, where it is not depth from stereo images. */
const depthNodes: Readonly<Record<string, ModuleFactory>> = {
  time_of_flight: timeOfFlight,
  structured_light: structuredLight,
}

/**
 * The modules of a device: those that exist once, and those that a pipeline has.
 * @param kind of the pipeline's sensor; the single variant has a pair of cameras whatever is configured
 */
export function modulesOf(
  variant: Variant,
  kind = 'stereo_a',
): { global: ModuleFactory[]; pipeline: ModuleFactory[] } {
  const sensor = variant === 'single' ? 'stereo_a' : kind
  const common = [cameraOf(sensor), depthNodes[sensor] ?? stereoMatching, ...everywhere]
  return { global: databases, pipeline: variant === 'single' ? [...common, ...navigation] : common }
}
