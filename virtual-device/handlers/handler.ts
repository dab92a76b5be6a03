import type { Readable } from 'node:stream'
import type { Input, OperationId, Operations, Result } from '../../lib/contract'
import type { Device } from '../device'

/** What travels otherwise than the contract's type says: files as streams, destinations singly or in a list. */
type Arrived<I> = {
  [Field in keyof I]: Field extends 'file'
    ? Readable
    : Field extends 'destination'
      ? I[Field] | string[]
      : I[Field]
}

type Text<Id extends OperationId> = Operations[Id] extends { textWhen: object } ? string : never

/** Carries out one operation. @throws Refusal */
export type Handler<Id extends OperationId> = (
  device: Device,
  input: Arrived<Input<Id>>,
) => Result<Id> | Text<Id> | Promise<Result<Id>>

export type Handlers = { [Id in OperationId]: Handler<Id> }
