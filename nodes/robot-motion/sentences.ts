import { robotErrorsOf, type RobotError, type RobotErrorCode } from '../../lib/robot-motion/robot-error'
import { sentencesIn, type KeyOf } from '../../lib/sentences/sentences-in'
import { nodeSentences } from '../shared/sentences'
import type de from './locales/de/sentences.json'
import type en from './locales/en-US/sentences.json'

const own = sentencesIn<typeof en, typeof de>(__dirname)
const failed = robotErrorsOf(own)

export const { invalidInput, nodeError, say, told } = nodeSentences(own)

/** An error of the nodes with a code of the robot's. */
export const motionError = (
  code: RobotErrorCode,
  key: KeyOf<typeof own>,
  values: Record<string, unknown> = {},
): RobotError => failed({ code, key, values })
