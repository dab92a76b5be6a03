import sentences from './locales/en-US.json'

/** Why a virtual device did not start, as a stable code. */
export type StartErrorCode =
  | 'INVALID_OPTION'
  | 'PORT_NOT_FREE'
  /** A port set by hand for a service beside the API. */
  | 'SIDE_PORT_NOT_FREE'
  | 'HOST_NOT_HERE'
  | 'STATE_NOT_WRITABLE'
  | 'STATE_DAMAGED'

/** Why a virtual device did not start, in one sentence that also says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError'

  constructor(
    readonly code: StartErrorCode,
    key: SentenceKey,
    values: Readonly<Record<string, unknown>> = {},
    cause?: unknown,
  ) {
    super(sentence(key, values), cause === undefined ? undefined : { cause })
  }

  /** Recreates an error of another thread. */
  static of(code: StartErrorCode, message: string): StartError {
    return new StartError(code, 'raw', { message })
  }
}

type SentenceKey = keyof typeof sentences

/** The sentence with this key, with its `{{placeholders}}` filled in. */
export const sentence = (key: SentenceKey, values: Readonly<Record<string, unknown>> = {}): string =>
  sentences[key].replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))
