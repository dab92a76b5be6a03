import type { Readable } from 'node:stream'
import { Float64 } from '../../lib/codec/json'
import type { Input, OperationId, Operations, Parameter, Result, ServiceAnswer } from '../../lib/contract'
import type { Device } from '../device/device'
import type { Nodes, Pipeline } from '../device/nodes'
import type { WrittenValue, RunningModule } from '../device/running-module'
import { Refusal, cut } from '../values'
import type { UploadedBytes } from './read-input'

/** Input in other types than the contract's: files as streams or in memory, destinations singly or in a list. */
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

export type Handler<Id extends OperationId> = (
  device: Device,
  input: HandlerInput<Id>,
) => Result<Id> | Text<Id> | Promise<Result<Id> | File<Id>>

export type Handlers = { [Id in OperationId]: Handler<Id> }

export const globalNode = (device: Device, name: string): RunningModule => node(device.global, name)

/** @param absent status if the pipeline is not configured */
export function pipeline(device: Device, name: string, absent: 400 | 404 = 400): Pipeline {
  const found = device.pipelines.get(name)
  if (found) return found
  if (device.variant === 'single') throw new Refusal(400, `pipeline ${name}: this device has only pipeline 0`)
  throw new Refusal(absent, `pipeline ${name} is not configured`)
}

export const pipelineNode = (
  device: Device,
  { pipeline: place, node: name }: { pipeline: string; node: string },
) => node(pipeline(device, place, 404).nodes, name)

function node(nodes: Nodes, name: string): RunningModule {
  const found = nodes.get(name)
  if (found) return found
  throw new Refusal(404, `there is no node ${cut(name, 60)}`)
}

export function callService(
  device: Device,
  node: RunningModule,
  service: string,
  args: Readonly<Record<string, unknown>> = {},
): ServiceAnswer {
  const { values } = node.parameters
  const answer = node.call(service, args)
  // A module itself reports changes of what it stores besides its parameters.
  if (node.parameters.values !== values) device.changed()
  device.note('INFO', `service ${service} called`, node.name)
  return answer
}

/** Writes all values or, if one of them is invalid, none. @param unknownStatus for an unknown name */
export function writeParameters(
  device: Device,
  node: RunningModule,
  writes: readonly WrittenValue[],
  unknownStatus: 400 | 404,
): Parameter[] {
  const records = node.parameters.write(writes, unknownStatus)
  if (records.length) device.changed()
  for (const { name, value } of records)
    device.note('INFO', `${name} set to ${String(value instanceof Float64 ? value.value : value)}`, node.name)
  return records
}
