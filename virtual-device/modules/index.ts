import type { Variant } from '../../lib/contract'
import type { ModuleFactory } from '../module'
import { camera } from './camera'
import { gripperDb } from './gripper-db'
import { loadCarrierDb } from './load-carrier-db'
import { roiDb } from './roi-db'
import { stereoMatching } from './stereo-matching'

/** The modules of a device: those that exist once, and those that each pipeline has. */
export function modulesOf(variant: Variant): { global: ModuleFactory[]; pipeline: ModuleFactory[] } {
  const navigation: ModuleFactory[] = []
  return {
    global: [roiDb, loadCarrierDb, gripperDb],
    pipeline: [camera, stereoMatching, ...(variant === 'single' ? navigation : [])],
  }
}
