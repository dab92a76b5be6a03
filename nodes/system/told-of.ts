import { isObject } from '../shared/is-object'
import type { OutcomeSummary } from '../shared/outcome'
import type { ActionName } from './fields'
import { say, told } from '../shared/sentences'

/** A summary of what an action did. @param label the action's label in the dialog */
export function toldOf(action: ActionName, payload: unknown, label: string): OutcomeSummary {
  if (isObject(payload) && typeof payload['ready'] === 'boolean') {
    const { ready, hostname } = payload
    const state = say(action === 'reboot' ? 'result-restarted' : ready ? 'result-ready' : 'result-starting')
    return told('result-state', { name: hostname, state }, { value: ready })
  }
  const isPlain = typeof payload === 'string'
  return isPlain
    ? told('result-state', { name: label, state: payload }, { value: payload })
    : told('result-operation', { operation: label })
}
