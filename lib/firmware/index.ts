/**
 * Firmware updates: the table of phases and what runs it, the journal that continues after a restart, uploads, rollouts in
 * waves. In: clients and an image. Out: phases, progress, and a proven result. Knows nothing of Node-RED.
 */
export { allowedFile, artifactOf, type Artifact } from './artifact'
export { fetchArtifact, type RemoteArtifact } from './artifact'
export { Journal, type JournalEntry } from './journal'
export type { Phase } from './phases'
export { Rollout, type RolloutWork } from './rollout'
export {
  noRolloutJournal,
  RolloutJournal,
  type RolloutEnding,
  type RolloutMember,
  type RolloutEntry,
  type RolloutPlan,
} from './rollout'
export type { AilingNode, Change, Snapshot } from './snapshot'
export {
  modes,
  outcomes,
  steps,
  type Choices,
  type Expected,
  type Failure,
  type FirmwareOptions,
  type FirmwareRun,
  type Mode,
  type Outcome,
  type Progress,
  type Report,
  type Step,
  type Timing,
} from './types'
export { updateFirmware } from './update'
export { inWaves, type WaveEnd, type WaveOptions, type WaveResult } from './rollout'
