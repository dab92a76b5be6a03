/** The node *pipeline*: pipelines of a device with several sensors. In: a command. Out: the configuration. */
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { Client } from '../../lib'
import type { OperationId, PipelineConfiguration, Result } from '../../lib/contract'
import type { Connection } from '../device/connection'
import { type NodeInput, onInput, restartDevice } from '../device/on-input'
import { sentencesOf } from '../sentences'
import { checkedFields, numberOf } from '../shared/fields/checked-fields'
import { codeOf } from '../shared/node-error'
import { NodeAnswer } from '../shared/outcome'
import { mustBeConfirmed } from '../shared/permission'
import type { TypedName } from '../shared/read-fields'
import { type PipelineFields, pipelineNode } from './fields'

const { invalidInput, summarize } = sentencesOf('pipeline')

const operations: Record<PipelineFields['action'], OperationId[]> = {
  list: [],
  configure: ['setPipelineType'],
  delete: ['deletePipeline'],
  apply: [],
}

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-pipeline', function (this: Node, config: NodeDef & PipelineFields) {
    RED.nodes.createNode(this, config)
    const fields = checkedFields(RED, this, pipelineNode, config)
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
        return new NodeAnswer({ ...listing }, summarize('result-pipelines', { count }, { value: count }))
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

      // Without a pending change, a restart would only stop the cell.
      const restarted = restarts && (await configured()).pending_changes
      if (restarted) await restartDevice(input, numberOf(pipelineNode, fields, 'readyWithin'), 1)
      const listing = await listPipelines(device, await configured(), signal)
      const key = restarted ? 'result-restarted' : restarts ? 'result-unchanged' : 'result-pipeline-later'
      return new NodeAnswer({ ...listing, restarted }, summarize(key, {}, { value: restarted }))
    }
    onInput(RED, this, pipelineNode, fields, body, { changes: () => action !== 'list' })
  })
}

/** @throws INVALID_INPUT for an impossible number */
function assertExists(pipeline: string, { max_pipelines }: PipelineConfiguration, device: string): void {
  const last = max_pipelines - 1
  if (/^\d$/.test(pipeline) && Number(pipeline) <= last) return
  throw invalidInput('no-such-pipeline', { pipeline, last, device })
}

interface ListedPipeline {
  pipeline: string
  /** Configured sensor; null if it runs only until the next restart. */
  kind: string | null
  /** Running sensor; null if it starts with the next restart. */
  runs: string | null
  /** Null if it is not running. */
  status: string | null
}

interface Listing {
  payload: ListedPipeline[]
  configuration: PipelineConfiguration
}

/** Not provided by every device. */
async function running(client: Client, signal: AbortSignal): Promise<Result<'listPipelines'>> {
  try {
    return await client.listPipelines({ signal })
  } catch (error) {
    if (codeOf(error) === 'NOT_FOUND') return {}
    throw error
  }
}

async function listPipelines(
  { client }: Connection,
  configuration: PipelineConfiguration,
  signal: AbortSignal,
): Promise<Listing> {
  const active = await running(client, signal)
  const names = [...new Set([...Object.keys(configuration.config), ...Object.keys(active)])].sort()
  const payload = names.map((pipeline) => ({
    pipeline,
    kind: configuration.config[pipeline]?.type ?? null,
    runs: active[pipeline]?.type ?? null,
    status: active[pipeline]?.status ?? null,
  }))
  return { payload, configuration }
}
