/**
 * Robots that connect and request: how each make writes requests and reads replies, and who gets which reply. In:
 * sockets. Out: requests, each with exactly one reply.
 */
export {
  lineEnds,
  robotInterface,
  dialectIds,
  dialects,
  type LineEnd,
  type Dialect,
  type DialectId,
} from './dialects'
export { ListenFailure } from './base-link'
export { RobotLink, type LinkCodes, type LinkOptions } from './link'
export type { Answered, Candidate, Reply, RobotCycle, RobotResult } from './cycle'
export type { Range, Workspace } from './cycle'
export { noCounts, type LinkCounts, type RobotSnapshot } from './base-link'
export { InterfaceLink, type InterfaceLinkOptions } from './interface-link'
export type { ToInterface } from './interface-dialogue'
export type { Link, LinkEvents, LinkNotice as LinkTold } from './base-link'
