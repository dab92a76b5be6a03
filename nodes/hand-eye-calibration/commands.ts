import { commandWord } from '../shared/permission'
import { shown } from '../shared/shown'
import { driveOrders } from './drive/drive-orders'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('hand-eye-calibration')

/** Commands for a robot that drives itself. */
const driveCommands = ['continue', 'look', 'check-camera', 'touch-up', ...driveOrders] as const

/** The commands of a message. `pose` records one pose; `run` records a whole list and then calibrates. */
const commands = [
  'start',
  'pose',
  'arrived',
  'run',
  'undo',
  'status',
  'calibrate',
  'save',
  'check',
  'cancel',
  ...driveCommands,
] as const
export type Command = (typeof commands)[number]

/**
 * @param given the text of the message; empty if it has none
 * @returns undefined if it has none
 * @throws INVALID_INPUT for an unknown command
 */
export function commandOf(given: unknown): Command | undefined {
  const text = commandWord(typeof given === 'string' ? given : asText(given))
  if (text === '') return undefined
  const known = text === 'remove-last' ? 'undo' : commands.find((command) => command === text)
  if (known) return known
  throw invalidInput('hand-eye-command', { value: text.slice(0, 40), known: commands.join(', ') })
}

const asText = (given: unknown) => (given === undefined || given === null ? '' : shown(given))
