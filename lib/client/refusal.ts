import type { OperationId } from '../contract'
import type { Refusal } from '../contract/reading/refusal'
import { saidIn } from './said'
import { clientSentences, VisionError } from './vision-error'

export { refusal, type Refusal } from '../contract/reading/refusal'

interface Refused {
  operation: OperationId
  /** Name of the service that was refused; without it, the operation was. */
  what?: string
  /** The device's name, as in `client.name`. */
  device: string
  /** The device's address, as in `client.address`. */
  address?: string
  /** @default 'en-US' */
  language?: string
}

/** Creates the `REFUSED` error for a refusal; its cause carries value and message as `returnCode`. */
export function refusedError(
  { value, message }: Refusal,
  { operation, what, device, address, language }: Refused,
) {
  const text = saidIn(message)
  const said = text === undefined ? '' : clientSentences.say('said', { text }, language)
  return new VisionError(
    {
      code: 'REFUSED',
      key: what === undefined ? 'refused-operation' : 'refused',
      values: { what, said, value },
      cause: { status: 200, returnCode: { value, message } },
    },
    { operation, device, ...(address !== undefined && { address }), language },
  )
}
