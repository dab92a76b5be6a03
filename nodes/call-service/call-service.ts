/**
 * The node *call service*. In: arguments in the message or the dialog. Out: the answer of the service; a refusal on its own
 * output or as an error. A call is never sent twice.
 */
import { createRequire } from 'node:module'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { refusal, refusedError, returnCodeIn } from '../../lib/client/error-answer'
import type { VisionError } from '../../lib/client/vision-error'
import { sleep } from '../../lib/kernel/timers'
import { fixedNames, inPipeline } from '../device/known-nodes'
import { type NodeInput, onInput } from '../device/on-input'
import { sentencesOf } from '../sentences'
import { checkedFields, numberOf } from '../shared/fields/checked-fields'
import { isObject } from '../shared/is-object'
import { codeOf, placeOf } from '../shared/node-error'
import { NodeAnswer, type OutcomeSummary } from '../shared/outcome'
import { onlyReads } from '../shared/permission'
import type { TypedName } from '../shared/read-fields'
import { invalidInput } from '../shared/sentences'
import type * as Drawings from './drawn-over'
import { type CallServiceFields, callServiceNode } from './fields'
import { depthPeriod, isAcquisition, mayBeIdle, startIdleModule } from './start-idle-module'

const { nodeError, summarize } = sentencesOf('call-service')

/** Loaded with the first result that is drawn. */
const loadDrawing = () => createRequire(__filename)('./drawn-over') as typeof Drawings

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-call-service', function (this: Node, config: NodeDef & CallServiceFields) {
    RED.nodes.createNode(this, config)
    const fields = checkedFields(RED, this, callServiceNode, config)
    if (!fields) return

    const body = async ({
      msg,
      device,
      read,
      text,
      name,
      signal,
    }: NodeInput<TypedName<CallServiceFields>>) => {
      const drawing = fields.draws ? loadDrawing() : undefined
      const view = drawing?.pictureToDrawOn(msg)
      const { client, deadline: usual } = device
      const service = name('service')
      const args = argumentsOf(read('args'))
      const own = numberOf(callServiceNode, fields, 'deadline')
      const deadline = own === undefined ? usual : 1000 * own
      const options = { signal, deadline }

      const query = { pipeline: text('pipeline'), node: name('node'), signal }
      const call = async (itsService: string, itsArgs: Record<string, unknown>): Promise<unknown> => {
        const { response } = await device.onNode(query, (target) => {
          const input = { node: target.node, service: itsService, args: itsArgs }
          return target.scope === 'global'
            ? client.callGlobalService(input, options)
            : client.callService({ pipeline: target.pipeline, ...input }, options)
        })
        return response
      }
      const start = () =>
        startIdleModule({
          node: query.node,
          device: client.name,
          service,
          within: deadline,
          signal,
          start: () => call('start', {}),
          status: () =>
            device.onNode(query, (target) =>
              target.scope === 'global'
                ? client.getGlobalNodeStatus({ node: target.node }, options)
                : client.getNodeStatus({ pipeline: target.pipeline, node: target.node }, options),
            ),
        })

      // Queried first: distinguishes an absent device from a call whose outcome is unknown.
      const waits = fields.waitsForDepth && isAcquisition(service)
      const period = waits
        ? await depthPeriod(query.node, (node, param) =>
            device.onNode({ ...query, node }, (target) =>
              client.getParameter({ ...inPipeline(target), param }, options),
            ),
          )
        : 0
      let response = await call(service, args)
      try {
        if (fields.startsModule && mayBeIdle(response) && (await start()))
          response = await call(service, args)
        const refused = refusal(response)
        if (!refused) {
          // 101 and 102 are only remarks; no image follows.
          const isDue = period > 0 && returnCodeIn(response)?.value === 0
          if (isDue)
            await sleep(period, signal).catch(() => {
              throw nodeError('ABORTED', 'node-closed')
            })
          const drawn =
            drawing && view
              ? await drawing.drawnOver(view, {
                  ...{ answer: response, args },
                  calibration: () => drawing.savedCalibration(device, query),
                })
              : undefined
          const properties = { payload: response, service, ...(drawn && { picture: drawn }) }
          return new NodeAnswer(properties, summaryOf(service, response))
        }
        throw refusedError(refused, { operation: 'callService', what: service, ...placeOf(client) })
      } catch (error) {
        if (fields.onRefusal === 'error' || codeOf(error) !== 'REFUSED') throw error
        const { code, message, cause } = error as VisionError
        const properties = { payload: response, service, error: { code, message, cause } }
        return new NodeAnswer(properties, { text: message, state: 'failed', code }, 1)
      }
    }
    onInput(RED, this, callServiceNode, fields, body, {
      names: fixedNames(RED, this, callServiceNode, fields),
      changes: ({ name }) => !onlyReads(name('service')),
    })
  })
}

/** No value and an empty list both mean no arguments, as on the device. */
function argumentsOf(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null || value === '') return {}
  if (Array.isArray(value) && value.length === 0) return {}
  if (isObject(value)) return value
  throw invalidInput('not-an-object', { field: 'args' })
}

const findings = ['grasps', 'items', 'matches', 'tags', 'load_carriers'] as const

/** A positive return code is a remark of the device. */
function summaryOf(service: string, response: unknown): OutcomeSummary {
  const code = returnCodeIn(response)
  if (code && code.value > 0)
    return summarize(
      'result-service-remark',
      { service, message: code.message },
      { state: 'warning', code: code.value, value: foundIn(response) ?? code.value },
    )
  const found = foundIn(response)
  return found === undefined
    ? summarize('result-service', { service })
    : summarize('result-found', { service, count: found }, { value: found })
}

function foundIn(response: unknown): number | undefined {
  if (!isObject(response)) return undefined
  const list = findings.map((name) => response[name]).find(Array.isArray)
  return list?.length
}
