import { operationIds, type OperationId } from '../contract'
import { Call } from './call'
import type { Client } from './client'
import { Engine } from './engine'
import { settingsOf, type CallOptions, type ClientOptions } from './options'
import { planOf, type Plan } from './plan'
import type { CallInput } from './request-of'

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
