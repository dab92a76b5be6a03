/**
 * The one error of this software: a stable code, the key of a sentence with its values, and a cause.
 *
 * In: a failure, and the sentences of the part that failed. Out: an `Error` whose message is that sentence, here and in
 * any other language. A part with codes of its own, or fields of its own, extends it with a literal `name`.
 */
import type { Sentences } from './sentences'

/** A failure, with a key of the sentences of the part that failed. */
export interface Failure<Code extends string = string, Key extends string = string, Cause = unknown> {
  code: Code
  key: Key
  /** The values of the sentence's placeholders. */
  values?: Readonly<Record<string, unknown>>
  /** What is known beyond the code. */
  cause?: Cause
}

export interface Wording {
  /** @default 'en-US' */
  language?: string | undefined
  /** Values of the sentence that are not among those of the error, such as one that depends on the language. */
  further?: Readonly<Record<string, unknown>>
}

export class CodedError<Code extends string = string, Cause = unknown> extends Error {
  /** Stable: flows and programs may test for it. */
  readonly code: Code
  /** Key of the sentence in the `locales` of the part that failed. */
  readonly key: string
  /** The values of the sentence's placeholders. */
  readonly values: Readonly<Record<string, unknown>>
  /** What is known beyond the code. */
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

  /** The sentences of the part that failed. */
  get sentences(): Sentences {
    return this.#sentences
  }

  /** The message in another language. */
  inLanguage(language: string | undefined): string {
    return this.#sentences.say(this.key, { ...this.values, ...this.#further }, language)
  }
}

type Construct<Made, Code extends string, Cause> = new (
  failure: Failure<Code, string, Cause>,
  sentences: Sentences,
) => Made

/** Returns a function that creates the errors of a part with its own sentences. */
export const errorsAs =
  <Made, Code extends string, Cause, Key extends string>(
    Family: Construct<Made, Code, Cause>,
    sentences: Sentences<Key>,
  ) =>
  (failure: Failure<Code, Key, Cause>): Made =>
    new Family(failure, sentences)

/** Whether something is an error of this software, of any family. */
export const isCodedError = (error: unknown): error is CodedError => error instanceof CodedError
