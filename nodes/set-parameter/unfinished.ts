import { VisionError } from '../../lib/client/vision-error'
import { nodeError, say } from './sentences'

/** What became of a parameter. */
export type WriteFate = 'written' | 'putBack' | 'untouched' | 'unknown'

/** A parameter that is to be written. */
export interface WrittenPart {
  name: string
  value: unknown
  before: unknown
  fate: WriteFate
}

/** What a node is to get. */
export interface WritePlan {
  /** As the flow calls it. */
  node: string
  /** By the device's own name. */
  at: { pipeline: string; node: string }
  parts: WrittenPart[]
}

/** In the order in which they are told. */
const told = [
  ['written', 'nodes-written'],
  ['unknown', 'nodes-unknown'],
  ['putBack', 'nodes-put-back'],
  ['untouched', 'nodes-untouched'],
] as const satisfies [WriteFate, string][]

/** The error of a node that was not written among several: why, and what became of every parameter. */
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
