import { inPipeline } from '../../device/known-nodes'
import { valuesByNode, writeNodes } from '../../set-parameter/write-nodes'
import { byName } from '../../shared/by-name'
import { done, type DeviceCommand } from './parts'
import { sentencesOf } from '../../sentences'

const { invalidInput } = sentencesOf('cell-agent')

/** `{ pipeline?, node, names? }`: the values of the parameters of one node, or of those with these names. */
export const readParameters: DeviceCommand = async ({ device }, { args }, { signal }) => {
  const { connection } = device
  const node = textIn(args, 'node')
  const { names } = args
  if (names !== undefined && !(Array.isArray(names) && names.every((name) => typeof name === 'string')))
    throw invalidInput('cell-argument', { argument: 'names' })
  const records = await connection.onNode({ pipeline: pipelineIn(args), node, signal }, (target) =>
    connection.client.getParameters(
      { ...inPipeline(target), ...(names !== undefined && { name: names }) },
      { signal },
    ),
  )
  return done({ parameters: { [node]: byName(records, ({ value }) => value) } })
}

/** `{ pipeline?, parameters: { node: { name: value } } }`: all are written, or what was written is put back. */
export const setParameters: DeviceCommand = async ({ name, device }, { args }, { signal }, { prints }) => {
  const wanted = valuesByNode(args['parameters'])
  try {
    const written = await writeNodes(device.connection, wanted, {
      pipeline: pipelineIn(args),
      putsBack: true,
      signal,
    })
    return done({
      parameters: Object.fromEntries(
        written.map(({ node, records }) => [node, byName(records, ({ value }) => value)]),
      ),
    })
  } finally {
    prints.changed(name)
  }
}

type Arguments = Readonly<Record<string, unknown>>

/** @throws INVALID_INPUT */
export function textIn(args: Arguments, argument: string): string {
  const text = args[argument]
  if (typeof text !== 'string' || text === '') throw invalidInput('cell-argument', { argument })
  return text
}

/** @default '0' @throws INVALID_INPUT */
export const pipelineIn = (args: Arguments): string =>
  args['pipeline'] === undefined ? '0' : textIn(args, 'pipeline')
