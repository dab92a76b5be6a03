import { Type, type Static } from '../lib/typebox'
import { ArmSettings } from './arm/state'
import { CellSettings } from './cell/cell'
import { SceneSettings } from './detection/scene'

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
    /** Seconds that a job of the robot interface takes. */
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
    /** Of image sets. */
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
