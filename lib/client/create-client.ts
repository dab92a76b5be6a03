/** `createClient`: one typed method per operation of the contract, for one device. */
import { type Input, type OperationId, type Operations, type Result, operationIds } from '../contract'
import { type CallOptions, settingsOf, type ClientOptions } from './options'
import { Call } from './call'
import { Engine } from './engine'
import { planOf, type Plan, type CallInput } from './request'

/** One method per operation of the contract, named and typed as there. */
export type Methods = { [Id in keyof Operations]: Method<Id> }

/** Every method rejects with a `VisionError`, or with the error that its own `onProgress` threw. */
export interface Client extends Methods {
  /** As it may be shown, without a login. */
  readonly address: string
  /** In errors: the option `name`, or the address. */
  readonly name: string
  /** Calls an operation known only at run time. Input and answer are checked as in the typed methods. */
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

/** The bytes if the input requests the file; a union if the input's type leaves that open. */
type FileOr<Answer, I> = I extends { format: infer Format }
  ? Format extends 'file'
    ? Buffer
    : Answer
  : 'format' extends keyof I
    ? Answer | Buffer
    : Answer

/** Text if the input requests it; a union if the input's type leaves that open. */
type TextOr<Answer, Text, I> = I extends Text
  ? string
  : Text extends Pick<I, keyof I & keyof Text>
    ? keyof I & keyof Text extends never
      ? Answer
      : Answer | string
    : Answer

/**
 * Creates the client of one device, with a method per operation: `client.getParameter({ pipeline: '0', node, param }, {
 * signal })`. Connects on the first call. Close it when it is no longer needed.
 * @throws VisionError `INVALID_INPUT` for an invalid address or option
 */
export function createClient(options: ClientOptions): Client {
  const engine = new Engine(settingsOf(options))

  const call = (plan: Plan, input: CallInput = {}, callOptions?: CallOptions) =>
    new Promise<unknown>((resolve, reject) => {
      new Call(engine, plan, input, callOptions, resolve, reject).start()
    })

  const methods: Partial<Record<OperationId, unknown>> = {}
  for (const id of operationIds) {
    const plan = planOf(id)
    methods[id] = plan.takesInput
      ? (input?: CallInput, callOptions?: CallOptions) => call(plan, input, callOptions)
      : (callOptions?: CallOptions) => call(plan, undefined, callOptions)
  }

  return {
    ...methods,
    address: engine.settings.address.shown,
    name: engine.settings.name,
    request: (id: OperationId, input?: object, callOptions?: CallOptions) =>
      Object.hasOwn(methods, id)
        ? call(planOf(id), input as CallInput, callOptions)
        : Promise.reject(engine.errorOf(id, { code: 'INVALID_INPUT', key: 'unknown-operation' })),
    close: () => engine.close(),
  } as Client
}
