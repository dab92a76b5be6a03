import type { AddressInfo } from 'node:net'
import type { OperationId, Variant } from '../lib/contract'
import type { ArmName } from './arm/kinematics'
import { type HandledCall, Device } from './device/device'
import { type DeviceState, Store } from './device/device-state'
import { answerDiscovery } from './discovery'
import { imageService, ImageThread } from './images/image-service'
import { resolvedOptions, type ResolvedOptions, type VirtualDeviceOptions } from './options'
import type { ParameterValue } from './module'
import { robotService } from './robot/robot-interface'
import type { Scenario } from './scenario'
import { pageUrl } from './page/page-html'
import { server } from './server/server'
import { closeSidePorts, openSidePorts, type SidePorts } from './side-ports'
import { StartError } from './start-error'

/** A running device. */
export interface VirtualDevice {
  /** Without the API's path: `http://127.0.0.1:8080`. */
  url: string
  port: number
  /** Its own page, for this machine; undefined if it listens on a network address alone. */
  page: string | undefined
  /** Ports beside the API: images and robot interface, if they are not off. */
  ports: SidePorts
  variant: Variant
  scenario: () => Scenario
  /** Changes some keys. @throws TypeError with a sentence on an unknown key or an invalid value; nothing is applied then */
  setScenario: (part: Partial<Scenario>) => void
  /** Present value of a parameter; the node's name with or without prefix. @param pipeline @default '0' */
  parameter: (node: string, name: string, pipeline?: string) => ParameterValue
  /** The last thousand requests, newest last. */
  calls: () => readonly HandledCall[]
  /** Closes all connections at once; all state is saved then. */
  stop: () => Promise<void>
}
export type { HandledCall, OperationId }

/** @throws StartError with a sentence on why it cannot start */
export async function startVirtualDevice(options: VirtualDeviceOptions = {}): Promise<VirtualDevice> {
  const resolved = resolvedOptions(options)
  const store = resolved.state === undefined ? undefined : new Store(resolved.state, resolved.variant)
  await store?.check()
  const device = newDevice(resolved, store, await store?.load())
  for (const id of await device.shelf.tidy()) device.note('WARN', `the file of ${id} is missing`)
  await device.saved()
  const arm = resolved.arm === 'off' ? undefined : await armOf(device, resolved.arm)
  const images = new ImageThread(device)
  const sides = [
    imageService(device, images),
    ...(device.variant === 'multi' ? [robotService(device)] : []),
    ...(arm ? [arm] : []),
  ]
  // When the API answers, everything else is ready.
  device.sidePorts = await openSidePorts(sides, resolved)
  const app = server(device, (order) => images.glance(order))
  const { url, port, address } = await listen(app, resolved).catch(async (error: unknown) => {
    await closeSidePorts(sides)
    throw error
  })
  device.start(address)
  const { model, serial, mac, hostname: name } = device.identity
  const responder = resolved.discovery
    ? await answerDiscovery(
        { host: address, port, model, serial, mac, name },
        resolved.discovery === true ? undefined : resolved.discovery,
      )
    : undefined
  return {
    url,
    port,
    page: pageUrl(address, port),
    ports: device.sidePorts,
    variant: device.variant,
    scenario: () => structuredClone(device.scenario),
    setScenario: (part) => device.setScenario(part),
    parameter: (node, name, pipeline) => {
      const found = device.node(node, pipeline)
      if (!found) throw new TypeError(`There is no node ${node}.`)
      return found.parameters.value(name)
    },
    calls: () => device.calls.list(),
    stop: async () => {
      device.stop()
      await Promise.all([app.close(), closeSidePorts(sides), responder?.close()])
      await device.saved()
      await store?.idle()
    },
  }
}

function newDevice(options: ResolvedOptions, store?: Store, saved?: DeviceState): Device {
  const device = restoredDevice(options, store, saved)
  try {
    device.setScenario(options.scenario)
    return device
  } catch (error) {
    throw new StartError('INVALID_OPTION', 'option.scenario', { reason: (error as Error).message }, error)
  }
}

/** The modules define the format of their part of the state. */
function restoredDevice(options: ResolvedOptions, store?: Store, saved?: DeviceState): Device {
  try {
    return new Device(options, store, saved)
  } catch (error) {
    throw store && saved ? store.damaged((error as Error).message, error) : error
  }
}

interface ServedAddress {
  url: string
  port: number
  address: string
}

async function listen(
  app: ReturnType<typeof server>,
  { host, port }: ResolvedOptions,
): Promise<ServedAddress> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    await app.close()
    throw notListening(error as NodeJS.ErrnoException, { host, port })
  }
  const bound = app.server.address() as AddressInfo
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`
  return { url, port: bound.port, address: bound.address }
}

function notListening(error: NodeJS.ErrnoException, place: { host: string; port: number }): StartError {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError('PORT_NOT_FREE', 'listen.inUse', place, error)
    case 'EACCES':
      return new StartError('PORT_NOT_FREE', 'listen.forbidden', place, error)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError('HOST_NOT_HERE', 'listen.notHere', place, error)
    default:
      return new StartError('HOST_NOT_HERE', 'listen.failed', { ...place, reason: error.message }, error)
  }
}

/** Its programs, protocols and kinematics are loaded only for a device that has one. */
async function armOf(device: Device, name: ArmName) {
  // oxlint-disable-next-line paths/no-unresolved -- a later import needs the extension that lint does not know
  const { armService } = await import('./arm/arm-service.js')
  return armService(device, name)
}
