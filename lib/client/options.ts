import type { ConnectionOptions } from 'node:tls'
import { parseAddress, type Address } from './address'
import type { ErrorCode, OperationId } from '../contract'
import { authorizationOf, secretsOf, type Login } from './secrets'
import type { OnProgress } from './upload'
import { VisionError } from './vision-error'

interface OptionProblem {
  option: string
  expected: string
}

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

const problemOfClient = (options: unknown): OptionProblem | undefined => problemIn(options, clientRules)

export const problemOfCall = (options: unknown): OptionProblem | undefined => problemIn(options, callRules)

function problemIn(given: unknown, rules: readonly OptionRule[]): OptionProblem | undefined {
  if (!isObject(given)) return { option: 'options', expected: 'an object' }
  for (const [option, expected, fits] of rules) {
    const value = given[option]
    if (value !== undefined && !fits(value)) return { option, expected }
  }
  return undefined
}

/** How the certificate of an `https://` address is verified, and our own certificate; as Node.js takes them. */
export type Tls = Pick<
  ConnectionOptions,
  'ca' | 'cert' | 'key' | 'passphrase' | 'servername' | 'rejectUnauthorized'
>

/** Options of a client; only the address has no default. */
export interface ClientOptions {
  /** `192.168.0.10`, `host:8080`, `https://gateway/cell1`: host, port and base path; the API's own path is added. */
  address: string
  /** The device's name in errors. @default its address */
  name?: string
  /** Encoding of request and answer bodies. @default 'json' */
  format?: 'json' | 'ubjson'
  /** Login for a gateway; takes precedence over one in the address. @default none */
  login?: Login
  /** For a gateway that uses HTTPS. @default what Node.js trusts */
  tls?: Tls
  /** Milliseconds for a whole call, including waiting for its turn and repetitions. @default 5000 */
  deadline?: number
  /** Milliseconds for a whole upload. @default 600000 */
  uploadDeadline?: number
  /** Milliseconds without progress after which an upload fails. @default 30000 */
  uploadStall?: number
  /** Milliseconds for opening a connection. @default 3000 */
  connectDeadline?: number
  /**
   * Milliseconds after which a write whose answer was lost can no longer arrive, however long a gateway holds it. Only
   * then is a parameter write repeated, or reported as effective. More than 0; from `deadline` on, such a write ends
   * with `OUTCOME_UNKNOWN` at once. @default 3000
   */
  lateArrival?: number
  /** Calls in flight at the same time. @default 4 */
  concurrency?: number
  /** Requests per second; 0 is unlimited. @default 0 */
  pace?: number
  /** Calls that may wait for their turn; a further call fails with `BUSY`. @default 1000 */
  queue?: number
  /** Longest answer accepted, in bytes; a longer one fails with `BAD_REPLY`. @default 16777216 */
  maxAnswerBytes?: number
  /**
   * Repetitions of one call where repeating is safe, besides waiting for a device that refuses connections or is
   * starting (`waitForDevice`); 0 repeats nothing. All calls of the client together repeat at most ten times at once
   * and then twice per second. @default 3
   */
  retries?: number
  language?: string
  /**
   * Whether the device may be starting, if another client monitors it. While it returns true, the device is queried
   * before a write or a service call. @default false: only answers to this client's own calls count
   */
  mayBeStarting?: () => boolean
  /** Called when calls begin to wait for a device that refuses connections or is starting. Must not throw. */
  onAway?: () => void
  /** Called after each call, as it ends. Must not throw. */
  onCallEnded?: (call: EndedCall) => void
  /** Source of the jitter, from 0 up to but not including 1. @default Math.random */
  random?: () => number
}

/** A call that has ended, for statistics. */
export interface EndedCall {
  operation: OperationId
  /** As given; empty if the operation takes none. */
  input: object
  /** Since it was made, with the wait for its turn and repetitions. */
  milliseconds: number
  /** Why it failed; undefined if it succeeded. `INTERNAL` for an error thrown by the caller's `onProgress`. */
  failure?: ErrorCode
  result?: unknown
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call with `ABORTED`. */
  signal?: AbortSignal
  /** Milliseconds for this call, overriding the client's deadline. */
  deadline?: number
  /** Milliseconds without progress after which this upload fails, overriding the client's `uploadStall`. */
  stall?: number
  /**
   * Whether the call waits until its deadline for a device that refuses connections or is starting. Otherwise it is
   * repeated as after any other failure, and ends after a second or two. A device that has been away for a minute is
   * not waited for. @default true, unless the client's `retries` is 0
   */
  waitForDevice?: boolean
  /**
   * Called after each part of an upload, with the bytes of the file sent so far. Sending continues when a returned
   * promise resolves: the device does not get the end of the file before the promise for the last part resolves.
   */
  onProgress?: OnProgress
}

export interface ClientSettings extends Required<Omit<ClientOptions, 'address' | 'login' | 'tls'>> {
  address: Address
  tls: Tls
  headers: string[]
  textHeaders: string[]
  fileHeaders: string[]
  /** Must never be shown, in any form in which it is sent. */
  secrets: string[]
}

const accepted = { json: 'application/json', ubjson: 'application/ubjson, application/json;q=0.5' }

export const placeOf = ({ name, address, language }: ClientSettings) => ({
  device: name,
  address: address.shown,
  language,
})

/** Checks the options and fills in the defaults. @throws VisionError `INVALID_INPUT` */
export function settingsOf(options: ClientOptions): ClientSettings {
  const problem = problemOfClient(options)
  if (problem) {
    const isReadable = problem.option !== 'options' && problem.option !== 'language'
    throw badOption(problem, isReadable ? options.language : undefined)
  }
  const {
    address,
    name,
    login,
    tls = {},
    format = 'json',
    deadline = 5000,
    uploadDeadline = 600_000,
    uploadStall = 30_000,
    connectDeadline = 3000,
    lateArrival = 3000,
    concurrency = 4,
    pace = 0,
    queue = 1000,
    maxAnswerBytes = 16 * 1024 * 1024,
    retries = 3,
    language = 'en-US',
    mayBeStarting = () => false,
    onAway = () => undefined,
    onCallEnded = () => undefined,
    random = Math.random,
  } = options
  const parsed = parseAddress(address, language)
  const used = login ?? parsed.login
  const header = used && authorizationOf(used)
  // A line break would start another header.
  if (header !== undefined && !/^[\x20-\x7e]+$/.test(header))
    throw badOption({ option: 'login', expected: 'printable ASCII' }, language)
  const authorization = header === undefined ? [] : ['authorization', header]
  return {
    address: parsed,
    name: name?.trim() || parsed.shown,
    tls,
    format,
    deadline,
    uploadDeadline,
    uploadStall,
    connectDeadline,
    lateArrival,
    concurrency,
    pace,
    queue,
    maxAnswerBytes,
    retries,
    language,
    mayBeStarting,
    onAway,
    onCallEnded,
    random,
    headers: ['accept', accepted[format], ...authorization],
    textHeaders: ['accept', 'text/plain', ...authorization],
    fileHeaders: ['accept', 'application/octet-stream', ...authorization],
    secrets: used && header !== undefined ? secretsOf(used, header) : [],
  }
}

const badOption = (problem: OptionProblem, language: string | undefined) =>
  new VisionError({ code: 'INVALID_INPUT', key: 'bad-option', values: { ...problem } }, { language })
