import type { NodeInfo } from '../../lib/contract'
import type { NodeLists } from './node-lists'
import { ownName } from './own-name'
import { codeOf } from '../shared/node-error'
import { say } from '../shared/say'

/** Names that a node always uses, because its dialog fixes them. */
export interface FixedNames {
  /** Empty for global nodes. */
  pipeline: string
  nodes: readonly string[]
  parameters: readonly string[]
  services: readonly string[]
}

type Fields = Readonly<Record<string, unknown>>

/** What the dialog fixes; nothing where a message, a context or an expression decides. */
export function fixedNames(fields: Fields): FixedNames | undefined {
  const pipeline = fixed(fields, 'pipeline')
  const nodes = listed(fixed(fields, 'node'))
  if (pipeline === undefined || nodes.length === 0) return undefined
  const isOne = nodes.length === 1
  return {
    pipeline,
    nodes,
    parameters: isOne && fields['which'] !== 'all' ? listed(fixed(fields, 'parameter')) : [],
    services: isOne ? listed(fixed(fields, 'service')) : [],
  }
}

function fixed(fields: Fields, name: string): string | undefined {
  const [value, kind] = [fields[name], fields[`${name}Type`]]
  return typeof value === 'string' && kind === 'str' && !value.includes('${') ? value.trim() : undefined
}

const listed = (names = ''): string[] =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

/** The names that the device does not have; none where that cannot be told. */
export async function missingNames(
  lists: NodeLists,
  { pipeline, nodes, parameters, services }: FixedNames,
): Promise<string[]> {
  try {
    const known = [...(pipeline ? await lists.inPipeline(pipeline) : []), ...(await lists.global())]
    return nodes.flatMap((node) => {
      const own = ownName(
        node,
        known.map(({ name }) => name),
      )
      const info = known.find(({ name }) => name === own)
      return info ? missingIn(info, parameters, services) : [node]
    })
  } catch (error) {
    return ['NOT_FOUND', 'BAD_REQUEST'].includes(codeOf(error) ?? '') && pipeline
      ? [say('result-pipeline', { pipeline })]
      : []
  }
}

const missingIn = (
  info: Pick<NodeInfo, 'parameters' | 'services'>,
  parameters: readonly string[],
  services: readonly string[],
): string[] => [
  ...parameters.filter((name) => !info.parameters.includes(name)),
  ...services.filter((name) => !info.services.includes(name)),
]
