import { retryPause } from '../../kernel/connection'
import { topicOf, centreAnswerTopic } from '../topics'
import type { Command } from '../messages'
import type { Member } from './member'
import type { Post } from './post'

/** Milliseconds from one request to the next while nothing is heard of a job; jobs begin at their own times. */
const pauses = { first: 10_000, longest: 60_000, random: () => 1 }
/** Seconds that the broker keeps a command: the centre asks again anyway. */
export const commandExpiry = 120

/** A job that was begun and has not ended. */
export interface OpenJob {
  /** How often the cell was asked. */
  asks: number
  /** Steady milliseconds. */
  nextAskAt: number
  /** Steady milliseconds of the last sign of it. */
  signAt: number
  /** Start of the agent that was asked. */
  boot?: string
  phase?: string
  percent?: number
}

export const newJob = (now: number): OpenJob => ({ asks: 0, nextAskAt: now, signAt: now })

/** Notes that the cell was asked, and when to ask again. */
export function asked(job: OpenJob, now: number, boot: string): void {
  job.nextAskAt = now + retryPause(job.asks, pauses)
  job.asks++
  job.boot = boot
}

export interface Sender {
  root: string
  centre: string
  /**
   * Where cells answer: to this centre, or each in its own topic, where the broker can keep it from speaking in the name
   * of another.
   */
  answersTo: 'centre' | 'cell'
}

/** A command to the cell of a member, to be answered to this centre. */
export function commandTo(
  { root, centre, answersTo }: Sender,
  { plant, cell, device }: Omit<Member, 'device'> & { device?: string | undefined },
  command: Pick<Command, 'id' | 'do' | 'args'> & { notAfter?: string },
  expiry = commandExpiry,
): Post {
  return {
    topic: topicOf({ root, plant, cell }, 'command'),
    payload: { v: 1, from: centre, ...(device !== undefined && { device }), ...command },
    retain: false,
    ...(answersTo === 'centre' && { responseTopic: centreAnswerTopic(root, centre) }),
    correlationData: command.id,
    messageExpiryInterval: Math.max(1, Math.floor(expiry)),
  }
}
