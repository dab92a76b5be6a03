import { returnCodeIn } from '../../lib/client/said'
import { isObject } from '../shared/is-object'
import type { OutcomeSummary } from '../shared/outcome'
import { sentencesOf } from '../sentences'

const { told } = sentencesOf('call-service')

/** Fields in which detection and grasping services list what they found. */
const findings = ['grasps', 'items', 'matches', 'tags', 'load_carriers'] as const

/** A short text on what a service did; a positive return code is a remark of the device. */
export function toldOf(service: string, response: unknown): OutcomeSummary {
  const code = returnCodeIn(response)
  if (code && code.value > 0)
    return told(
      'result-service-remark',
      { service, message: code.message },
      { state: 'warning', code: code.value, value: foundIn(response) ?? code.value },
    )
  const found = foundIn(response)
  return found === undefined
    ? told('result-service', { service })
    : told('result-found', { service, count: found }, { value: found })
}

function foundIn(response: unknown): number | undefined {
  if (!isObject(response)) return undefined
  const list = findings.map((name) => response[name]).find(Array.isArray)
  return list?.length
}
