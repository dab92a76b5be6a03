/** How a cycle can end, or why a trigger is not executed, as a stable word. */
export type CodeName = keyof typeof defaultCodes

/**
 * What the PLC reads in the row `code`. Negative codes of the device, 101 and 102 are passed on as they are; whatever
 * error has no line of its own is `OTHER`. A table may name every other `error.code` too, and return codes: `{ '-8': 308 }`.
 */
export const defaultCodes = {
  DONE: 0,
  /** Another trigger came while one was under way. */
  STILL_BUSY: 101,
  NO_IMAGE_CLIENT: 102,
  UNREACHABLE: 201,
  TIMEOUT: 202,
  OUTCOME_UNKNOWN: 203,
  STARTING: 204,
  /** The trigger was set before the cell looked for one. */
  ALREADY_SET: 205,
  /** The cell, the flow or the connection was interrupted after the trigger: the outcome is unknown. */
  INTERRUPTED: 206,
  /** Not enabled, not ready for another reason, or no such command. */
  NOT_ALLOWED: 207,
  /** Nothing in the flow ended the cycle within the deadline. */
  NO_ANSWER: 208,
  /** A result does not fit the type that the map gives it. */
  DOES_NOT_FIT: 209,
  /** The PLC ended the cycle. */
  ABORTED_BY_PLC: 210,
  /** A job was prepared, and the PLC may have restarted since: which job it wants is not known. */
  NOT_PREPARED: 211,
  /** Triggered, and nothing proves that a frame was taken. */
  UNPROVEN: 213,
  OTHER: 299,
} as const

/** Codes by name: those of `defaultCodes`, and any other `error.code` or return code that shall have one of its own. */
export type CodeTable = Readonly<Record<CodeName, number> & Partial<Record<string, number>>>

/** What a flow reports: `error.code`, and the return code of the device where it refused. */
export interface Failure {
  code?: string | undefined
  returnCode?: number | undefined
}

/** The table with the integrator's own numbers. */
export const codeTable = (own: Partial<Record<string, number>> = {}): CodeTable => ({
  ...defaultCodes,
  ...own,
})

/** Return codes of the device that refuse although they are not negative. */
const refusals: ReadonlySet<number> = new Set([defaultCodes.STILL_BUSY, defaultCodes.NO_IMAGE_CLIENT])

/** An INT as a PLC has it. */
export const isInt = (number: number): boolean =>
  Number.isInteger(number) && number >= -32_768 && number <= 32_767

/** Whether a return code of the device is passed on to the PLC instead of a code of ours. */
export const isPassedOn = (returnCode: number): boolean =>
  isInt(returnCode) && (returnCode < 0 || refusals.has(returnCode))

/** Whether a line of a table is that of a return code of the device. */
export const isReturnCode = (name: string): boolean => /^-?\d{1,5}$/.test(name)

/** The code of a failure, from -32768 to 32767. */
export function codeOf({ code, returnCode }: Failure, table: CodeTable = defaultCodes): number {
  const passed = returnCode !== undefined && isPassedOn(returnCode) ? returnCode : undefined
  const name = passed === undefined ? code : String(passed)
  const own = name !== undefined && Object.hasOwn(table, name) ? table[name] : passed
  // No failure may read as success.
  return own === undefined || own === table.DONE ? table.OTHER : own
}

/** A table that cannot be used, and why. */
export interface CodeFault {
  name: string
  fault: 'not-an-int' | 'reads-as-done'
}

/** Lines of an edited table that no PLC could tell apart from success, or that are no INT. */
export const faultsOfCodes = (table: CodeTable): CodeFault[] =>
  Object.entries(table).flatMap(([name, value = Number.NaN]): CodeFault[] => {
    if (!isInt(value)) return [{ name, fault: 'not-an-int' }]
    return name !== 'DONE' && value === table.DONE ? [{ name, fault: 'reads-as-done' }] : []
  })
