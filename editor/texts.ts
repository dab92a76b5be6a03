import type { Parameter } from '../lib/contract'
import { madeIneffectiveBy } from '../lib/contract/reading/ineffective'
import { parameterUnit } from '../lib/contract/reading/values'
import type { NodeParameters } from './parameter-value'
import { sharedText } from './dialog'
import type { HandshakeSnapshot } from '../nodes/plc/handshake-snapshot'

export function valueText(value: unknown, unit = ''): string {
  const shown = typeof value === 'string' ? value || '""' : JSON.stringify(value)
  return unit ? `${shown} ${unit}` : shown
}

/** `1 to 25 Hz`; empty without meaningful limits. */
export function limitsText({ min, max, description }: Parameter): string {
  if (typeof min !== 'number' || typeof max !== 'number') return ''
  return sharedText('present.limits', { min, max: valueText(max, parameterUnit({ description })) })
}

/** `No effect at present: exp_auto is true.`, with the node if it is another one; empty if effective or unknown. */
export function ineffectiveText({ node, byNode }: NodeParameters, { name }: Parameter): string {
  const by = madeIneffectiveBy(node, name, byNode)
  if (!by) return ''
  const cause = [by.node, by.record.name].filter(Boolean).join(' ')
  const values = { name: cause, value: valueText(by.record.value, parameterUnit(by.record)) }
  return by.unlessCallHas === 'gripper'
    ? sharedText('present.ineffectiveUnlessGripper', values)
    : sharedText('present.ineffective', values)
}

const phaseWords = {
  unknown: 'plcUnknown',
  'not-ready': 'plcNotReady',
  ready: 'plcReady',
  busy: 'plcBusy',
  done: 'plcDone',
  error: 'plcError',
} as const satisfies Record<HandshakeSnapshot['phase'], string>

/** As in the trigger node's status. */
export const phaseText = ({ phase }: Pick<HandshakeSnapshot, 'phase'>): string =>
  sharedText(`status.${phaseWords[phase]}`)

export const timeText = (milliseconds: number): string => {
  const [value, unit] = milliseconds < 1000 ? [milliseconds, 'ms'] : [milliseconds / 1000, 's']
  return `${numberText(Number(value.toPrecision(value < 100 ? 2 : 3)))} ${unit}`
}

export const numberText = (value: number): string => value.toLocaleString(RED.i18n.lang())

export type Translator = (key: string, values?: Record<string, string | number>) => string
