export { compareBackups, differencesAsText, type Difference } from './compare-backups'
export { reboot, untilRestarted, type RebootOptions, type RebootPhase } from './reboot'
export { hasRestarted, markedState, type MarkedState, type UptimeMark } from './uptime-mark'
