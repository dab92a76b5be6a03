import type { Node } from 'node-red'
import type { ChosenReading } from '../device/read-chosen'
import { loadMetrics } from '../metrics/load-metrics'
import { deviceNumbers } from './device-numbers'
import type { DeviceConfigFields } from './fields'
import { say } from './sentences'

/** The status values to read for the metrics. An invalid list is reported; the device works all the same. */
export function chosenOf(node: Node, fields: DeviceConfigFields): ChosenReading {
  const { chosenValues, mostChosen } = loadMetrics()
  try {
    const { metricsInterval: interval } = deviceNumbers(fields)
    const values = chosenValues(fields.metricsValues)
    if (!values) node.warn(say('bad-metrics-values', { most: mostChosen }))
    return { values: values ?? [], interval }
  } catch {
    // Opening the device names the number that is wrong.
    return { values: [], interval: 60 }
  }
}
