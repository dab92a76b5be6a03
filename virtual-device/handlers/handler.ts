import type { Readable } from 'node:stream'
import type { Input, OperationId, Operations, Result } from '../../lib/contract'
import type { Device } from '../device/device'
import type { UploadedBytes } from '../requests/uploaded-form'

/**
 * What is received in other types than the contract's: files as streams or in memory, destinations singly or in a list.
 */
type HandlerInput<Id extends OperationId> = {
  [Field in keyof Input<Id>]: Field extends 'file'
    ? Operations[Id] extends { body: { maxBytes: number } }
      ? UploadedBytes
      : Readable
    : Field extends 'destination'
      ? Input<Id>[Field] | string[]
      : Input<Id>[Field]
}

type Text<Id extends OperationId> = Operations[Id] extends { textWhen: object } ? string : never

type File<Id extends OperationId> = Operations[Id] extends { offersFile: true } ? Buffer : never

/** Executes one operation. @throws Refusal */
export type Handler<Id extends OperationId> = (
  device: Device,
  input: HandlerInput<Id>,
) => Result<Id> | Text<Id> | Promise<Result<Id> | File<Id>>

export type Handlers = { [Id in OperationId]: Handler<Id> }
