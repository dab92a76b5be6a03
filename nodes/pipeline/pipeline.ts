import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { OperationId, PipelineConfiguration } from '../../lib/contract'
import { mustBeConfirmed } from '../shared/permission'
import { onInput, type NodeInput } from '../device/on-input'
import type { TypedName } from '../shared/read-fields'
import { NodeAnswer } from '../shared/outcome'
import { restartDevice } from '../device/restart-device'
import { checkedFields, numberOf } from '../shared/fields/checked-fields'
import { pipelineNode, type PipelineFields } from './fields'
import { listPipelines } from './list-pipelines'
import { sentencesOf } from '../sentences'

const { invalidInput, told } = sentencesOf('pipeline')

/** The operation of each action, besides reading and a restart. */
const operations: Record<PipelineFields['action'], OperationId[]> = {
  list: [],
  configure: ['setPipelineType'],
  delete: ['deletePipeline'],
  apply: [],
}

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-pipeline', function (this: Node, given: NodeDef & PipelineFields) {
    RED.nodes.createNode(this, given)
    const fields = checkedFields(RED, this, pipelineNode, given)
    if (!fields) return
    const { action, confirmed } = fields
    const restarts = action === 'apply' || (action !== 'list' && fields.restart === 'now')
    const doubtful = [...operations[action], ...(restarts ? ['reboot'] : [])].some(mustBeConfirmed)

    const body = async (input: NodeInput<TypedName<PipelineFields>>) => {
      const { device, signal, name } = input
      const { client } = device
      const configured = () => client.getPipelineConfiguration({ signal })

      const before = await configured()
      if (action === 'list') {
        const listing = await listPipelines(device, before, signal)
        const count = listing.payload.length
        return new NodeAnswer({ ...listing }, told('result-pipelines', { count }, { value: count }))
      }

      if (device.variant === 'single' || before.max_pipelines < 2)
        throw invalidInput('one-pipeline', { device: client.name })
      if (doubtful && !confirmed) {
        const what = RED._(`@cellsight/node-red-vision/pipeline:pipeline.action.${action}`)
        throw invalidInput('not-confirmed', { what })
      }
      if (action !== 'apply') {
        const pipeline = name('pipeline')
        assertExists(pipeline, before, client.name)
        if (action === 'configure') await client.setPipelineType({ pipeline, type: name('kind') }, { signal })
        else if (pipeline === '0') throw invalidInput('pipeline-zero-stays', { device: client.name })
        else await client.deletePipeline({ pipeline }, { signal })
      }

      // If no change is waiting for it, a restart would only stop the cell.
      const restarted = restarts && (await configured()).pending_changes
      if (restarted) await restartDevice(input, numberOf(pipelineNode, fields, 'readyWithin'), 1)
      const listing = await listPipelines(device, await configured(), signal)
      const key = restarted ? 'result-restarted' : restarts ? 'result-unchanged' : 'result-pipeline-later'
      return new NodeAnswer({ ...listing, restarted }, told(key, {}, { value: restarted }))
    }
    onInput(RED, this, pipelineNode, fields, body, { changes: () => action !== 'list' })
  })
}

/** @throws INVALID_INPUT for a pipeline number that the device cannot have */
function assertExists(pipeline: string, { max_pipelines }: PipelineConfiguration, device: string): void {
  const last = max_pipelines - 1
  if (/^\d$/.test(pipeline) && Number(pipeline) <= last) return
  throw invalidInput('no-such-pipeline', { pipeline, last, device })
}
