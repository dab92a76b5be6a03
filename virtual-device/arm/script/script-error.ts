/** Why a program cannot be compiled or goes no further, in the words of a controller. */
export class ScriptError extends Error {
  /** @param line from 1 */
  constructor(
    message: string,
    readonly line: number,
    readonly column = 1,
  ) {
    super(message)
  }
}
