import { Type, type Static } from '../../../lib/typebox'

const metres = Type.Number({ minimum: -2, maximum: 2 })
const turn = Type.Number({ minimum: -7, maximum: 7 })

/** What can be provoked on the simulated robot arm. */
export const ArmSettings = Type.Object(
  {
    /** Remote control, without which a controller of the newer generation accepts no program. */
    remote: Type.Boolean({ default: true }),
    /** Once, `now` or as soon as the arm moves next; the stop has to be unlocked. Another one after `none`. */
    protective_stop: Type.Union([Type.Literal('none'), Type.Literal('now'), Type.Literal('next_motion')], {
      default: 'none',
    }),
    /** The button is pressed. Released, the arm has to be switched on again. */
    emergency_stop: Type.Boolean({ default: false }),
    /** `cut` resets all connections and refuses new ones; `frozen` keeps them, but sends and reads nothing. */
    link: Type.Union([Type.Literal('ok'), Type.Literal('cut'), Type.Literal('frozen')], { default: 'ok' }),
    /** Share of the speed, besides the speed slider. */
    speed: Type.Number({ default: 1, minimum: 0, maximum: 1 }),
    /** The active tool of the installation in the flange's frame: metres, rotation vector. */
    tcp: Type.Tuple([metres, metres, metres, turn, turn, turn], { default: [0, 0, 0, 0, 0, 0] }),
    /** Of the installation, kg. */
    payload: Type.Number({ default: 0, minimum: 0, maximum: 50 }),
  },
  { additionalProperties: false },
)
export type ArmSettings = Static<typeof ArmSettings>
