import { basePath, operation, operationIds, type Method, type OperationId } from '../../lib/contract'
import type { Answers } from './answer'
import { answering, type Answering } from './answering'
import type { Device } from '../device/device'

export interface Route {
  id: OperationId
  method: Method
  /** In the router's notation, `/nodes/:node`. */
  url: string
  handler: Answering
}

/** A route for each operation of the contract that this variant has. */
export const routes = (device: Device, answers: Answers): Route[] =>
  operationsOf(device).map((id) => route(id, basePath, operation(id).path, answering(id, device, answers)))

export const operationsOf = ({ variant }: Device): OperationId[] =>
  operationIds.filter((id) => operation(id).variants?.includes(variant) ?? true)

/** @param path in the contract's notation, `/nodes/{node}` */
export const route = (id: OperationId, base: string, path: string, handler: Answering): Route => ({
  id,
  method: operation(id).method,
  url: base + path.replace(/\{(\w+)\}/g, ':$1'),
  handler,
})
