/** The node *get status*: on each message or at an interval. In: a message or time. Out: the status, or its changes. */
import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red'
import type { NodeStatus, SysInfo } from '../../lib/contract'
import { startInterval, startTimeout } from '../../lib/kernel/timers'
import { fixedNames } from '../device/known-nodes'
import { type NodeInput, onInput } from '../device/on-input'
import { sentencesOf } from '../sentences'
import { checkedFields, numberOf } from '../shared/fields/checked-fields'
import { whenStarted } from '../shared/handle-input'
import { codeOf } from '../shared/node-error'
import { NoAnswer, NodeAnswer, type OutcomeSummary, named, summarizeValues } from '../shared/outcome'
import { parameterName, parameterNames, type TypedName } from '../shared/read-fields'
import { summarize as answered, say } from '../shared/sentences'
import { type GetStatusFields, getStatusNode } from './fields'

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-get-status', function (this: Node, config: NodeDef & GetStatusFields) {
    RED.nodes.createNode(this, config)
    const fields = checkedFields(RED, this, getStatusNode, config)
    if (!fields) return
    const { when, property } = fields
    const orZero = (name: 'interval' | 'threshold') => numberOf(getStatusNode, fields, name) ?? 0

    let last: { comparable: unknown } | { failure: unknown } | undefined
    const ownReads = new WeakSet<NodeMessage>()
    let pending = 0

    onInput(
      RED,
      this,
      getStatusNode,
      fields,
      async (input) => {
        const isOwn = ownReads.has(input.msg)
        pending++
        try {
          const { answer, status, comparable: comparable, summary } = await readStatus(input, fields)
          const threshold = orZero('threshold')
          const isNew = !last || 'failure' in last || differs(last.comparable, comparable, threshold)
          if (when === 'change' && !isNew) return new NoAnswer()
          last = { comparable: comparable }
          return new NodeAnswer({ status, [property]: answer }, summary)
        } catch (error) {
          const failure = codeOf(error) ?? 'failed'
          const isKnown = isOwn && last && 'failure' in last && last.failure === failure
          if (isOwn) last = { failure }
          // The same error on every read would flood the log.
          if (isKnown) return new NoAnswer(error)
          throw error
        } finally {
          pending--
        }
      },
      { names: fixedNames(RED, this, getStatusNode, fields) },
    )

    every(
      RED,
      this,
      () => orZero('interval'),
      () => {
        // A slow device gets one request at a time.
        if (pending > 0) return
        const poll: NodeMessage = {}
        ownReads.add(poll)
        this.receive(poll)
      },
    )
  })
}

const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/** A name such as a serial number; also beyond exact numbers. */
const tooLong = /^[+-]?\d{16,}$/

/** Converts numeric texts. */
export const asNumbers = (values: NodeStatus['values']): Record<string, number | string> =>
  Object.fromEntries(Object.entries(values).map(([name, text]) => [name, numberOr(text)]))

function numberOr(text: string): number | string {
  const given = text.trim()
  return decimal.test(given) && !tooLong.test(given) ? Number(given) : text
}

const { nodeError } = sentencesOf('get-status')

/**
 * A dot leads into a part: `ntp.synchronized`.
 * @param missing stands in for a missing value
 * @throws NOT_FOUND naming the available values
 */
function picked(values: Values, name: string, missing?: null): unknown {
  let found: unknown = values
  for (const part of name.split('.')) {
    if (typeof found === 'object' && found !== null && Object.hasOwn(found, part))
      found = (found as Values)[part]
    else if (missing === null) return null
    else throw nodeError('NOT_FOUND', 'unknown-value', { value: name, known: Object.keys(values).join(', ') })
  }
  return found
}

type Values = Readonly<Record<string, unknown>>

type StatusRequest = Pick<
  NodeInput<TypedName<GetStatusFields>>,
  'device' | 'signal' | 'text' | 'name' | 'read'
>

type Shape = Pick<GetStatusFields, 'what' | 'which' | 'shownAs'>

interface StatusSnapshot {
  /** Null for a value of a node that does not run. */
  answer: unknown
  status: SysInfo | (Omit<NodeStatus, 'values'> & { values: Values })
  /** What makes a state different: everything but the clock. */
  comparable: unknown
  summary: OutcomeSummary
}

const readStatus = (request: StatusRequest, shape: Shape): Promise<StatusSnapshot> =>
  shape.what === 'system' ? ofSystem(request, shape) : ofNode(request, shape)

async function ofSystem({ device, signal, read }: StatusRequest, { which }: Shape): Promise<StatusSnapshot> {
  const status = await device.client.getSystem({ signal })
  const answer = which === 'all' ? status : chosen(status, which, read)
  const comparable = which === 'all' ? { ...status, time: 0, uptime: 0 } : answer
  const { hostname, ready } = status
  const summary =
    which === 'all'
      ? answered(
          'result-state',
          { name: hostname, state: say(ready ? 'result-ready' : 'result-starting') },
          { value: ready },
        )
      : summarizeChosen(answer, which, read)
  return { answer, status, comparable: comparable, summary }
}

async function ofNode(
  { device, signal, text, name, read }: StatusRequest,
  { which, shownAs }: Shape,
): Promise<StatusSnapshot> {
  const query = { pipeline: text('pipeline'), node: name('node'), signal }
  const response = await device.onNode(query, (target) =>
    target.scope === 'global'
      ? device.client.getGlobalNodeStatus({ node: target.node }, { signal })
      : device.client.getNodeStatus({ pipeline: target.pipeline, node: target.node }, { signal }),
  )
  const { status: state } = response
  const values: Values =
    shownAs === 'number' ? asNumbers(response.values) : Object.fromEntries(Object.entries(response.values))
  const isSilent = Object.keys(values).length === 0
  const answer =
    which === 'all' ? values : chosen({ status: state, ...values }, which, read, isSilent ? null : undefined)
  const summary =
    which === 'all'
      ? answered('result-state', { name: query.node, state: state }, { value: state })
      : summarizeChosen(answer, which, read)
  return { answer, status: { ...response, values }, comparable: { state, answer }, summary }
}

const summarizeChosen = (
  answer: unknown,
  which: 'one' | 'several',
  read: StatusRequest['read'],
): OutcomeSummary =>
  which === 'one'
    ? summarizeValues([named(parameterName(read('value'), 'value'), answer)], answer)
    : summarizeValues(Object.entries(answer as Values).map(([name, value]) => named(name, value)))

/** @param missing replaces a missing value, if that is allowed */
function chosen(
  values: Values,
  which: 'one' | 'several',
  read: StatusRequest['read'],
  missing?: null,
): unknown {
  const value = (name: string) => picked(values, name, missing)
  if (which === 'one') return value(parameterName(read('value'), 'value'))
  return Object.fromEntries(parameterNames(read('value'), 'value').map((name) => [name, value(name)]))
}

/** Seconds for a virtual device in the same flow to start. */
const patience = 1

/** First within a second after the start of the flows, then at this interval in seconds. */
function every(RED: NodeAPI, node: Node, seconds: () => number, tick: () => void): void {
  let timer: NodeJS.Timeout | undefined
  const begin = () => {
    try {
      const pause = seconds()
      if (pause === 0) return
      timer = startTimeout(
        () => {
          tick()
          timer = startInterval(tick, 1000 * pause)
        },
        1000 * Math.min(pause, patience),
      )
    } catch (error) {
      node.error(error, {})
    }
  }
  const cancel = whenStarted(RED, begin)
  node.on('close', () => {
    cancel()
    clearTimeout(timer)
  })
}

/** @param threshold smallest difference of numbers that counts; 0 counts any */
export function differs(before: unknown, now: unknown, threshold: number): boolean {
  if (typeof before === 'number' && typeof now === 'number')
    return before !== now && Math.abs(now - before) >= threshold
  if (!isObject(before) || !isObject(now)) return before !== now
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].some((key) =>
    differs(before[key], now[key], threshold),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
