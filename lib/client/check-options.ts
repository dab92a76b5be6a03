/** An invalid option. */
export interface OptionProblem {
  option: string
  expected: string
}

/** An option, what it must be, and the test for that. */
type OptionRule = readonly [option: string, expected: string, fits: (value: unknown) => boolean]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
const isText = (value: unknown) => typeof value === 'string'
const isFunction = (value: unknown) => typeof value === 'function'
const isDuration = (value: unknown) => Number.isFinite(value) && (value as number) > 0
const isCount = (least: number) => (value: unknown) =>
  Number.isSafeInteger(value) && (value as number) >= least

const isLogin = (login: unknown) =>
  isObject(login) &&
  (typeof login.token === 'string' || (typeof login.user === 'string' && typeof login.password === 'string'))

/** Checks the shape, not the class: a signal from another copy of the class works as well. */
const isSignal = (signal: unknown) =>
  isObject(signal) &&
  typeof signal.aborted === 'boolean' &&
  isFunction(signal.addEventListener) &&
  isFunction(signal.removeEventListener)

const duration = [`> 0 ms`, isDuration] as const

const clientRules: readonly OptionRule[] = [
  ['language', 'text', isText],
  ['name', 'text', isText],
  ['format', 'json or ubjson', (value) => value === 'json' || value === 'ubjson'],
  ['login', 'user and password, or token', isLogin],
  ['tls', 'an object', isObject],
  ['deadline', ...duration],
  ['uploadDeadline', ...duration],
  ['uploadStall', ...duration],
  ['connectDeadline', ...duration],
  ['lateArrival', ...duration],
  ['concurrency', '>= 1', isCount(1)],
  ['maxAnswerBytes', '>= 1', isCount(1)],
  ['queue', '>= 0', isCount(0)],
  ['retries', '>= 0', isCount(0)],
  ['pace', '>= 0/s', (value) => value === 0 || isDuration(value)],
  ['mayBeStarting', 'a function', isFunction],
  ['onAway', 'a function', isFunction],
  ['onCallEnded', 'a function', isFunction],
  ['random', 'a function', isFunction],
]

const callRules: readonly OptionRule[] = [
  ['signal', 'an AbortSignal', isSignal],
  ['deadline', ...duration],
  ['stall', ...duration],
  ['waitForDevice', 'true or false', (value) => typeof value === 'boolean'],
  ['onProgress', 'a function', isFunction],
]

export const problemOfClient = (options: unknown): OptionProblem | undefined =>
  problemIn(options, clientRules)

export const problemOfCall = (options: unknown): OptionProblem | undefined => problemIn(options, callRules)

function problemIn(given: unknown, rules: readonly OptionRule[]): OptionProblem | undefined {
  if (!isObject(given)) return { option: 'options', expected: 'an object' }
  for (const [option, expected, fits] of rules) {
    const value = given[option]
    if (value !== undefined && !fits(value)) return { option, expected }
  }
  return undefined
}
