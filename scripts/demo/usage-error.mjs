/** Shown as one sentence, without a stack. */
export class UsageError extends Error {
  name = 'UsageError'
}
