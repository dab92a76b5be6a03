import { numberOf } from '../shared/fields/checked-fields'
import { deviceConfigNode, type DeviceConfigFields } from './fields'

/** The checked numbers of the settings; each may come from an environment variable, and is then a text. */
export const deviceNumbers = (fields: DeviceConfigFields) => ({
  atOnce: numberOf(deviceConfigNode, fields, 'concurrency'),
  room: numberOf(deviceConfigNode, fields, 'queue'),
  /** Requests per second. */
  pace: numberOf(deviceConfigNode, fields, 'pace'),
  /** TCP port. */
  imagePort: numberOf(deviceConfigNode, fields, 'imagePort'),
  /** Seconds. */
  healthInterval: numberOf(deviceConfigNode, fields, 'healthInterval'),
  /** Seconds. */
  metricsInterval: numberOf(deviceConfigNode, fields, 'metricsInterval'),
  /** Milliseconds. */
  deadline: Math.round(1000 * numberOf(deviceConfigNode, fields, 'deadline')),
  /** Milliseconds. */
  connectDeadline: Math.round(1000 * numberOf(deviceConfigNode, fields, 'connectDeadline')),
  /** Milliseconds. */
  lateArrival: Math.round(1000 * numberOf(deviceConfigNode, fields, 'gatewayDelay')),
})
