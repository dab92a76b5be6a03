import { number } from '../shared/number'
import type { DeviceConfigFields } from './fields'

/** The numbers of the settings, checked; each may come from an environment variable, and so as text. */
export const deviceNumbers = (fields: DeviceConfigFields) => ({
  atOnce: Math.floor(number('concurrency', fields.concurrency, 1, 64)),
  room: Math.floor(number('queue', fields.queue, 0, 10_000)),
  /** Requests per second. */
  pace: number('pace', fields.pace, 0, 1000),
  /** Seconds. */
  healthInterval: number('healthInterval', fields.healthInterval, 0.1, 3600),
  /** Milliseconds. */
  deadline: Math.round(1000 * number('deadline', fields.deadline, 0.001, 3600)),
  /** Milliseconds. */
  connectDeadline: Math.round(1000 * number('connectDeadline', fields.connectDeadline, 0.001, 600)),
})
