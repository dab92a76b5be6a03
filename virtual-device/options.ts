import type { Variant } from '../lib/contract'
import { armNames, type ArmName } from './arm/kinematics'
import { systemClock, type Clock } from './values'
import type { Scenario } from './scenario'
import { imageNaming } from './firmware/artifact'
import { isSidePortOption, type SidePortOption } from './side-ports'
import { StartError } from './start-error'

/** Options of a virtual device; all are optional. */
export interface VirtualDeviceOptions {
  /** 0 is any free port. @default 8080 */
  port?: number
  /**
   * First port of the image stream; pipeline p uses port + p. `auto` is 50051, or the next free one, and any free one
   * if `port` is 0; 0 is any free one. @default 'off'
   */
  imagePort?: SidePortOption
  /**
   * Port of the robot interface of the multi variant. `auto` is 7100, or the next free one, and any free one if `port`
   * is 0; 0 is any free one. @default 'off'
   */
  robotPort?: SidePortOption
  /** The simulated robot arm in the same cell, by its model. @default 'off' */
  arm?: ArmName | 'off'
  /**
   * First port of the arm's controller, its dashboard server; the others are at the distances of the real ones. `auto`
   * is 29999, or the next free one, and any free ones if `port` is 0; 0 is any free ones. @default 'auto'
   */
  armPort?: SidePortOption
  /**
   * Answers GigE Vision discovery on the device's own address: on UDP port 3956, or on the given one. Of several devices on
   * a loopback address each takes one of its own. @default false
   */
  discovery?: boolean | number
  /** Address to listen on. @default '127.0.0.1' */
  host?: string
  /** @default 'single' */
  variant?: Variant
  /** Prefix of the node names. @default 'dev_' */
  nodePrefix?: string
  /** Folder for what must survive a restart. @default none, nothing is saved */
  state?: string
  /** Integer seed of all simulated measurements. @default 1 */
  seed?: number
  /**
   * Letters, digits and `-`. @default the saved one; without a saved state derived from seed and port, or from the seed
   * alone at port 0
   */
  serial?: string
  /** First part of the host name, `<model>-<serial>`. @default 'vision-single' or 'vision-multi' */
  model?: string
  /**
   * Image version of the active firmware, `v1.2.3` or `<prefix>-v1.2.3-<suffix>`. The number applies to a device that
   * starts for the first time; all its images have names in this form. @default 'v1.1.0'
   */
  imageVersion?: string
  /** Keys that differ from their defaults. */
  scenario?: Partial<Scenario>
  /** @default the clock of this machine */
  clock?: Clock
  /**
   * Pipelines of a device that starts for the first time: kind of sensor by name. @default two of kind stereo_a on the
   * multi variant, one on the single variant
   */
  pipelines?: Readonly<Record<string, string>>
  /** Bytes; a longer body is answered with 413. Uploaded files have no limit. @default 1 MiB */
  maxBodyBytes?: number
  /** Seconds without a byte after which an incomplete request is answered with 408. @default 30 */
  bodyTimeout?: number
}

export type ResolvedOptions = Required<Omit<VirtualDeviceOptions, 'state' | 'serial'>> & {
  state: string | undefined
  serial: string | undefined
}

/** A pipeline can be configured for these. */
export const sensorKinds = ['stereo_a', 'stereo_b', 'stereo_c', 'time_of_flight', 'structured_light'] as const

/** @throws StartError for an invalid value */
export function resolvedOptions({
  port = 8080,
  imagePort = 'off',
  robotPort = 'off',
  arm = 'off',
  armPort = 'auto',
  discovery = false,
  host = '127.0.0.1',
  variant = 'single',
  nodePrefix = 'dev_',
  state,
  seed = 1,
  serial,
  model = `vision-${variant}`,
  imageVersion = 'v1.1.0',
  scenario = {},
  clock = systemClock,
  pipelines = variant === 'multi' ? { '0': 'stereo_a', '1': 'stereo_a' } : { '0': 'stereo_a' },
  maxBodyBytes = 1024 * 1024,
  bodyTimeout = 30,
}: VirtualDeviceOptions = {}): ResolvedOptions {
  const resolved = {
    port,
    imagePort,
    robotPort,
    arm,
    armPort,
    discovery,
    host,
    variant,
    nodePrefix,
    state,
    seed,
    serial,
    model,
    imageVersion,
    scenario,
    clock,
    pipelines,
    maxBodyBytes,
    bodyTimeout,
  }
  const names = Object.keys(valid) as (keyof typeof valid)[]
  const wrong = names.find((name) => !valid[name](resolved))
  if (wrong !== undefined) throw new StartError('INVALID_OPTION', `option.${wrong}`)
  return resolved
}

const valid = {
  port: ({ port }) => Number.isInteger(port) && port >= 0 && port <= 65535,
  imagePort: ({ imagePort }) => isSidePortOption(imagePort),
  robotPort: ({ robotPort }) => isSidePortOption(robotPort),
  arm: ({ arm }) => arm === 'off' || (armNames as readonly string[]).includes(arm),
  armPort: ({ armPort }) => isSidePortOption(armPort),
  discovery: ({ discovery }) =>
    typeof discovery === 'boolean' || (Number.isInteger(discovery) && discovery > 0 && discovery <= 65535),
  host: ({ host }) => host !== '',
  variant: ({ variant }) => ['single', 'multi'].includes(variant),
  nodePrefix: ({ nodePrefix }) => /^\w{0,40}$/.test(nodePrefix),
  state: ({ state }) => state !== '',
  seed: ({ seed }) => Number.isSafeInteger(seed),
  serial: ({ serial }) => serial === undefined || /^[A-Za-z\d-]{1,32}$/.test(serial),
  model: ({ model }) => /^[a-z][a-z\d-]{0,29}$/i.test(model),
  imageVersion: ({ imageVersion }) => imageNaming(imageVersion) !== undefined,
  pipelines: ({ variant, pipelines }) =>
    Object.hasOwn(pipelines, '0') &&
    Object.entries(pipelines).every(
      ([name, kind]) =>
        (variant === 'multi' ? /^[0-3]$/ : /^0$/).test(name) &&
        (sensorKinds as readonly string[]).includes(kind),
    ),
  maxBodyBytes: ({ maxBodyBytes }) => Number.isInteger(maxBodyBytes) && maxBodyBytes > 0,
  bodyTimeout: ({ bodyTimeout }) => bodyTimeout > 0 && bodyTimeout < 86_400,
} satisfies Partial<Record<keyof ResolvedOptions, (options: ResolvedOptions) => boolean>>
