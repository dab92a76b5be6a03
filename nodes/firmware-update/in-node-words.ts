import { VisionError } from '../../lib/client/vision-error'
import type { FirmwareSentence } from '../../lib/firmware/firmware-error'
import { sentencesOf } from '../sentences'

const { nodeError } = sentencesOf('firmware-update')

/** What the procedure cannot say because it knows no nodes: how to react to its errors with this node. */
const halves = {
  'firmware-no-reboot': 'firmware-to-resume',
  'firmware-not-back': 'firmware-to-resume',
  'firmware-interrupted': 'firmware-to-resume',
  'firmware-not-allowed': 'firmware-to-allow',
} as const satisfies Partial<Record<FirmwareSentence, string>>

/** An error of the procedure, with what the user of this node can do about it. */
export function inNodeWords(error: unknown): unknown {
  if (!(error instanceof VisionError) || !hasHalf(error.key)) return error
  const { code, key, message, cause } = error
  return nodeError(code, halves[key], { problem: message }, cause)
}

const hasHalf = (key: string): key is keyof typeof halves => Object.hasOwn(halves, key)
