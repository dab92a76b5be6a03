/** The node *set parameter*. In: values. Out: the values in effect. With several nodes, all or none. */
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { ParameterNameValue, ErrorCode, Parameter } from '../../lib/contract'
import type { Connection } from '../device/connection'
import { byName, byNode, itself, summarizeParameters, NodeAnswer } from '../shared/outcome'
import { fixedNames, inPipeline } from '../device/known-nodes'
import { codeOf } from '../shared/node-error'
import { onInput } from '../device/on-input'
import { parameterName, asType } from '../shared/read-fields'
import { checkedFields } from '../shared/fields/checked-fields'
import { setParameterNode, type SetParameterFields } from './fields'
import { VisionError } from '../../lib/client/vision-error'
import { choices } from '../../lib/contract/reading/values'
import { abortedAfter } from '../../lib/kernel/timers'
import { sentencesOf } from '../sentences'
import { isObject } from '../shared/is-object'
import { shown } from '../shared/shown'

const { nodeError, say, invalidInput } = sentencesOf('set-parameter')

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-set-parameter', function (this: Node, config: NodeDef & SetParameterFields) {
    RED.nodes.createNode(this, config)
    const fields = checkedFields(RED, this, setParameterNode, config)
    if (!fields) return
    const isOne = fields.which === 'one'

    onInput(
      RED,
      this,
      setParameterNode,
      fields,
      async ({ device, read, text, name, signal }) => {
        if (fields.which === 'nodes') {
          const options = { pipeline: text('pipeline'), putsBack: fields.putsBack, signal }
          const written = await writeNodes(device, valuesByNode(read('value')), options)
          return new NodeAnswer(
            { payload: byNode(written, ({ value }) => value), parameter: byNode(written, itself) },
            summarizeParameters(written.flatMap(({ records }) => records)),
          )
        }
        const values = isOne
          ? [{ name: parameterName(read('parameter')), value: present(read('value')) }]
          : namedValues(read('value'))

        const query = { pipeline: text('pipeline'), node: name('node'), signal }
        const written = await device.onNode(query, async (target) => {
          const node = inPipeline(target)
          const parameters = await checkedValues(device, node, values, signal)
          try {
            const [first] = parameters
            if (!isOne || !first)
              return await device.client.setParameters({ ...node, parameters }, { signal })
            const { name: param, value } = first
            return [await device.client.setParameter({ ...node, param, value }, { signal })]
          } catch (error) {
            // The cached limits may be out of date.
            if (codeOf(error) === 'BAD_REQUEST') device.records.forget()
            throw error
          }
        })

        const [only] = written
        if (isOne && only)
          return new NodeAnswer(
            { payload: only.value, parameter: only },
            summarizeParameters(written, only.value),
          )
        return new NodeAnswer(
          { payload: byName(written, ({ value }) => value), parameter: byName(written, itself) },
          summarizeParameters(written),
        )
      },
      { names: fixedNames(RED, this, setParameterNode, fields) },
    )
  })
}

function present(value: unknown): unknown {
  if (value === undefined) throw invalidInput('empty-field', { field: 'value' })
  return value
}

/**
 * Values in the device's types, checked against cached records; a rejected value is checked again against fresh ones.
 * @throws INVALID_INPUT if type, limits or choices do not allow a value
 */
async function checkedValues(
  { records }: Connection,
  target: { pipeline: string; node: string },
  values: readonly ParameterNameValue[],
  signal: AbortSignal,
): Promise<ParameterNameValue[]> {
  const known = records.known(target)
  if (known) {
    try {
      return check(known)
    } catch {
      // Decided by fresh records below.
    }
  }
  return check(await records.ask(target, signal))

  function check(byName: NonNullable<typeof known>) {
    return values.map(({ name, value }) => {
      const record = byName.get(name)
      // The device itself refuses an unknown name.
      return { name, value: record ? acceptedValue(record, value) : value }
    })
  }
}

/** Milliseconds to restore values after a close; a device waits 10 s for its nodes. */
const undoWithin = 8000

interface Options {
  pipeline: string
  /** Restores what was written before a later node refused. */
  putsBack: boolean
  signal: AbortSignal
}

interface WrittenRecords {
  node: string
  records: Parameter[]
}

/**
 * Writes node by node in the given order, each in one request, after checking everything against the device's records.
 * @throws VisionError of the node that was not written; its cause has the outcome of every parameter
 */
export async function writeNodes(
  device: Connection,
  changes: readonly NodeValues[],
  { pipeline, putsBack, signal }: Options,
): Promise<WrittenRecords[]> {
  const plans = await Promise.all(changes.map((each) => planned(device, pipeline, each, signal)))
  const results: WrittenRecords[] = []
  for (const plan of plans) {
    const parameters = plan.parts.map(({ name, value }) => ({ name, value }))
    try {
      const records = await device.client.setParameters({ ...plan.at, parameters }, { signal })
      results.push({ node: plan.node, records })
      settle(plan, () => 'written')
    } catch (error) {
      // The cached limits may be out of date.
      if (codeOf(error) === 'BAD_REQUEST') device.records.forget()
      // Values are restored even while closing; the device waits for its nodes.
      const after = signal.aborted ? abortedAfter(undoWithin) : signal
      settle(plan, await fatesAfter(error, device, plan, after))
      if (putsBack) await restore(device, plans, after)
      throw unfinished(error, plan, plans)
    }
  }
  return results
}

async function planned(
  device: Connection,
  pipeline: string,
  { node, values }: NodeValues,
  signal: AbortSignal,
): Promise<WritePlan> {
  const { client } = device
  return device.onNode({ pipeline, node, signal }, async (target) => {
    const at = inPipeline(target)
    const records = await client.getParameters({ ...at, name: values.map(({ name }) => name) }, { signal })
    const parts = values.map(({ name, value }): WrittenPart => {
      const record = records.find((each) => each.name === name)
      if (!record)
        throw nodeError('NOT_FOUND', 'unknown-parameter', { node, parameter: name, device: client.name })
      return { name, value: acceptedValue(record, value), before: record.value, fate: 'untouched' }
    })
    return { node, at, parts }
  })
}

const settle = ({ parts }: WritePlan, fateOf: (part: WrittenPart) => WriteFate) => {
  for (const part of parts) part.fate = fateOf(part)
}

/** Nothing has reached the device. */
const notSent: ReadonlySet<ErrorCode | undefined> = new Set([
  'UNREACHABLE',
  'STARTING',
  'RATE_LIMITED',
  'TIMEOUT',
])

/** Per parameter of a failed node: the specification does not guarantee all or none. */
async function fatesAfter(
  error: unknown,
  { client }: Connection,
  { at, parts }: WritePlan,
  signal: AbortSignal,
): Promise<(part: WrittenPart) => WriteFate> {
  try {
    const now = await client.getParameters({ ...at, name: parts.map(({ name }) => name) }, { signal })
    const values = new Map(now.map(({ name, value }) => [name, value]))
    // It may still arrive, whatever one read-back shows.
    const isOpen = codeOf(error) === 'OUTCOME_UNKNOWN' || codeOf(error) === 'ABORTED'
    return ({ name, before, value }) => {
      if (values.get(name) !== before) return 'written'
      return isOpen && value !== before ? 'unknown' : 'untouched'
    }
  } catch {
    return () => (notSent.has(codeOf(error)) ? 'untouched' : 'unknown')
  }
}

/** Last write first. */
async function restore(
  { client }: Connection,
  plans: readonly WritePlan[],
  signal: AbortSignal,
): Promise<void> {
  for (const { at, parts } of [...plans].reverse()) {
    const changed = parts.filter(({ fate }) => fate !== 'untouched')
    if (changed.length === 0) continue
    try {
      const parameters = changed.map(({ name, before }) => ({ name, value: before }))
      await client.setParameters({ ...at, parameters }, { signal })
      // A write that may still arrive would follow this one.
      for (const part of changed) if (part.fate === 'written') part.fate = 'putBack'
    } catch {
      // The original failure reports the outcome.
    }
  }
}

type WriteFate = 'written' | 'putBack' | 'untouched' | 'unknown'

interface WrittenPart {
  name: string
  value: unknown
  before: unknown
  fate: WriteFate
}

interface WritePlan {
  node: string
  /** The device's own name. */
  at: { pipeline: string; node: string }
  parts: WrittenPart[]
}

const fateSentences = [
  ['written', 'nodes-written'],
  ['unknown', 'nodes-unknown'],
  ['putBack', 'nodes-put-back'],
  ['untouched', 'nodes-untouched'],
] as const satisfies [WriteFate, string][]

/** The error of a node, with the outcome of every parameter. */
function unfinished(error: unknown, { node }: WritePlan, plans: readonly WritePlan[]): unknown {
  if (!(error instanceof VisionError)) return error
  const { code, message, cause } = error
  let state = ''
  const parameters: Record<string, Record<string, string[]>> = {}
  for (const [fate, key] of fateSentences) {
    const found = namesOf(plans, fate)
    const names = Object.entries(found).map(([its, list]) => `${its} (${list.join(', ')})`)
    if (names.length === 0) continue
    state += ` ${say(key, { names: names.join(', ') })}`
    parameters[fate] = found
  }
  return nodeError(code, 'nodes-not-written', { node, why: message, state }, { ...cause, parameters })
}

function namesOf(plans: readonly WritePlan[], expected: WriteFate): Record<string, string[]> {
  const found = plans.map(({ node, parts }): [string, string[]] => [
    node,
    parts.filter(({ fate }) => fate === expected).map(({ name }) => name),
  ])
  return Object.fromEntries(found.filter(([, names]) => names.length > 0))
}

interface NodeValues {
  node: string
  values: ParameterNameValue[]
}

/** `{ "fps": 10, "exp_auto": false }` @throws INVALID_INPUT */
export function namedValues(value: unknown): ParameterNameValue[] {
  const values = entries(value, 'not-an-object').map(([name, value]) => ({ name, value }))
  if (values.length === 0) throw invalidInput('empty-field', { field: 'value' })
  return values
}

/** `{ "dev_camera": { "fps": 10 } }` @throws INVALID_INPUT */
export function valuesByNode(value: unknown): NodeValues[] {
  const nodes = entries(value, 'not-by-node').map(([node, its]) => ({
    node,
    values: entries(its, 'not-by-node').map(([name, value]) => ({ name, value })),
  }))
  if (nodes.every(({ values }) => values.length === 0)) throw invalidInput('empty-field', { field: 'value' })
  return nodes.filter(({ values }) => values.length > 0)
}

function entries(value: unknown, key: 'not-an-object' | 'not-by-node'): [string, unknown][] {
  if (isObject(value)) return Object.entries(value)
  throw invalidInput(key, { field: 'value' })
}

/**
 * Converts to the device's type; text that can only be a number, `true` or `false` is accepted.
 * @throws INVALID_INPUT naming the parameter, the value and what is allowed
 */
export function acceptedValue(record: Parameter, input: unknown): unknown {
  const { name, type } = record
  const refuse = (key: 'parameter-type' | 'parameter-choice', expected: string) =>
    invalidInput(key, { parameter: name, value: shown(input), expected })

  const value = asType(type, input)
  if (value === undefined) throw refuse('parameter-type', type)
  if (typeof value === 'string') {
    const allowed = choices(record)
    if (allowed && !allowed.includes(value)) throw refuse('parameter-choice', allowed.join(', '))
  }
  if (typeof value !== 'number') return value
  const [least, most] = limits(record)
  if (value < least || value > most) {
    throw invalidInput('parameter-limits', { parameter: name, value, least, most })
  }
  return value
}

/** Narrowed to the range of the integer type. */
function limits({ type, min, max }: Parameter): [least: number, most: number] {
  const [, sign, bits] = /^(u?)int(\d+)$/.exec(type) ?? []
  const span = bits ? 2 ** (Number(bits) - (sign ? 0 : 1)) : Infinity
  const least = bits && sign ? 0 : -span
  const most = bits ? span - 1 : span
  return [typeof min === 'number' ? min : least, typeof max === 'number' ? max : most]
}
