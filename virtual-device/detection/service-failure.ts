/** A service fails for a reason other than its arguments; becomes its return code. */
export class ServiceFailure extends Error {
  override name = 'ServiceFailure' as const

  constructor(
    /** Negative. */
    readonly returnCode: number,
    message: string,
  ) {
    super(message)
  }
}
