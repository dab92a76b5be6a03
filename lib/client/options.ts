import type { ConnectionOptions } from 'node:tls'
import { parseAddress, type Address } from './address'
import { problemOfClient, type OptionProblem } from './check-options'
import { authorizationOf, secretsOf, type Login } from './login'
import type { OnProgress } from './upload'
import { VisionError } from './vision-error'

/** How an `https://` address is trusted, and who we are to it; as Node.js takes them. */
export type Tls = Pick<
  ConnectionOptions,
  'ca' | 'cert' | 'key' | 'passphrase' | 'servername' | 'rejectUnauthorized'
>

/** What a client is made with; only the address has no default. */
export interface ClientOptions {
  /** `192.168.0.10`, `host:8080`, `https://gateway/cell1`: host, port and base path; the API's own path is added. */
  address: string
  /** What errors call the device. @default its address */
  name?: string
  /** How bodies travel. @default 'json' */
  format?: 'json' | 'ubjson'
  /** For a gateway; a login in the address counts where there is none here. @default none */
  login?: Login
  /** For a gateway that speaks HTTPS. @default what Node.js trusts */
  tls?: Tls
  /** Milliseconds for a whole call: waiting for its turn and repetitions included. @default 5000 */
  deadline?: number
  /** Milliseconds for a whole upload. @default 600000 */
  uploadDeadline?: number
  /** Milliseconds in which no part of an upload goes out, after which it ends. @default 30000 */
  uploadStall?: number
  /** Milliseconds for setting up a connection. @default 3000 */
  connectDeadline?: number
  /**
   * Milliseconds after which a write whose answer was lost can no longer arrive, however long a gateway holds it. A
   * parameter write is repeated, or known to have taken effect, only then. @default 3000
   */
  lateArrival?: number
  /** Calls in flight at a time. @default 4 */
  concurrency?: number
  /** Requests per second; 0 is as fast as possible. @default 0 */
  pace?: number
  /** Calls that may wait for their turn; one more fails with `BUSY`. @default 1000 */
  queue?: number
  /** Longest answer in bytes; a longer one fails with `BAD_REPLY`. @default 16777216 */
  maxAnswerBytes?: number
  /**
   * How often one call may be repeated, where repeating is safe. Over all calls of the client, there are at most ten
   * repetitions at once and two per second.
   * @default 3
   */
  retries?: number
  /** Language of error sentences. @default 'en-US' */
  language?: string
  /** Source of the jitter, 0 up to 1. @default Math.random */
  random?: () => number
}

/** What one call may have of its own. */
export interface CallOptions {
  /** Ends the call with `ABORTED`. */
  signal?: AbortSignal
  /** Milliseconds for this call, instead of the client's deadline. */
  deadline?: number
  /** Milliseconds in which no part of this upload goes out, instead of the client's `uploadStall`. */
  stall?: number
  /**
   * Told after each part of an upload that went out, in bytes of the file. What follows waits for a promise that it
   * returns: the device has not got the end before the one for the last part is kept.
   */
  onProgress?: OnProgress
}

export interface ClientSettings extends Required<Omit<ClientOptions, 'address' | 'login' | 'tls'>> {
  address: Address
  tls: Tls
  /** Header pairs of every request. */
  headers: string[]
  /** Header pairs of a request that is answered with text. */
  textHeaders: string[]
  fileHeaders: string[]
  /** What must never be shown, in the forms it travels in. */
  secrets: string[]
}

const accepted = { json: 'application/json', ubjson: 'application/ubjson, application/json;q=0.5' }

/** How errors name the device, and where it is. */
export const placeOf = ({ name, address, language }: ClientSettings) => ({
  device: name,
  address: address.shown,
  language,
})

/** Options with their defaults, checked. @throws VisionError `INVALID_INPUT` */
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
    random,
    headers: ['accept', accepted[format], ...authorization],
    textHeaders: ['accept', 'text/plain', ...authorization],
    fileHeaders: ['accept', 'application/octet-stream', ...authorization],
    secrets: used && header !== undefined ? secretsOf(used, header) : [],
  }
}

const badOption = (problem: OptionProblem, language: string | undefined) =>
  new VisionError({ code: 'INVALID_INPUT', key: 'bad-option', values: { ...problem } }, { language })
