export { compareBackups, differencesAsText, type Difference } from './compare-backups'
export {
  reboot,
  untilRestarted,
  type RebootOptions,
  type RebootPhase,
  hasRestarted,
  markedState,
  type MarkedState,
  type UptimeMark,
} from './reboot'
