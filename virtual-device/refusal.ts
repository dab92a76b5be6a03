const returnCodes: Readonly<Record<number, number>> = { 403: -8, 500: -2 }

/** The device's "no": an HTTP status and a sentence for whoever asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(
    readonly status: number,
    message: string,
    /** As services use them: -1 bad argument, -2 internal, -8 not possible now, -9 no license. */
    readonly returnCode = returnCodes[status] ?? -1,
  ) {
    super(message)
  }
}

/** @param anyOf components of which one would be enough */
export const noLicense = (anyOf: readonly string[]): Refusal =>
  new Refusal(403, `no valid license: the component ${anyOf.join(' or ')} is missing`, -9)

/** Carries both `message` and `return_code`: programs for real devices look for the one or the other. */
export const refusalBody = ({ message, returnCode }: Refusal): object => ({
  message,
  return_code: { value: returnCode, message },
})
