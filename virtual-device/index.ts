import type { VirtualDeviceOptions } from './options'
import type { VirtualDevice } from './start'

/**
 * Starts a virtual device in this process. The server is loaded only here, so a program that runs the device in a
 * separate thread does not load it.
 * @throws StartError with a sentence on why it cannot start
 */
export async function startVirtualDevice(options?: VirtualDeviceOptions): Promise<VirtualDevice> {
  // oxlint-disable-next-line paths/no-unresolved -- a later import needs the extension that lint does not know
  const { startVirtualDevice: start } = await import('./start.js')
  return start(options)
}

export { startInWorker, type DeviceInWorker } from './thread/start-in-worker'
export { manualClock, systemClock, type Clock } from './values'
export { type CellTruth, CellSettings } from './cell/cell'
export { Scenario } from './scenario'
export type { SidePort, SidePortOption, SidePorts } from './side-ports'
export { StartError, type StartErrorCode } from './start-error'
export type { VirtualDeviceOptions } from './options'
export type { HandledCall, VirtualDevice } from './start'
export type { ParameterValue } from './module'
