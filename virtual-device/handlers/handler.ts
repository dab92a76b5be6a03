import type { Input, OperationId, Operations, Result } from '../../lib/contract'
import type { Device } from '../device'

type Text<Id extends OperationId> = Operations[Id] extends { textWhen: object } ? string : never

/** Carries out one operation. @throws Refusal */
export type Handler<Id extends OperationId> = (
  device: Device,
  input: Input<Id>,
) => Result<Id> | Text<Id> | Promise<Result<Id>>

export type Handlers = { [Id in OperationId]: Handler<Id> }
