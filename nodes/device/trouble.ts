import type { Node } from 'node-red'
import { VisionError } from '../../lib/client/vision-error'
import type { Connection } from './connection'
import { asSentence } from '../shared/as-sentence'
import { codeOf, inOurLanguage } from '../shared/node-error'
import type { DeployedWork } from './on-deploy'
import type { StatusWord } from '../shared/status'

/** Errors of calls that the state of the connection reports, once for all nodes on the device. */
const ofLink = ['UNREACHABLE', 'TIMEOUT', 'OUTCOME_UNKNOWN', 'STARTING']

/** Reports what hinders message-independent work: as a status, and each reason once to Catch or the log. */
interface TroubleLog {
  failed: (error: unknown) => void
  /** The status word for a destination that is not on the device; none if it is, or if the connection is the reason. */
  listed: (error: unknown) => StatusWord | undefined
}

export function trouble(
  node: Node,
  device: Connection,
  { show, showLink }: Pick<DeployedWork<never>, 'show' | 'showLink'>,
): TroubleLog {
  let told: string | undefined

  /** @returns the word to show; none if the connection reports it */
  const word = (error: unknown): StatusWord | undefined => {
    const code = codeOf(error)
    if (error instanceof VisionError && error.operation && ofLink.includes(error.code)) {
      device.link.hint(error)
      return undefined
    }
    const reason = error instanceof VisionError ? error.message : 'failed'
    if (reason !== told) node.error(asSentence(inOurLanguage(error)), {})
    told = reason
    return error instanceof VisionError && error.key === 'stream-full'
      ? 'destinationsFull'
      : (code ?? 'failed')
  }
  return {
    failed: (error) => {
      const shown = word(error)
      if (shown) show(shown)
      else showLink()
    },
    listed: (error) => {
      if (error !== undefined) return word(error)
      told = undefined
      return undefined
    },
  }
}
