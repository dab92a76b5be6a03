import { setTimeout } from 'node:timers/promises'
import { readingTime } from '../../nodes/robot-motion/question'

/** Earlier answers to a question do not count. */
export const hasRead = (): Promise<void> => setTimeout(readingTime + 20)
