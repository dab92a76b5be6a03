/** Exception codes of Modbus that we send, with the names of the specification. */
export const exceptions = {
  illegalFunction: 1,
  illegalAddress: 2,
  illegalValue: 3,
  deviceFailure: 4,
  /** Nothing answers under that unit id. */
  noSuchUnit: 11,
} as const

/** An answer of Modbus that is a refusal. */
export class ModbusException extends Error {
  override readonly name = 'ModbusException'

  constructor(
    /** 1 to 255. */
    readonly exception: number,
  ) {
    super(`Modbus exception ${exception}`)
  }
}
