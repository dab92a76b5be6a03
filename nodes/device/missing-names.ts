import type { NodeInfo } from '../../lib/contract'
import { codeOf } from '../shared/node-error'
import type { DeviceLists } from './device-lists'
import type { FixedNames, UsedNode } from './fixed-names'
import { ownName } from './own-name'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('device')

/** The names that the device does not have; empty if that is unknown. */
export async function missingNames(lists: DeviceLists, used: FixedNames): Promise<string[]> {
  const found = await Promise.all([missingNodes(lists, used), missingStreams(lists, used)])
  return found.flat()
}

async function missingStreams(lists: DeviceLists, { streams }: FixedNames): Promise<string[]> {
  if (streams.length === 0) return []
  try {
    const known = await lists.streams()
    return streams.filter((name) => !known.includes(name))
  } catch {
    return []
  }
}

async function missingNodes(lists: DeviceLists, { pipeline, nodes }: FixedNames): Promise<string[]> {
  if (nodes.length === 0) return []
  try {
    // Without a pipeline it is a global node, or one in the pipeline that a message names: all have the same nodes as
    // the first.
    const known = [...(await lists.inPipeline(pipeline || '0')), ...(await lists.global())]
    const names = known.map(({ name }) => name)
    return nodes.flatMap((used) => {
      const own = ownName(used.node, names)
      const info = known.find(({ name }) => name === own)
      if (!info) return [used.node]
      const missing = missingIn(info, used)
      return nodes.length > 1 ? missing.map((name) => `${used.node} ${name}`) : missing
    })
  } catch (error) {
    return ['NOT_FOUND', 'BAD_REQUEST'].includes(codeOf(error) ?? '') && pipeline
      ? [say('result-pipeline', { pipeline })]
      : []
  }
}

const missingIn = (
  info: Pick<NodeInfo, 'parameters' | 'services'>,
  { parameters, services }: UsedNode,
): string[] => [
  ...parameters.filter((name) => !info.parameters.includes(name)),
  ...services.filter((name) => !info.services.includes(name)),
]
