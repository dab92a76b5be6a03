import type { Input, OperationId, Operations, Result } from '../contract'
import type { CallOptions } from './options'

/** One method per operation of the contract, named and typed as there. */
export type Methods = { [Id in keyof Operations]: Method<Id> }

/**
 * A client of one device. Every method rejects with a `VisionError`, or with the error that its own `onProgress` threw.
 */
export interface Client extends Methods {
  /** The device's address as it may be shown, without a login. */
  readonly address: string
  /** The device's name in errors: the option `name`, or the address. */
  readonly name: string
  /** Calls an operation that is known only at run time. Input and answer are checked as in the typed methods. */
  request: (id: OperationId, input?: object, options?: CallOptions) => Promise<unknown>
  /** Ends all calls with `ABORTED` and closes all connections. Resolves when nothing is left. */
  close: () => Promise<void>
}

type Method<Id extends OperationId> =
  unknown extends Input<Id>
    ? (options?: CallOptions) => Promise<Result<Id>>
    : object extends Input<Id>
      ? (input?: Input<Id>, options?: CallOptions) => Promise<Result<Id>>
      : Operations[Id] extends { textWhen: infer Text }
        ? <const I extends Input<Id>>(input: I, options?: CallOptions) => Promise<TextOr<Result<Id>, Text, I>>
        : Operations[Id] extends { offersFile: true }
          ? <const I extends Input<Id>>(input: I, options?: CallOptions) => Promise<FileOr<Result<Id>, I>>
          : (input: Input<Id>, options?: CallOptions) => Promise<Result<Id>>

/** The bytes of the file if the input asks for it; the union of both if the input's type leaves that open. */
type FileOr<Answer, I> = I extends { format: infer Format }
  ? Format extends 'file'
    ? Buffer
    : Answer
  : 'format' extends keyof I
    ? Answer | Buffer
    : Answer

/** Text if the input asks for it, otherwise the result; the union of both if the input's type leaves that open. */
type TextOr<Answer, Text, I> = I extends Text
  ? string
  : Text extends Pick<I, keyof I & keyof Text>
    ? keyof I & keyof Text extends never
      ? Answer
      : Answer | string
    : Answer
