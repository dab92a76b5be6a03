import type { Parameter } from '../lib/contract'
import { sharedText } from './shared-text'

/** The unit of a parameter, which the device writes at the end of its description: `Delivered frame rate (Hz)`. */
export const unitOf = ({ description }: Pick<Parameter, 'description'>): string =>
  /\(([^()\s]{1,8})\)\.?(?::|$)/.exec(description)?.[1] ?? ''

/** A value as a person reads it, with its unit. */
export function valueText(value: unknown, unit = ''): string {
  const shown = typeof value === 'string' ? value || '""' : JSON.stringify(value)
  return unit ? `${shown} ${unit}` : shown
}

/** `1 to 25 Hz`; empty where a parameter has no limits that mean anything. */
export function limitsText({ min, max, description }: Parameter): string {
  if (typeof min !== 'number' || typeof max !== 'number') return ''
  return sharedText('present.limits', { min, max: valueText(max, unitOf({ description })) })
}
