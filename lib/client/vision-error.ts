import type { ErrorCode, OperationId, ReturnCode } from '../contract'
import { operationLabel } from './operation-label'
import { sentence, type SentenceKey } from './sentences'

/** What is known about a failure beyond its code. Holds no credentials and no query of the request. */
export interface Cause {
  /** Address of the device, redacted. */
  address?: string
  /** HTTP status of the answer. */
  status?: number
  /** Body of the answer, as JSON or text, cut at 4 KiB. */
  body?: unknown
  /** `return_code` of the answer. */
  returnCode?: ReturnCode
  /** Seconds that the device asked to wait. */
  retryAfter?: number
  /** Code of the network error, for example `ECONNREFUSED`. */
  reason?: string
  /** What the network or the parser said. */
  detail?: string
  /** Of several nodes that were to be written: the names of their parameters by node, by what became of them. */
  parameters?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

/** A failure as the client's parts hand it to each other. */
export interface Failure {
  code: ErrorCode
  key: SentenceKey
  values?: Record<string, unknown>
  cause?: Cause
}

interface ErrorContext {
  operation?: OperationId
  /** What the device is called; without a name its address, redacted. */
  device?: string
  /** Address of the device, redacted. */
  address?: string
  /** @default 'en-US' */
  language?: string
}

/** The one error of this library. `code` is stable; the message says what failed and what to do about it. */
export class VisionError extends Error {
  override readonly name = 'VisionError'
  /** One of `errorCodes`. */
  readonly code: ErrorCode
  /** Key of the sentence in `locales`, for showing it in another language. */
  readonly key: SentenceKey
  /** What is filled into the sentence. */
  readonly values: Record<string, unknown>
  /** Id of the operation that failed; missing where the failure belongs to none. */
  readonly operation?: OperationId
  /** What is known beyond the code. */
  override readonly cause?: Cause

  constructor(
    { code, key, values, cause }: Failure,
    { operation, device, address, language }: ErrorContext = {},
  ) {
    const filled = { device, ...values }
    super(wording(key, filled, operation, language))
    this.code = code
    this.key = key
    this.values = filled
    if (operation) this.operation = operation
    if (cause ?? address) this.cause = { ...cause, ...(address !== undefined && { address }) }
  }

  /** The message in another language. */
  inLanguage(language: string | undefined): string {
    return wording(this.key, this.values, this.operation, language)
  }
}

/** Operations are named by what they do, not by their ids. */
const wording = (
  key: SentenceKey,
  values: Record<string, unknown>,
  operation: OperationId | undefined,
  language: string | undefined,
) =>
  sentence(key, operation ? { ...values, operation: operationLabel(operation, language) } : values, language)

/** Whether this is an error of the client, also where the package was loaded twice. */
export const isVisionError = (error: unknown): error is VisionError =>
  error instanceof VisionError || (error instanceof Error && error.name === 'VisionError' && 'code' in error)
