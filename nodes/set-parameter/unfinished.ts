import { VisionError } from '../../lib/client/vision-error'
import { sentencesOf } from '../sentences'

const { nodeError, say } = sentencesOf('set-parameter')

/** The outcome of a parameter write. */
export type WriteFate = 'written' | 'putBack' | 'untouched' | 'unknown'

/** A parameter of a write. */
export interface WrittenPart {
  name: string
  value: unknown
  before: unknown
  fate: WriteFate
}

/** The write to one node. */
export interface WritePlan {
  /** The node's name in the flow. */
  node: string
  /** Under the device's own name. */
  at: { pipeline: string; node: string }
  parts: WrittenPart[]
}

/** In the order of the sentence. */
const told = [
  ['written', 'nodes-written'],
  ['unknown', 'nodes-unknown'],
  ['putBack', 'nodes-put-back'],
  ['untouched', 'nodes-untouched'],
] as const satisfies [WriteFate, string][]

/** The error of one of several nodes that was not written: the reason, and the outcome for every parameter. */
export function unfinished(error: unknown, { node }: WritePlan, plans: readonly WritePlan[]): unknown {
  if (!(error instanceof VisionError)) return error
  const { code, message, cause } = error
  let state = ''
  const parameters: Record<string, Record<string, string[]>> = {}
  for (const [fate, key] of told) {
    const found = namesOf(plans, fate)
    const names = Object.entries(found).map(([its, list]) => `${its} (${list.join(', ')})`)
    if (names.length === 0) continue
    state += ` ${say(key, { names: names.join(', ') })}`
    parameters[fate] = found
  }
  return nodeError(code, 'nodes-not-written', { node, why: message, state }, { ...cause, parameters })
}

function namesOf(plans: readonly WritePlan[], wanted: WriteFate): Record<string, string[]> {
  const found = plans.map(({ node, parts }): [string, string[]] => [
    node,
    parts.filter(({ fate }) => fate === wanted).map(({ name }) => name),
  ])
  return Object.fromEntries(found.filter(([, names]) => names.length > 0))
}
