/**
 * Follows the logs of a device: overlap, rate limit, gaps, the position that survives a restart. In: a client. Out: each
 * new entry once, in order.
 */
export { filePositions, type DamagedPosition, type Positions, type SavedPosition } from './positions'
export {
  logLevels,
  type LogFilter,
  type LogLevel,
  type Follower,
  type FollowHandlers,
  type FollowOptions,
  type FollowState,
  type LogGap,
  type LogLine,
  type PaceOptions,
  type HeldBack,
  type Rate,
} from './follow-options'
export { followLogs } from './follow'
export type { GapReason, SeenEntry, LogSource } from './read-new'
export type { RememberedEntries } from './memory'
