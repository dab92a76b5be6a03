import { detections, type Detection, depthRange, ServiceFailure, twinsOf } from '../detection/answering'
import {
  fillingLevels,
  type CellCount,
  type FillingLevel,
  type FoundLoadCarrier,
  search,
} from '../detection/load-carriers'
import {
  pointIn,
  type Frames,
  cellCountShape,
  foundLoadCarrierShape,
  frameShape,
  planarShape,
} from '../detection/geometry'
import { returnCodeShape, type Environment, type Module, bool, float64 } from '../module'
import { InvalidArgument, vectorShape, timestampShape } from '../arguments'

const range3 = { min: 'float64', mean: 'float64', max: 'float64' } as const
const levelShape = {
  cell_position: vectorShape,
  cell_size: planarShape,
  coverage: 'float64',
  level_free_in_meters: range3,
  level_in_percent: range3,
} as const
const searchShape = {
  ...frameShape,
  load_carrier_ids: ['string'],
  region_of_interest_2d_id: 'string',
  region_of_interest_id: 'string',
} as const

/** Any of these components includes it. */
const components = ['load_carrier', 'itempick', 'boxpick', 'silhouettematch', 'cadmatch']
const mostCells = 10 // cells in each direction

/** Detects load carriers and measures their filling levels. */
export function loadCarrier(environment: Environment): Module {
  const detection = detections(environment, { durations: { load_carrier_detection_time: 0.35 } })

  const find = (given: Detection) => {
    const ids = (given.args.load_carrier_ids ?? []) as string[]
    if (ids.length > 1)
      throw new ServiceFailure(-302, 'load_carrier_ids: only one load carrier can be detected')
    if (!ids[0]) throw new InvalidArgument('load_carrier_ids: one is required')
    return search(
      environment,
      { ...given, args: { ...given.args, load_carrier_id: ids[0] } },
      'the load carrier alone',
    )
  }

  return {
    name: 'load_carrier',
    scope: 'pipeline',
    license: components,
    parameters: [
      bool(
        'assume_gravity_aligned',
        true,
        'Search load carriers that are not tilted only, where gravity is known',
      ),
      float64('crop_distance', 0.005, [0, 0.05], 'Margin taken off the inner dimensions', { unit: 'm' }),
      float64('min_plausibility', 0.8, [0, 0.99], 'Share of the plane around the rim that has to be free'),
      float64('model_tolerance', 0.008, [0.003, 0.025], 'How far dimensions may be from those of the model', {
        unit: 'm',
      }),
    ],
    services: {
      detect_load_carriers: detection.service({
        description: 'Detects load carriers of one model.',
        args: searchShape,
        required: ['pose_frame'],
        response: { load_carriers: [foundLoadCarrierShape], timestamp: timestampShape, ...returnCodeShape },
        detect: (given) => ({ load_carriers: find(given).load_carriers }),
      }),
      detect_filling_level: detection.service({
        description: 'Detects load carriers of one model and how full they are.',
        args: { ...searchShape, filling_level_cell_count: cellCountShape },
        required: ['pose_frame'],
        response: {
          load_carriers: [
            {
              ...foundLoadCarrierShape,
              cells_filling_levels: [levelShape],
              filling_level_cell_count: cellCountShape,
              overall_filling_level: levelShape,
            },
          ],
          timestamp: timestampShape,
          ...returnCodeShape,
        },
        detect: (given) => {
          const count = cellCount(given.args.filling_level_cell_count as Partial<CellCount> | undefined)
          const { loadCarrier: found, load_carriers, scene } = find(given)
          if (!found) return {}
          const levels = (cells: CellCount) =>
            fillingLevels(found, cells, scene, depthRange(environment)).map((level) =>
              shown(level, found, given.frames),
            )
          const [overall] = levels({ x: 1, y: 1 })
          if (overall?.coverage === 0)
            given.remark(102, `the load carrier '${found.model.id}' holds no points`)
          return {
            load_carriers: [
              {
                ...load_carriers[0],
                overall_filling_level: overall,
                filling_level_cell_count: count,
                cells_filling_levels: levels(count),
              },
            ],
          }
        },
      }),
      ...detection.services,
      ...twinsOf(environment, 'load_carrier_db'),
      ...twinsOf(environment, 'roi_db'),
    },
    values: detection.values,
  }
}

function cellCount({ x = 0, y = 0 }: Partial<CellCount> = {}): CellCount {
  if (x > mostCells || y > mostCells)
    throw new InvalidArgument(
      `filling_level_cell_count: at most ${mostCells} x ${mostCells} cells are possible`,
    )
  return { x: x || 1, y: y || 1 }
}

function shown(
  { position, size, coverage, heights }: FillingLevel,
  { inner, pose }: FoundLoadCarrier,
  frames: Frames,
) {
  const each = (of: (height: number) => number) => ({
    min: of(heights.min),
    mean: of(heights.mean),
    max: of(heights.max),
  })
  const free = each((height) => inner.z - height)
  return {
    cell_position: pointIn(frames.answer(pose), position),
    cell_size: size,
    coverage,
    level_in_percent: each((height) => Math.min(100, Math.max(0, (100 * height) / inner.z))),
    // The highest point leaves the least space.
    level_free_in_meters: { min: free.max, mean: free.mean, max: free.min },
  }
}
