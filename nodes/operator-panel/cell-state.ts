import { defaultCodes, type CodeName, type CodeTable } from '../../lib/plc/codes'
import { sentencesOf } from '../sentences'
import type { Phase } from '../../lib/plc/handshake'
import type { DeployedHandshake } from '../plc/deployed-handshake'
import { troubleOf } from '../plc/handshake-snapshot'
import { refusalOf } from '../shared/admin'
import { currentLanguage } from '../shared/node-error'
import type { OutcomeSummary, ResultState } from '../shared/outcome'

const { say } = sentencesOf('operator-panel')

/** Return code: not possible in the present state of the device. */
const notNow = -8

const isKnown = (name: string): name is CodeName => Object.hasOwn(defaultCodes, name)

/** Why a cycle ended with this code, and what to do. */
export function causeOf(code: number, codes: CodeTable): string {
  const name = Object.keys(codes).find((each) => codes[each] === code)
  if (name !== undefined && isKnown(name)) return say(`cause-${name}`)
  if (code === notNow) return say('cause-not-now')
  return code < 0 ? say('cause-refused') : say('cause-own', { name: name ?? code })
}

/** Without the remedy, which the reason contains. */
function briefCauseOf(code: number, codes: CodeTable): string {
  if (code === codes.UNREACHABLE) return say('cause-brief-UNREACHABLE')
  return code < 0 && code !== notNow ? say('cause-brief-refused') : causeOf(code, codes)
}

const isKnownCode = (code: number, codes: CodeTable): boolean =>
  Object.keys(codes).some((name) => codes[name] === code && isKnown(name))

export interface CellState {
  phase: Phase | 'off'
  word: string
  /** With the remedy. */
  reason: string
  /** A cell that is ready again after a failure is not shown as good. */
  appearance: Phase | 'off'
}

export interface LastCycle {
  code: number
  reason: string
  text: string
}

export function stateOf(handshake: DeployedHandshake | undefined, last?: LastCycle): CellState {
  if (!handshake?.isUsed)
    return { phase: 'off', word: say('state-off'), reason: say('reason-off'), appearance: 'off' }
  // The answer of the last cycle remains until the next one.
  const isStale = handshake.phase === 'done' && deviceTrouble(handshake) !== undefined
  const phase = isStale ? 'not-ready' : handshake.phase
  const { settings } = handshake
  const failure =
    settings && last && last.code !== settings.codes.DONE ? failureOf(last, settings) : undefined
  const appearance = phase === 'ready' && failure !== undefined ? 'not-ready' : phase
  return { phase, word: say(`state-${phase}`), reason: reasonOf(phase, handshake, last, failure), appearance }
}

/** @param failure of the last cycle */
function reasonOf(phase: Phase, handshake: DeployedHandshake, last?: LastCycle, failure?: string): string {
  switch (phase) {
    case 'unknown':
      return plcTrouble(handshake)
    case 'not-ready':
      return deviceTrouble(handshake) ?? plcHindrance(handshake)
    case 'ready':
      return failure === undefined ? say('reason-ready') : say('reason-ready-failed', { cause: failure })
    case 'error':
      return failure ?? say('reason-error')
    case 'done':
      return last?.text ?? say('reason-done')
    default:
      return say(`reason-${phase}`)
  }
}

/** Cause and remedy; with the node's error if the code alone is not enough. */
export function failureOf(
  { code, reason }: Pick<LastCycle, 'code' | 'reason'>,
  { codes }: Pick<NonNullable<DeployedHandshake['settings']>, 'codes'>,
): string {
  const saysLittle =
    code < 0 ||
    // The device may answer while its image port does not.
    [codes.OTHER, codes.DOES_NOT_FIT, codes.UNREACHABLE, codes.OUTCOME_UNKNOWN].includes(code) ||
    !isKnownCode(code, codes)
  const namesReason = reason !== '' && saysLittle
  const cause = namesReason ? briefCauseOf(code, codes) : causeOf(code, codes)
  const withCode = say('cause-with-code', { cause, code })
  return namesReason ? `${withCode} ${reason}` : withCode
}

export const plcTrouble = (handshake: DeployedHandshake): string =>
  troubleOf(handshake, currentLanguage()) ?? say('reason-unknown')

/** Undefined while it is ready. */
export function deviceTrouble({ device }: DeployedHandshake): string | undefined {
  if (!device || device.state === 'ready') return undefined
  const { state, trouble } = device
  if (state === 'starting') return say('cause-STARTING')
  if (state === 'connecting' || state === 'unreachable' || !trouble) return say('reason-device')
  return refusalOf(trouble, currentLanguage()).body.message
}

function plcHindrance({ cell, settings }: DeployedHandshake): string {
  const inputs = cell?.figures.seen?.inputs
  if (settings?.family.needsEnable && inputs?.enable !== true) return say('reason-not-enabled')
  return inputs?.trigger === true ? say('reason-trigger-set') : say('reason-not-ready')
}

/** In `msg.vision`. */
const results: Readonly<Record<CellState['phase'], ResultState>> = {
  ...{ off: 'warning', unknown: 'failed', 'not-ready': 'warning', ready: 'done' },
  ...{ busy: 'working', done: 'done', error: 'failed' },
}

export const stateSummary = ({ phase, word, reason, appearance }: CellState): OutcomeSummary => ({
  text: `${word}: ${reason}`,
  state: results[appearance],
  value: phase,
})

/** Readable on bright and dark pages. */
export const stateColours: Readonly<Record<'light' | 'dark', Readonly<Record<CellState['phase'], string>>>> =
  {
    light: {
      ...{ off: '#5c5c5c', unknown: '#b3261e', 'not-ready': '#8a5a00', ready: '#1565a8' },
      ...{ busy: '#8a5a00', done: '#0b6b10', error: '#b3261e' },
    },
    dark: {
      ...{ off: '#b4b4b4', unknown: '#ff8a80', 'not-ready': '#ffd23f', ready: '#7cc0ff' },
      ...{ busy: '#ffd23f', done: '#6dff6a', error: '#ff8a80' },
    },
  }
