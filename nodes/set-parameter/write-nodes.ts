import { abortedAfter } from '../../lib/timers/timers'
import type { ErrorCode, Parameter } from '../../lib/contract'
import type { Connection } from '../device/connection'
import { inPipeline } from '../device/known-nodes'
import { codeOf } from '../shared/node-error'
import { acceptedValue } from './accepted-value'
import { unfinished, type WriteFate, type WrittenPart, type WritePlan } from './unfinished'
import type { NodeValues } from './values-by-node'
import { sentencesOf } from '../sentences'

const { nodeError } = sentencesOf('set-parameter')

/** Milliseconds to put values back after a close; a device waits for 10 s for its nodes. */
const undoWithin = 8000

interface Options {
  pipeline: string
  /** Undoes what was written if a later node refuses. */
  putsBack: boolean
  signal: AbortSignal
}

/** The device's records of one node after the write. */
export interface WrittenRecords {
  node: string
  records: Parameter[]
}

/**
 * Writes parameters of several nodes, node by node in the given order, each in one request. Checks everything against
 * the device's own records before the first write.
 * @throws VisionError of the node that was not written; its cause has the outcome for every parameter
 */
export async function writeNodes(
  device: Connection,
  wanted: readonly NodeValues[],
  { pipeline, putsBack, signal }: Options,
): Promise<WrittenRecords[]> {
  const plans = await Promise.all(wanted.map((each) => planned(device, pipeline, each, signal)))
  const kept: WrittenRecords[] = []
  for (const plan of plans) {
    const parameters = plan.parts.map(({ name, value }) => ({ name, value }))
    try {
      const records = await device.client.setParameters({ ...plan.at, parameters }, { signal })
      kept.push({ node: plan.node, records })
      settle(plan, () => 'written')
    } catch (error) {
      // The known limits may be out of date.
      if (codeOf(error) === 'BAD_REQUEST') device.records.forget()
      // A close must not keep them from being put back; the device waits for its nodes.
      const after = signal.aborted ? abortedAfter(undoWithin) : signal
      settle(plan, await fatesAfter(error, device, plan, after))
      if (putsBack) await putBack(device, plans, after)
      throw unfinished(error, plan, plans)
    }
  }
  return kept
}

/** The values to write, and the device's present values. */
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

/** With these errors, nothing has reached the device. */
const notSent: ReadonlySet<ErrorCode | undefined> = new Set([
  'UNREACHABLE',
  'STARTING',
  'RATE_LIMITED',
  'TIMEOUT',
])

/**
 * The outcome for each parameter of a node whose write failed: the specification does not say that a device accepts all
 * or none.
 */
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

/** The last write is undone first. */
async function putBack(
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
      // A write that may still arrive would come after this one.
      for (const part of changed) if (part.fate === 'written') part.fate = 'putBack'
    } catch {
      // The failure that caused the undo reports the outcome.
    }
  }
}
