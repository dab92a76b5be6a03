import { refusal, messageIn } from '../../lib/client/error-answer'
import { clientSentences, VisionError } from '../../lib/client/vision-error'
import type { NodeStatus, Parameter } from '../../lib/contract'
import { innerState } from '../../lib/contract/reading/values'
import { pauseFor } from '../../lib/kernel/timers'
import { sentencesOf } from '../sentences'
import { codeOf, currentLanguage } from '../shared/node-error'

const { nodeError } = sentencesOf('call-service')

interface IdleModule {
  node: string
  /** As in `client.name`. */
  device: string
  service: string
  /** Milliseconds from the start until it must run. */
  within: number
  signal: AbortSignal
  status: () => Promise<NodeStatus>
  start: () => Promise<unknown>
}

/** Not possible in the present state: the module may have to be started. */
const notNow = -8

const pause = 100

/** Whether a service may have been refused (and not executed) because its module is idle. */
export const mayBeIdle = (response: unknown): boolean => {
  const refused = refusal(response)
  return refused?.by === 'return_code' && refused.value === notNow
}

/**
 * Starts an idle module, as detection modules are after each restart of the device, and waits until it runs.
 * @returns whether it now runs; false if it is not idle or has no `start`
 * @throws VisionError `REFUSED` if it does not start, `TIMEOUT` if it takes too long
 */
export async function startIdleModule(module: IdleModule): Promise<boolean> {
  if (!(await isIdle(module))) return false
  const end = performance.now() + module.within
  const start = await started(module)
  if (!start) return false
  if (start.state === 'running') return true

  for (;;) {
    const state = stateOf(await module.status())
    if (state === 'running') return true
    if (state === 'fatal') throw failed(module, 'module-fatal')
    if (start.error && (start.isFinal || performance.now() >= end)) throw start.error
    if (performance.now() >= end) throw tooSlow(module)
    // The next check ends on an abort.
    await pauseFor(pause, module.signal)
  }
}

async function isIdle({ status }: IdleModule): Promise<boolean> {
  try {
    return stateOf(await status()) === 'idle'
  } catch (error) {
    if (codeOf(error) === 'ABORTED') throw error
    return false
  }
}

interface Start {
  state?: State
  /** The error to end with if the module still does not run. */
  error?: VisionError
  /** The start has failed and nothing is in progress. */
  isFinal?: boolean
}

async function started(module: IdleModule): Promise<Start | undefined> {
  try {
    const response = await module.start()
    const refused = refusal(response)
    // Another flow may have started it in the meantime.
    if (refused) return { error: failed(module, 'module-not-started', refused.message), isFinal: true }
    const { current_state: state } = response as { current_state?: unknown }
    return { state: ofInner(state) }
  } catch (error) {
    if (codeOf(error) === 'NOT_FOUND') return undefined
    // It may have started, so the call is not repeated.
    if (error instanceof VisionError && error.code === 'OUTCOME_UNKNOWN') return { error }
    throw error
  }
}

type State = 'idle' | 'running' | 'fatal' | 'other'

/** A module with an inner state is `running` in each of them; `idle` is reported by modules without one. */
function stateOf({ status, values }: NodeStatus): State {
  const inner = ofInner(innerState(values))
  if (inner === 'fatal' || status === 'down') return 'fatal'
  if (inner === 'idle' || status === 'idle') return 'idle'
  return status === 'running' && (inner === undefined || inner === 'running') ? 'running' : 'other'
}

function ofInner(state: unknown): State | undefined {
  if (typeof state !== 'string') return undefined
  const known: Partial<Record<string, State>> = { IDLE: 'idle', RUNNING: 'running', FATAL: 'fatal' }
  return known[state] ?? 'other'
}

function failed(
  { node, device, service }: IdleModule,
  key: 'module-fatal' | 'module-not-started',
  message = '',
): VisionError {
  const text = messageIn(message)
  const detail = text === undefined ? '' : clientSentences.say('said', { text }, currentLanguage())
  return nodeError('REFUSED', key, { node, device, service, said: detail }, { status: 200 })
}

const tooSlow = ({ node, device, service, within }: IdleModule): VisionError =>
  nodeError('TIMEOUT', 'module-slow', { node, device, service, seconds: within / 1000 })

/** Milliseconds from trigger to depth image, by the parameter `quality`. */
const periods: Readonly<Partial<Record<string, number>>> = {
  Low: 40,
  Medium: 1000 / 15,
  High: 1000 / 3,
  Full: 1000,
}

const depthNode = /stereomatching$/

/** Answered when the device accepts it, before the image exists. */
export const isAcquisition = (service: string) => service === 'acquisition_trigger'

/**
 * Milliseconds from an accepted trigger to its depth image; at least one camera period.
 * @param node whose service triggers; its camera has the same prefix
 */
export async function depthPeriod(
  node: string,
  parameter: (node: string, name: string) => Promise<Pick<Parameter, 'value'>>,
): Promise<number> {
  if (!depthNode.test(node)) return 0
  const { value: quality } = await parameter(node, 'quality')
  const { value: fps } = await parameter(node.replace(depthNode, 'camera'), 'fps')
  const rate = Number(fps)
  return Math.max(periods[String(quality)] ?? 0, rate > 0 ? 1000 / rate : 0)
}
