import { HandEyeConfiguration, RobotJob, UserSpaceProxy } from '../../lib/contract/schemas/system'
import { lengthOf } from '../../lib/robotics/pose'
import { type Static, Type, TypeCompiler, Value } from '../../lib/typebox'
import type { CellSettings } from '../cell/cell'
import { imageNaming } from '../firmware/image-version'
import type { ResolvedOptions } from '../options'
import { Scenario } from '../scenario'
import { ShelfState } from '../storage/file-shelf'
import { shown } from '../values'
import type { Store } from './store'

const texts = Type.Array(Type.String())

export type SystemState = Static<typeof SystemState>

/** The system settings of a device, as saved for a restart. */
export const SystemState = Type.Object({
  dns: Type.Object({ manual: texts }),
  ntp: Type.Object({ manual: texts }),
  network: Type.Object({
    dhcp_enabled: Type.Boolean(),
    persistent_ip_enabled: Type.Boolean(),
    persistent_ip_address: Type.String(),
    persistent_subnet_mask: Type.String(),
    persistent_default_gateway: Type.String(),
  }),
  firmware: Type.Object({
    active: Type.String(),
    inactive: Type.String(),
    bootsInactive: Type.Boolean({ description: 'the inactive image is the next to boot' }),
    fallbackBooted: Type.Boolean(),
    inactiveStarts: Type.Boolean({ description: 'false: whoever boots the inactive image falls back' }),
  }),
  /** Hash of the password of the user interface; null without a lock. */
  uiLock: Type.Union([Type.String(), Type.Null()]),
  /** Components of the uploaded license file; effective from the next boot. */
  license: Type.Record(Type.String(), Type.Boolean()),
  /** Seconds by which the device's time is ahead of its clock. */
  clockOffset: Type.Number(),
  /** Kind of sensor by pipeline name; effective from the next boot. */
  pipelines: Type.Record(Type.String(), Type.String()),
  userSpace: Type.Optional(Type.Object({ enabled: Type.Boolean(), proxy: UserSpaceProxy })),
  /** By the number of the job. */
  robotJobs: Type.Optional(Type.Record(Type.String(), RobotJob)),
  /** By the name of the pipeline. */
  robotCalibrations: Type.Optional(Type.Record(Type.String(), HandEyeConfiguration)),
})

export const factorySettings = ({
  pipelines,
  imageVersion,
}: Pick<ResolvedOptions, 'pipelines' | 'imageVersion'>): SystemState => ({
  dns: { manual: [] },
  ntp: { manual: [] },
  network: {
    dhcp_enabled: true,
    persistent_ip_enabled: false,
    persistent_ip_address: '192.168.0.10',
    persistent_subnet_mask: '255.255.255.0',
    persistent_default_gateway: '',
  },
  firmware: {
    active: imageNaming(imageVersion)?.version ?? imageVersion,
    inactive: 'v1.0.0',
    bootsInactive: false,
    fallbackBooted: false,
    inactiveStarts: true,
  },
  uiLock: null,
  license: {},
  clockOffset: 0,
  pipelines: { ...pipelines },
})

/** The images after a boot: swapped if the inactive one was selected and boots successfully. */
export function bootedFirmware(images: SystemState['firmware']): SystemState['firmware'] {
  if (!images.bootsInactive) return { ...images, fallbackBooted: false }
  if (!images.inactiveStarts) return { ...images, bootsInactive: false, fallbackBooted: true }
  const { active: inactive, inactive: active } = images
  return { active, inactive, bootsInactive: false, fallbackBooted: false, inactiveStarts: true }
}

const NodeState = Type.Object({
  parameters: Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.Number(), Type.String()])),
  /** What the module stores besides its parameters. */
  kept: Type.Optional(Type.Unknown()),
})

export type DeviceState = Static<typeof DeviceState>

/** All that a device keeps across a restart. */
export const DeviceState = Type.Object({
  serial: Type.Optional(Type.String()),
  system: SystemState,
  /** By `global` or the pipeline's name, then by the bare name of the module. */
  nodes: Type.Record(Type.String(), Type.Record(Type.String(), NodeState)),
  files: Type.Optional(ShelfState),
})

/** Saves the state for a restart whenever something in it has changed. */
export class Saving {
  private unsaved = false

  /** @param store missing if nothing is saved */
  constructor(
    private readonly store: Store | undefined,
    private readonly state: () => DeviceState,
  ) {}

  /** Called when something changed that must survive a restart. */
  changed(): void {
    this.unsaved = true
  }

  /** Resolves when all changes are on the disk; undefined if there is nothing to wait for. */
  saved(): Promise<void> | undefined {
    if (!this.store || !this.unsaved) return undefined
    this.unsaved = false
    return this.store.save(this.state).catch((error: unknown) => {
      this.unsaved = true
      throw error
    })
  }
}

const poses = ['camera_on_hand', 'grid_in_cell', 'grid_on_hand', 'camera_in_cell'] as const

/** Manually typed digits are rounded. */
const tolerance = 0.01

const part = TypeCompiler.Compile(Type.Partial(Scenario))

/** All keys at their defaults, with all of these license components present. */
export const defaultScenario = (components: readonly string[]): Scenario => ({
  ...Value.Create(Scenario),
  license: Object.fromEntries(components.map((component) => [component, true])),
})

/**
 * Changes a part of the scenario; `license` and `scene` are merged key by key.
 * @throws TypeError with a sentence naming the unknown or invalid key
 */
export function mergedScenario(current: Scenario, change: unknown): Scenario {
  if (typeof change !== 'object' || change === null || Array.isArray(change))
    throw new TypeError(`A scenario is an object, not ${shown(change)}.`)
  const unknown = Object.keys(change).find((key) => !Object.hasOwn(Scenario.properties, key))
  if (unknown !== undefined) throw new TypeError(`${shown(unknown)} is no key of the scenario.`)
  const error = part.Errors(change).First()
  if (error) {
    const path = error.path.slice(1).replaceAll('/', '.')
    throw new TypeError(`${path}: ${shown(error.value)} does not fit (${error.message}).`)
  }
  const { license, scene, arm, ...rest } = change as Partial<Scenario>
  const misfit = scene?.hand_eye && settingsMisfit(scene.hand_eye)
  if (misfit) throw new TypeError(`scene.hand_eye.${misfit}`)
  return {
    ...current,
    ...rest,
    license: { ...current.license, ...license },
    scene: { ...current.scene, ...scene },
    arm: { ...current.arm, ...arm },
  }
}

/** What is wrong with settings of the right types, as a sentence; undefined if they are valid. */
function settingsMisfit(settings: Partial<CellSettings>): string | undefined {
  const skewed = poses.find((name) => {
    const pose = settings[name]
    return pose && Math.abs(lengthOf(pose.orientation) - 1) > tolerance
  })
  if (skewed) return `${skewed}.orientation must be a unit quaternion.`
  const { nearest = 0, farthest = Infinity } = settings
  return nearest < farthest ? undefined : `nearest (${nearest}) must be less than farthest (${farthest}).`
}

/** The collection of a module's templates. */
export const templatesOf = (module: string): string => `templates/${module}`

/** The collection of the CAD elements of grippers. */
export const gripperElements = 'gripper_elements'
