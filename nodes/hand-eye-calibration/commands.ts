import { shown } from '../shared/shown'
import { invalidInput } from './sentences'

/** What a message can ask for. `pose` records one, `run` all of a list with the calibration at its end. */
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
] as const
export type Command = (typeof commands)[number]

/**
 * @param given the text of the message; empty where it says nothing
 * @returns undefined where it says nothing
 * @throws INVALID_INPUT where there is no such command
 */
export function commandOf(given: unknown): Command | undefined {
  const text = (typeof given === 'string' ? given : asText(given)).trim().toLowerCase()
  if (text === '') return undefined
  const known = text === 'remove-last' ? 'undo' : commands.find((command) => command === text)
  if (known) return known
  throw invalidInput('hand-eye-command', { value: text.slice(0, 40), known: commands.join(', ') })
}

const asText = (given: unknown) => (given === undefined || given === null ? '' : shown(given))
