/** The error class of the library, with the sentences of the client. */
import { createRequire } from 'node:module'
import type { ErrorCode, OperationId, ReturnCode } from '../contract'
import { CodedError, type Failure as CodedFailure } from '../kernel/errors'
import { sentencesIn, type KeyOf, type Sentences } from '../kernel/sentences'
import type en from './locales/en-US/sentences.json'
import type * as Summaries from '../contract/summary'

const load = createRequire(__filename)

/** An operation in words, for a sentence. Loads the operations on first use: that takes long. */
export const operationLabel = (id: OperationId, language?: string): string =>
  (load('../contract/summary') as typeof Summaries).shortSummaryOf(id, language)

/** Of calls and answers. */
export const clientSentences = sentencesIn<typeof en>(__dirname)

export type ClientSentence = KeyOf<typeof clientSentences>

/** Details of a failure beyond its code. Contains no credentials and no query of the request. */
export interface Cause {
  /** Address of the device, redacted. */
  address?: string
  /** HTTP status of the answer. */
  status?: number
  /** Body of the answer, as JSON or text, truncated at 4 KiB. */
  body?: unknown
  /** `return_code` of the answer. */
  returnCode?: ReturnCode
  /** Seconds that the device asked to wait. */
  retryAfter?: number
  /** Code of the network error, for example `ECONNREFUSED`. */
  reason?: string
  /** Message of the network or the parser. */
  detail?: string
  /** For a write to several nodes: the parameter names by node, grouped by outcome. */
  parameters?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

/** Passed between the parts of a layer, with a key of its sentences. */
export type Failure<Key extends string = ClientSentence> = CodedFailure<ErrorCode, Key, Cause>

export interface ErrorContext {
  operation?: OperationId
  /** Without a name, the redacted address is used. */
  device?: string
  /** Redacted. */
  address?: string
  /** @default 'en-US' */
  language?: string
}

/** The one error class of this library. `code` is stable; the message says what failed and what to do about it. */
export class VisionError extends CodedError<ErrorCode, Cause> {
  override readonly name = 'VisionError'
  /** Id of the operation that failed; missing if the failure belongs to none. */
  readonly operation?: OperationId

  constructor(failure: Failure, where?: ErrorContext)
  /** An error with a sentence of another layer; created by `errorsOf`. */
  constructor(failure: Failure<string>, where: ErrorContext | undefined, sentences: Sentences)
  constructor(
    { code, key, values, cause }: Failure<string>,
    { operation, device, address, language }: ErrorContext = {},
    sentences: Sentences = clientSentences,
  ) {
    const known = (cause ?? address) ? { ...cause, ...(address !== undefined && { address }) } : undefined
    super({ code, key, values: { device, ...values }, ...(known && { cause: known }) }, sentences, {
      language,
      // Sentences name an operation by what it does, not by its id.
      ...(operation && {
        further: { operation: { inLanguage: (reader?: string) => operationLabel(operation, reader) } },
      }),
    })
    if (operation) this.operation = operation
  }

  /** The same error in another language, with another device name or cause. */
  retold({
    language,
    device,
    cause = this.cause,
  }: Pick<ErrorContext, 'language' | 'device'> & { cause?: Cause }): VisionError {
    const { code, key, operation } = this
    const values = { ...this.values, ...(device !== undefined && { device }) }
    return new VisionError(
      { code, key, values, ...(cause && { cause }) },
      { ...(operation && { operation }), ...(language !== undefined && { language }) },
      this.sentences,
    )
  }
}

/** Creates the errors of a layer from its sentences. */
export const errorsOf =
  <Key extends string>(sentences: Sentences<Key>) =>
  (failure: Failure<Key>, where?: ErrorContext): VisionError =>
    new VisionError(failure, where, sentences)

/** Whether an error is a `VisionError`, even if the package was loaded twice. */
export const isVisionError = (error: unknown): error is VisionError =>
  error instanceof VisionError || (error instanceof Error && error.name === 'VisionError' && 'code' in error)
