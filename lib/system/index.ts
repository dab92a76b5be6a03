/** Restarts with proof by the uptime, and differences between backups. In: a client. Out: phases and the proven state. */
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
