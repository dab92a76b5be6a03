/**
 * The one error class: a stable code, the key of a sentence with its values, and a cause.
 *
 * In: a failure, and the sentences of the part that failed. Out: an `Error` whose message is that sentence, in any
 * language. A part with codes or fields of its own extends it with a literal `name`.
 */
import type { Sentences } from './sentences'

export interface Failure<Code extends string = string, Key extends string = string, Cause = unknown> {
  code: Code
  key: Key
  /** For the placeholders of the sentence. */
  values?: Readonly<Record<string, unknown>>
  cause?: Cause
}

export interface Wording {
  /** @default 'en-US' */
  language?: string | undefined
  /** Values for the sentence beyond those of the error, such as one that depends on the language. */
  further?: Readonly<Record<string, unknown>>
}

export class CodedError<Code extends string = string, Cause = unknown> extends Error {
  /** Stable: flows and programs may test for it. */
  readonly code: Code
  /** Key in the `locales` of the part that failed. */
  readonly key: string
  readonly values: Readonly<Record<string, unknown>>
  override readonly cause?: Cause
  readonly #sentences: Sentences
  readonly #further: Readonly<Record<string, unknown>>

  constructor(
    { code, key, values = {}, cause }: Failure<Code, string, Cause>,
    sentences: Sentences,
    { language, further = {} }: Wording = {},
  ) {
    super(sentences.say(key, { ...values, ...further }, language))
    this.#sentences = sentences
    this.#further = further
    this.code = code
    this.key = key
    this.values = values
    if (cause !== undefined) this.cause = cause
  }

  get sentences(): Sentences {
    return this.#sentences
  }

  inLanguage(language: string | undefined): string {
    return this.#sentences.say(this.key, { ...this.values, ...this.#further }, language)
  }
}

type Construct<Made, Code extends string, Cause> = new (
  failure: Failure<Code, string, Cause>,
  sentences: Sentences,
) => Made

/** Returns a function that creates the errors of a part from its sentences. */
export const errorsAs =
  <Made, Code extends string, Cause, Key extends string>(
    Family: Construct<Made, Code, Cause>,
    sentences: Sentences<Key>,
  ) =>
  (failure: Failure<Code, Key, Cause>): Made =>
    new Family(failure, sentences)

export const isCodedError = (error: unknown): error is CodedError => error instanceof CodedError
