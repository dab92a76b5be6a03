/** The scenario: everything that a test, a lesson or a flow can provoke, and changes to it. */
import { Type, type Static, TypeCompiler, Value, type TSchema, type TypeCheck } from '../lib/typebox'
import { lengthOf } from '../lib/robotics/pose'
import { ArmSettings } from './arm/state'
import { CellSettings } from './cell/cell'
import { SceneSettings } from './detection/scene'
import { shown } from './values'

const share = Type.Number({ minimum: 0, maximum: 1, default: 0 })
const seconds = (byDefault: number) => Type.Number({ minimum: 0, maximum: 3600, default: byDefault })
const milliseconds = Type.Number({ minimum: 0, maximum: 600_000, default: 0 })
const flag = (byDefault: boolean) => Type.Boolean({ default: byDefault })

/** What a test, a lesson or a flow can provoke on the virtual device. */
export const Scenario = Type.Object(
  {
    genicam_connected: flag(false),
    image_client: flag(true),
    license: Type.Record(Type.String(), Type.Boolean(), { default: {} }),
    ntp_synchronized: flag(false),
    ptp_synchronized: flag(false),
    grid_visible: flag(true),
    stale_nodes: Type.Array(Type.String(), { default: [] }),
    next_update: Type.Union([Type.Literal('ok'), Type.Literal('corrupt'), Type.Literal('boot_fails')], {
      default: 'ok',
    }),
    rollback_fails: flag(false),
    boot_seconds: seconds(3),
    boot_502_seconds: seconds(1),
    update_seconds: seconds(2),
    /** Bytes per second; 0 is unlimited. */
    upload_rate: Type.Number({ minimum: 0, default: 0 }),
    latency_ms: milliseconds,
    latency_jitter_ms: milliseconds,
    drop_connections: share,
    drop_answers: share,
    rate_limit: Type.Number({ minimum: 0, default: 0 }),
    offline: flag(false),
    module_start: Type.Union([Type.Literal('ok'), Type.Literal('refused'), Type.Literal('fatal')], {
      default: 'ok',
    }),
    module_start_seconds: seconds(0),
    /** Duration of a job of the robot interface, seconds. */
    robot_job_seconds: seconds(0),
    log_chatter: Type.Number({ minimum: 0, maximum: 10_000, default: 0 }),
    log_keeps: Type.Integer({ minimum: 1, maximum: 10_000, default: 10_000 }),
    log_rotation: Type.Union([Type.Literal('oldest'), Type.Literal('anew')], { default: 'oldest' }),
    missing_logs: Type.Array(Type.String(), { default: [] }),
    image_stream: Type.Union(
      [Type.Literal('ok'), Type.Literal('refused'), Type.Literal('cut'), Type.Literal('closed')],
      { default: 'ok' },
    ),
    image_delay_ms: milliseconds,
    drop_images: share,
    image_view: Type.Union([Type.Literal('auto'), Type.Literal('scene'), Type.Literal('grid')], {
      default: 'auto',
    }),
    arm: Type.Partial(ArmSettings, { default: {} }),
    scene: Type.Object(
      {
        detection: Type.Optional(Type.Partial(SceneSettings)),
        hand_eye: Type.Optional(Type.Partial(CellSettings)),
      },
      { default: {}, additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)
export type Scenario = Static<typeof Scenario>

const poses = ['camera_on_hand', 'grid_in_cell', 'grid_on_hand', 'camera_in_cell'] as const

const tolerance = 0.01 // manually typed digits are rounded

let compiled: TypeCheck<TSchema> | undefined

/** Compiled on first use: a program that runs the device in another thread does not need it. */
const part = () => (compiled ??= TypeCompiler.Compile(Type.Partial(Scenario)))

/** With all of these license components present. */
export const defaultScenario = (components: readonly string[]): Scenario => ({
  ...Value.Create(Scenario),
  license: Object.fromEntries(components.map((component) => [component, true])),
})

/** Merges `license` and `scene` key by key. @throws TypeError with a sentence on an unknown key or invalid value */
export function mergedScenario(current: Scenario, change: unknown): Scenario {
  if (typeof change !== 'object' || change === null || Array.isArray(change))
    throw new TypeError(`A scenario is an object, not ${shown(change)}.`)
  const unknown = Object.keys(change).find((key) => !Object.hasOwn(Scenario.properties, key))
  if (unknown !== undefined) throw new TypeError(`${shown(unknown)} is no key of the scenario.`)
  const error = part().Errors(change).First()
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

/** As a sentence; undefined if the settings are valid. */
function settingsMisfit(settings: Partial<CellSettings>): string | undefined {
  const skewed = poses.find((name) => {
    const pose = settings[name]
    return pose && Math.abs(lengthOf(pose.orientation) - 1) > tolerance
  })
  if (skewed) return `${skewed}.orientation must be a unit quaternion.`
  const { nearest = 0, farthest = Infinity } = settings
  return nearest < farthest ? undefined : `nearest (${nearest}) must be less than farthest (${farthest}).`
}
