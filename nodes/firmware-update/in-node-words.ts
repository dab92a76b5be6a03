import { VisionError } from '../../lib/client/vision-error'
import type { FirmwareSentence } from '../../lib/firmware/firmware-error'
import { nodeError } from './sentences'

/** What the procedure, which knows no nodes, cannot tell: how its errors are answered with this one. */
const halves = {
  'firmware-no-reboot': 'firmware-to-resume',
  'firmware-not-back': 'firmware-to-resume',
  'firmware-interrupted': 'firmware-to-resume',
  'firmware-not-allowed': 'firmware-to-allow',
} as const satisfies Partial<Record<FirmwareSentence, string>>

/** An error of the procedure, and what the user of this node does about it. */
export function inNodeWords(error: unknown): unknown {
  if (!(error instanceof VisionError) || !hasHalf(error.key)) return error
  const { code, key, message, cause } = error
  return nodeError(code, halves[key], { problem: message }, cause)
}

const hasHalf = (key: string): key is keyof typeof halves => Object.hasOwn(halves, key)
