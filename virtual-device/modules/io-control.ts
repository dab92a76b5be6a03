import {
  returnCode,
  returnCodeShape,
  type Environment,
  type Module,
  bool,
  choice,
  float64,
  type ParameterDefinition,
} from '../module'
import { optionalParameter, timestamp, timestampShape } from '../arguments'

const modes = ['Low', 'High', 'ExposureActive', 'ExposureAlternateActive'] as const
type Mode = (typeof modes)[number]

const output = (number: 1 | 2, use: string): ParameterDefinition[] => [
  choice(`out${number}_mode`, 'Low', modes, `Mode of output ${number}${use}`),
  bool(`out${number}_inverted`, false, `Invert output ${number}`),
  float64(`out${number}_ratio`, 1, [0, 1], `Part of the exposure during which output ${number} is high`),
]

/** Our choice, in the order of the GenICam interface: the lowest two bits are the outputs, the next two the inputs. */
const masks = { output: 0b0011, input: 0b1100 }

const sensorRate = 25 // the sensor exposes at this rate, whatever rate is delivered, Hz

/** A projector on output 1 lights only every other image. */
export const outputAlternates = (parameter: Environment['parameter']): boolean =>
  parameter('iocontrol', 'out1_mode') === 'ExposureAlternateActive'

/** Digital inputs and outputs. Output 1 is for a projector. */
export function ioControl(environment: Environment): Module {
  const { clock, now, parameter } = environment
  /** Seconds. Some kinds of sensor do not report their exposure. */
  const exposure = () => Number(optionalParameter(environment, 'camera', 'exp_value') ?? 0)
  const isHigh = (number: 1 | 2): boolean => {
    const outputParameter = (name: string) => parameter('iocontrol', `out${number}_${name}`)
    const frames = clock.now() * sensorRate
    const exposed = (frames % 1) / sensorRate < exposure() * Number(outputParameter('ratio'))
    const high: Record<Mode, boolean> = {
      Low: false,
      High: true,
      ExposureActive: exposed,
      ExposureAlternateActive: exposed && Math.floor(frames) % 2 === 0,
    }
    return high[outputParameter('mode') as Mode] !== outputParameter('inverted')
  }
  /** The outputs with the property, as bits. */
  const bits = (holds: (number: 1 | 2) => boolean) => (holds(1) ? 1 : 0) + (holds(2) ? 2 : 0)

  return {
    name: 'iocontrol',
    scope: 'pipeline',
    license: 'iocontrol',
    parameters: [...output(1, ', for a projector'), ...output(2, '')],
    services: {
      get_io_values: {
        description: 'Reads inputs and outputs as bits.',
        args: {},
        response: {
          input_mask: 'uint32',
          inverter_mask: 'uint32',
          output_mask: 'uint32',
          ratio_mask: 'uint32',
          timestamp: timestampShape,
          values: 'uint32',
          ...returnCodeShape,
        },
        call: ({ parameters }) => ({
          input_mask: masks.input,
          inverter_mask: bits((number) => parameters[`out${number}_inverted`] === true),
          output_mask: masks.output,
          ratio_mask: bits((number) => Number(parameters[`out${number}_ratio`]) < 1),
          timestamp: timestamp(now()),
          values: bits(isHigh),
          ...returnCode(0),
        }),
      },
    },
  }
}
