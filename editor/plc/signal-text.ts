import type { HandshakeSnapshot } from '../../nodes/plc/handshake-snapshot'
import { sharedText } from '../dialog'

const words = {
  unknown: 'plcUnknown',
  'not-ready': 'plcNotReady',
  ready: 'plcReady',
  busy: 'plcBusy',
  done: 'plcDone',
  error: 'plcError',
} as const satisfies Record<HandshakeSnapshot['phase'], string>

/** Where the handshake is, in the words of the status below its trigger node. */
export const phaseText = ({ phase }: Pick<HandshakeSnapshot, 'phase'>): string =>
  sharedText(`status.${words[phase]}`)

/** Milliseconds as people read them. */
export const timeText = (milliseconds: number): string => {
  const [value, unit] = milliseconds < 1000 ? [milliseconds, 'ms'] : [milliseconds / 1000, 's']
  return `${numberText(Number(value.toPrecision(value < 100 ? 2 : 3)))} ${unit}`
}

export const numberText = (value: number): string => value.toLocaleString(RED.i18n.lang())

/** The texts of the panel in the language of the editor. */
export type Translator = (key: string, values?: Record<string, string | number>) => string
