import type { NodeStatus, SysInfo } from '../../lib/contract'
import type { NodeInput } from '../device/on-input'
import { parameterName, parameterNames, type TypedName } from '../shared/read-fields'
import type { OutcomeSummary } from '../shared/outcome'
import { named, toldValues } from '../shared/told'
import { asNumbers } from './as-numbers'
import type { GetStatusFields } from './fields'
import { picked } from './picked'
import { say, told as answered } from '../shared/sentences'

type Values = Readonly<Record<string, unknown>>
type StatusRequest = Pick<
  NodeInput<TypedName<GetStatusFields>>,
  'device' | 'signal' | 'text' | 'name' | 'read'
>
type Shape = Pick<GetStatusFields, 'what' | 'which' | 'shownAs'>

/** The result of one read. */
interface StatusSnapshot {
  /** The requested value or values; null for a value of a node that does not run and therefore has none. */
  answer: unknown
  /** The whole answer of the device. */
  status: SysInfo | (Omit<NodeStatus, 'values'> & { values: Values })
  /** What distinguishes one state from another: everything but the clock, which always advances. */
  telling: unknown
  /** A short text for people. */
  told: OutcomeSummary
}

/** Reads the status of the device or of one of its nodes. */
export const readStatus = (asked: StatusRequest, shape: Shape): Promise<StatusSnapshot> =>
  shape.what === 'system' ? ofSystem(asked, shape) : ofNode(asked, shape)

async function ofSystem({ device, signal, read }: StatusRequest, { which }: Shape): Promise<StatusSnapshot> {
  const status = await device.client.getSystem({ signal })
  const answer = which === 'all' ? status : chosen(status, which, read)
  const telling = which === 'all' ? { ...status, time: 0, uptime: 0 } : answer
  const { hostname, ready } = status
  const told =
    which === 'all'
      ? answered(
          'result-state',
          { name: hostname, state: say(ready ? 'result-ready' : 'result-starting') },
          { value: ready },
        )
      : toldChosen(answer, which, read)
  return { answer, status, telling, told }
}

async function ofNode(
  { device, signal, text, name, read }: StatusRequest,
  { which, shownAs }: Shape,
): Promise<StatusSnapshot> {
  const asked = { pipeline: text('pipeline'), node: name('node'), signal }
  const given = await device.onNode(asked, (target) =>
    target.scope === 'global'
      ? device.client.getGlobalNodeStatus({ node: target.node }, { signal })
      : device.client.getNodeStatus({ pipeline: target.pipeline, node: target.node }, { signal }),
  )
  const { status: word } = given
  const values: Values =
    shownAs === 'number' ? asNumbers(given.values) : Object.fromEntries(Object.entries(given.values))
  const isSilent = Object.keys(values).length === 0
  const answer =
    which === 'all' ? values : chosen({ status: word, ...values }, which, read, isSilent ? null : undefined)
  const told =
    which === 'all'
      ? answered('result-state', { name: asked.node, state: word }, { value: word })
      : toldChosen(answer, which, read)
  return { answer, status: { ...given, values }, telling: { word, answer }, told }
}

const toldChosen = (answer: unknown, which: 'one' | 'several', read: StatusRequest['read']): OutcomeSummary =>
  which === 'one'
    ? toldValues([named(parameterName(read('value'), 'value'), answer)], answer)
    : toldValues(Object.entries(answer as Values).map(([name, value]) => named(name, value)))

/** @param missing stands in for a missing value, if that is allowed */
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
