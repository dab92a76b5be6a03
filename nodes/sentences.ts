import { join } from 'node:path'
import { sentencesIn, type Sentences } from '../lib/kernel/sentences'
import type acquire from './acquire/locales/en-US/sentences.json'
import type backup from './backup/locales/en-US/sentences.json'
import type callService from './call-service/locales/en-US/sentences.json'
import type cellAgent from './cell-agent/locales/en-US/sentences.json'
import type database from './database/locales/en-US/sentences.json'
import type device from './device/locales/en-US/sentences.json'
import type deviceConfig from './device-config/locales/en-US/sentences.json'
import type deviceRequest from './device-request/locales/en-US/sentences.json'
import type firmwareUpdate from './firmware-update/locales/en-US/sentences.json'
import type fleet from './fleet/locales/en-US/sentences.json'
import type getStatus from './get-status/locales/en-US/sentences.json'
import type handEyeCalibration from './hand-eye-calibration/locales/en-US/sentences.json'
import type handEyeCalibrationReports from './hand-eye-calibration/locales/en-US/reports.json'
import type handEyeCalibrationDrive from './hand-eye-calibration/drive/locales/en-US/reports.json'
import type imageReceive from './image-receive/locales/en-US/sentences.json'
import type logWatch from './log-watch/locales/en-US/sentences.json'
import type operatorCalibration from './operator-calibration/locales/en-US/sentences.json'
import type operatorCalibrationReports from './operator-calibration/locales/en-US/reports.json'
import type operatorDevices from './operator-devices/locales/en-US/sentences.json'
import type operatorDevicesReports from './operator-devices/locales/en-US/reports.json'
import type operatorFleet from './operator-fleet/locales/en-US/sentences.json'
import type operatorFleetReports from './operator-fleet/locales/en-US/reports.json'
import type operatorPanel from './operator-panel/locales/en-US/sentences.json'
import type operatorPanelReports from './operator-panel/locales/en-US/reports.json'
import type operatorPermission from './operator-permission/locales/en-US/sentences.json'
import type pictures from './pictures/locales/en-US/sentences.json'
import type pipeline from './pipeline/locales/en-US/sentences.json'
import type plc from './plc/locales/en-US/sentences.json'
import type recipes from './recipes/locales/en-US/sentences.json'
import type robotMotion from './robot-motion/locales/en-US/sentences.json'
import type robotPose from './robot-pose/locales/en-US/sentences.json'
import type robots from './robots/locales/en-US/sentences.json'
import type setParameter from './set-parameter/locales/en-US/sentences.json'
import type streamDestination from './stream-destination/locales/en-US/sentences.json'
import type streamReceive from './stream-receive/locales/en-US/sentences.json'
import type system from './system/locales/en-US/sentences.json'
import type virtualDevice from './virtual-device/locales/en-US/sentences.json'
import { nodeSentences } from './shared/sentences'

/** Folders with own sentences; English files. */
interface Catalogs {
  acquire: typeof acquire
  backup: typeof backup
  'call-service': typeof callService
  'cell-agent': typeof cellAgent
  database: typeof database
  device: typeof device
  'device-config': typeof deviceConfig
  'device-request': typeof deviceRequest
  'firmware-update': typeof firmwareUpdate
  fleet: typeof fleet
  'get-status': typeof getStatus
  'hand-eye-calibration': typeof handEyeCalibration & typeof handEyeCalibrationReports
  'hand-eye-calibration/drive': typeof handEyeCalibrationDrive
  'image-receive': typeof imageReceive
  'log-watch': typeof logWatch
  'operator-calibration': typeof operatorCalibration & typeof operatorCalibrationReports
  'operator-devices': typeof operatorDevices & typeof operatorDevicesReports
  'operator-fleet': typeof operatorFleet & typeof operatorFleetReports
  'operator-panel': typeof operatorPanel & typeof operatorPanelReports
  'operator-permission': typeof operatorPermission
  pictures: typeof pictures
  pipeline: typeof pipeline
  plc: typeof plc
  recipes: typeof recipes
  'robot-motion': typeof robotMotion
  'robot-pose': typeof robotPose
  robots: typeof robots
  'set-parameter': typeof setParameter
  'stream-destination': typeof streamDestination
  'stream-receive': typeof streamReceive
  system: typeof system
  'virtual-device': typeof virtualDevice
}

export type SentenceOf<Folder extends keyof Catalogs> = keyof Catalogs[Folder] & string

/** @param folder below `nodes` */
export const catalogOf = <Folder extends keyof Catalogs>(folder: Folder): Sentences<SentenceOf<Folder>> =>
  sentencesIn<Catalogs[Folder]>(join(__dirname, folder))

export const sentencesOf = <Folder extends keyof Catalogs>(folder: Folder) => nodeSentences(catalogOf(folder))
