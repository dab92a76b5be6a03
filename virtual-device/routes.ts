import type { FastifyInstance } from 'fastify'
import { basePath, operation, operationIds } from '../lib/contract'
import type { Answers } from './answer'
import { answering } from './answering'
import type { Device } from './device'

/** A route for each operation of the contract that this variant of the device has. */
export function addRoutes(app: FastifyInstance, device: Device, answers: Answers): void {
  for (const id of operationIds) {
    const { method, path, variants } = operation(id)
    if (variants && !variants.includes(device.variant)) continue
    app.route({ method, url: basePath + routePath(path), handler: answering(id, device, answers) })
  }
}

/** `/nodes/{node}` as the router writes it. */
export const routePath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')
