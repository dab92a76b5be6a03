import { refusal, refusedError } from '../../../lib/client/error-answer'
import { isObject } from '../../shared/is-object'
import { placeOf } from '../../shared/node-error'
import { pipelineIn, textIn } from './parameters'
import { done, type DeviceCommand } from './parts'
import { sentencesOf } from '../../sentences'

const { invalidInput } = sentencesOf('cell-agent')

/** `{ pipeline?, node, service, args? }`: the answer of the service. */
export const callService: DeviceCommand = async ({ name, device }, { args }, { signal }, { prints }) => {
  const { connection } = device
  const { client } = connection
  const [node, service] = [textIn(args, 'node'), textIn(args, 'service')]
  const given = args['args'] ?? {}
  if (!isObject(given)) throw invalidInput('cell-argument', { argument: 'args' })
  try {
    const { response } = await connection.onNode({ pipeline: pipelineIn(args), node, signal }, (target) => {
      const call = { node: target.node, service, args: given }
      return target.scope === 'global'
        ? client.callGlobalService(call, { signal })
        : client.callService({ pipeline: target.pipeline, ...call }, { signal })
    })
    const refused = refusal(response)
    if (refused) throw refusedError(refused, { operation: 'callService', what: service, ...placeOf(client) })
    return done(response)
  } finally {
    prints.changed(name)
  }
}
