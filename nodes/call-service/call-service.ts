import type { Node, NodeAPI, NodeDef } from 'node-red'
import { refusal, refusedError } from '../../lib/client/refusal'
import { ToOutput } from '../shared/outcome'
import { invalidInput, spoken } from '../shared/node-error'
import { onInput } from '../shared/on-input'
import { number } from '../shared/number'
import { callServiceFields, type CallServiceFields } from './fields'

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-call-service', function (this: Node, given: NodeDef & CallServiceFields) {
    RED.nodes.createNode(this, given)
    const fields = { ...callServiceFields, ...given }

    onInput(RED, this, fields, async ({ device, read, text, name, signal }) => {
      const service = name('service')
      const args = argumentsOf(read('args'))
      const deadline =
        fields.deadline === '' ? {} : { deadline: 1000 * number('deadline', fields.deadline, 0.001) }

      const asked = { pipeline: text('pipeline'), node: name('node'), signal }
      const { response } = await device.onNode(asked, (target) =>
        target.scope === 'global'
          ? device.client.callGlobalService({ node: target.node, service, args }, { signal, ...deadline })
          : device.client.callService(
              { pipeline: target.pipeline, node: target.node, service, args },
              { signal, ...deadline },
            ),
      )

      const refused = refusal(response)
      if (!refused) return { payload: response, service }
      const error = refusedError(refused, {
        operation: 'callService',
        what: service,
        device: device.client.address,
        language: spoken(),
      })
      if (fields.onRefusal === 'error') throw error
      const { code, message, cause } = error
      return new ToOutput(1, { payload: response, service, error: { code, message, cause } })
    })
  })
}

/** Nothing at all and an empty list mean no arguments, as they do to the device. */
function argumentsOf(given: unknown): Record<string, unknown> {
  if (given === undefined || given === null || given === '') return {}
  if (Array.isArray(given) && given.length === 0) return {}
  if (typeof given === 'object' && !Array.isArray(given)) return given as Record<string, unknown>
  throw invalidInput('not-an-object', { field: 'args' })
}
