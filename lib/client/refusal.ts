import type { OperationId } from '../contract'
import type { Refusal } from '../contract/reading/refusal'
import { saidIn } from './said'
import { sentence } from './sentences'
import { VisionError } from './vision-error'

export { refusal, type Refusal } from '../contract/reading/refusal'

interface Refused {
  operation: OperationId
  /** Name of the service that was refused; without one it is the operation itself. */
  what?: string
  /** What the device is called, as `client.name` gives it. */
  device: string
  /** Its address, as `client.address` gives it. */
  address?: string
  /** @default 'en-US' */
  language?: string
}

/** The `REFUSED` error of a refusal; its cause carries value and message as `returnCode`. */
export function refusedError(
  { value, message }: Refusal,
  { operation, what, device, address, language }: Refused,
) {
  const text = saidIn(message)
  const said = text === undefined ? '' : sentence('said', { text }, language)
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
