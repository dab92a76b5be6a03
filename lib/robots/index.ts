export { lineEnds, wayIds, ways, type LineEnd, type Way, type WayId } from './ways'
export { ListenFailure } from './listen'
export {
  RobotLink,
  type LinkCodes,
  type LinkCounts,
  type LinkEvents,
  type LinkOptions,
  type LinkTold,
  type RobotSnapshot,
} from './link'
export type { Answered, Candidate, Reply, RobotCycle, RobotResult } from './dialogue'
export type { Range, Workspace } from './plausible'
