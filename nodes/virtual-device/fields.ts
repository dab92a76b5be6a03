/** The fields of the node and their defaults; the dialog's `defaults` are checked against them. */
export const virtualDeviceFields = {
  name: '',
  /** 0 takes any free port. */
  port: 8080,
  host: '127.0.0.1',
  variant: 'single' as 'single' | 'multi',
  nodePrefix: 'dev_',
  /** Folder that keeps the state over restarts; empty keeps nothing. */
  stateFolder: '',
  seed: 1,
  /** Empty: that of the state folder, else drawn from seed and port. */
  serial: '',
  /** The scenario at the start, as JSON. */
  scenario: '{}',
}
export type VirtualDeviceFields = typeof virtualDeviceFields
