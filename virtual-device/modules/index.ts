import type { Variant } from '../../lib/contract'
import type { ModuleFactory } from '../module'
import { aprilTagDetect, qrCodeDetect } from './tag-detect'
import { boxpick } from './boxpick'
import { cadMatch } from './cadmatch'
import { cameraOf } from './camera'
import { collisionChecking } from './collision-check'
import { dynamics } from './dynamics'
import { gripperDb } from '../records/gripper'
import { handEyeCalibration } from './hand-eye-calibration'
import { ioControl } from './io-control'
import { itempick } from './itempick'
import { loadCarrier } from './load-carrier'
import { loadCarrierDb, roiDb } from '../records/records'
import { measure } from './measure'
import { silhouetteMatch } from './silhouettematch'
import { slam } from './slam'
import { stereoCalib, stereoIns, stereoVisodo } from './stereo-navigation'
import { stereoMatching } from './stereo-matching'
import { structuredLight, timeOfFlight } from './time-of-flight'

const databases = [roiDb, loadCarrierDb, gripperDb]
const everywhere = [stereoCalib, handEyeCalibration, ioControl]
const detection = [
  measure,
  loadCarrier,
  collisionChecking,
  aprilTagDetect,
  qrCodeDetect,
  itempick,
  boxpick,
  silhouetteMatch,
]
const navigation = [dynamics, stereoIns, stereoVisodo, slam]
/** By kind of sensor, for those without stereo matching. */
const depthNodes: Readonly<Record<string, ModuleFactory>> = {
  time_of_flight: timeOfFlight,
  structured_light: structuredLight,
}

/**
 * The modules of a device: the global ones and those of a pipeline.
 * @param kind of the pipeline's sensor; the single variant has a stereo camera, whatever is configured
 */
export function modulesOf(
  variant: Variant,
  kind = 'stereo_a',
): { global: ModuleFactory[]; pipeline: ModuleFactory[] } {
  const sensor = variant === 'single' ? 'stereo_a' : kind
  const common = [cameraOf(sensor), depthNodes[sensor] ?? stereoMatching, ...everywhere, ...detection]
  const more = variant === 'single' ? navigation : sensor === 'time_of_flight' ? [] : [cadMatch]
  return { global: databases, pipeline: [...common, ...more] }
}
