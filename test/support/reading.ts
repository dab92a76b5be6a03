import { setTimeout } from 'node:timers/promises'
import { readingTime } from '../../nodes/robot-motion/question'

/** Resolves when a person has read a question that is shown now: an earlier answer does not count. */
export const hasRead = (): Promise<void> => setTimeout(readingTime + 20)
