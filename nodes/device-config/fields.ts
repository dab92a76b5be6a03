/** The settings of a device and their defaults; the dialog's `defaults` are checked against them. */
export const deviceConfigFields = {
  name: '',
  /** Host, host:port or URL; `${ENV}` inside is replaced. */
  address: '',
  /** Id of a `tls-config` node. */
  tls: '',
  login: 'none' as 'none' | 'password' | 'token',
  format: 'json' as 'json' | 'ubjson',
  /** Seconds for a whole call, retries included. */
  deadline: 5,
  /** Seconds. */
  connectDeadline: 3,
  /** Requests per second; 0 is without limit. */
  pace: 0,
  /** Calls in flight. */
  concurrency: 4,
  /** Messages that may wait in each node on the device. */
  queue: 100,
  /** Seconds from one health check to the next. */
  healthInterval: 5,
}
export type DeviceConfigFields = typeof deviceConfigFields

/** What Node-RED stores apart, and encrypted. */
export const deviceCredentials = {
  user: { type: 'text' },
  password: { type: 'password' },
  token: { type: 'password' },
} as const
export type DeviceCredentials = Partial<Record<keyof typeof deviceCredentials, string>>
