const returnCodes: Readonly<Record<number, number>> = { 403: -8, 500: -2 }

/** A refused request: an HTTP status and a sentence for the client. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(
    readonly status: number,
    message: string,
    /** With the codes of services: -1 invalid argument, -2 internal, -8 not possible at present, -9 no license. */
    readonly returnCode = returnCodes[status] ?? -1,
  ) {
    super(message)
  }
}

/** @param anyOf components of which one is sufficient */
export const noLicense = (anyOf: readonly string[]): Refusal =>
  new Refusal(403, `no valid license: the component ${anyOf.join(' or ')} is missing`, -9)

/** Contains both `message` and `return_code`, because programs for real devices read one or the other. */
export const refusalBody = ({ message, returnCode }: Refusal): object => ({
  message,
  return_code: { value: returnCode, message },
})
