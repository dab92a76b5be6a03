import {
  type Environment,
  type Module,
  returnCode,
  returnCodeShape,
  type ServiceDefinition,
  bool,
} from '../module'
import { deviceMotion, cameraInWorld } from '../motion'
import { poseShape, timestamp, type Timestamp, timestampShape } from '../arguments'
import type { StateStay } from './dynamics'
import { navigationRuns } from './stereo-navigation'

const resetting = 0.2 // our choice, seconds
const posesPerFrame = 10 // our choice: every tenth pose becomes a frame of the map

/** Maps the environment while the device moves. The dynamics module starts and stops it. */
export function slam({ clock, now, module: other, state: stateOf, changed }: Environment): Module {
  let resetAt = -Infinity
  /** Frames of the loaded and of the stored map. */
  let loaded = 0
  let stored: number | undefined

  const path = () => {
    const dynamics = other('dynamics') as (Module & { history: () => StateStay[] }) | undefined
    return trajectory(dynamics?.history() ?? [], resetAt, clock.now())
  }
  const frames = () => loaded + Math.ceil(path().length / posesPerFrame)
  const state = () => {
    if (clock.now() < resetAt + resetting) return 'RESETTING'
    const dynamics = stateOf('dynamics') ?? 'IDLE'
    if (dynamics === 'RUNNING_WITH_SLAM') return 'RUNNING'
    if (dynamics.startsWith('WAITING_FOR') && dynamics.endsWith('SLAM')) return 'WAITING_FOR_DATA'
    return path().length > 0 ? 'HALTED' : 'IDLE'
  }
  const mapService = (
    description: string,
    states: readonly string[] | undefined,
    act: () => object | undefined,
  ): ServiceDefinition => ({
    description,
    args: {},
    response: returnCodeShape,
    call: () => {
      if (states && !states.includes(state()))
        return returnCode(-8, `possible only in ${states.join(' and ')}, not in ${state()}`)
      const refused = act()
      if (refused) return { ...refused }
      changed()
      return returnCode(0)
    },
  })

  return {
    name: 'slam',
    scope: 'pipeline',
    license: 'slam',
    parameters: [
      bool('autorecovery', true, 'After a fatal error recover the pose and go on'),
      bool('halt_on_low_memory', true, 'Halt when memory runs low'),
    ],
    services: {
      get_trajectory: {
        description: 'Returns the trajectory or the part of it between two times.',
        args: {
          start_time: timestampShape,
          end_time: timestampShape,
          start_time_relative: 'bool',
          end_time_relative: 'bool',
        },
        response: {
          trajectory: {
            name: 'string',
            parent: 'string',
            poses: [{ pose: poseShape, timestamp: timestampShape }],
            producer: 'string',
            timestamp: timestampShape,
          },
          ...returnCodeShape,
        },
        call: ({ args }) => {
          const poses = path()
          const motionAt = deviceMotion(other('hand_eye_calibration'))
          /** The trajectory uses the clock, time stamps use the device's time. */
          const ahead = now() - clock.now()
          const [first, last] = [poses[0]?.time ?? 0, poses.at(-1)?.time ?? 0]
          const at = (given: unknown, relative: unknown, missing: number) => {
            const { sec = 0, nsec = 0 } = (given ?? {}) as Partial<Timestamp>
            const seconds = sec + nsec / 1e9
            if (seconds === 0) return missing
            return relative === true ? seconds + (seconds > 0 ? first : last) : seconds - ahead
          }
          const start = at(args.start_time, args.start_time_relative, first)
          const end = at(args.end_time, args.end_time_relative, last)
          const found = start > end ? [] : poses.filter(({ time }) => time >= start && time <= end)
          return {
            trajectory: {
              name: 'camera',
              parent: 'world',
              poses: found.map(({ time, began }) => ({
                pose: cameraInWorld(motionAt, time, began),
                timestamp: timestamp(time + ahead),
              })),
              producer: 'slam',
              timestamp: timestamp(now()),
            },
            ...outcome(poses.length, found.length, start > end),
          }
        },
      },
      save_map: mapService('Stores the map.', ['RUNNING', 'HALTED'], () => {
        stored = frames()
        return undefined
      }),
      load_map: mapService('Loads the stored map.', ['IDLE'], () => {
        if (stored === undefined) return returnCode(-7, 'no map is stored')
        loaded = stored
        return undefined
      }),
      remove_map: mapService('Deletes the stored map.', undefined, () => {
        stored = undefined
        return undefined
      }),
      reset: {
        description: 'Clears trajectory and map.',
        args: {},
        response: { accepted: 'bool', current_state: 'string' },
        call: () => {
          resetAt = clock.now()
          loaded = 0
          return { accepted: true, current_state: state() }
        },
      },
    },
    state,
    values: () => ({ map_frames: frames(), state: state(), trajectory_poses: path().length }),
    save: () => ({ map_frames: stored ?? null }),
    restore: (saved) => {
      stored = (saved as { map_frames: number | null }).map_frames ?? undefined
    },
  }
}

function outcome(all: number, found: number, reversed: boolean) {
  if (all === 0) return returnCode(102, 'there is no trajectory')
  if (reversed) return returnCode(-1, 'start_time is after end_time')
  return found === 0 ? returnCode(101, 'no part of the trajectory lies in this period') : returnCode(0)
}

interface Waypoint {
  /** Seconds since 1970. */
  time: number
  /** When the estimation began, seconds since 1970. */
  began: number
}

/** Our choices: waypoints per second, and seconds of the trajectory that are kept. */
const rate = 10
const kept = 600

/** The device's trajectory while SLAM ran. @param since seconds since 1970; earlier parts are dropped */
function trajectory(history: readonly StateStay[], since: number, now: number): Waypoint[] {
  const end = (stay: StateStay) => Math.min(stay.until, now)
  const latest = history.findLast(({ state }) => state === 'RUNNING_WITH_SLAM')
  if (!latest) return []
  const from = Math.max(since, end(latest) - kept)
  let began = 0
  return history.flatMap((stay, index) => {
    if (navigationRuns(stay.state) && !navigationRuns(history[index - 1]?.state)) began = stay.from
    if (stay.state !== 'RUNNING_WITH_SLAM') return []
    const origin = began
    const first = Math.max(0, Math.ceil((from - stay.from) * rate))
    const last = Math.floor((end(stay) - stay.from) * rate)
    const steps = Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step)
    return steps
      .map((step) => stay.from + step / rate)
      .filter((time) => time > since)
      .map((time) => ({ time, began: origin }))
  })
}
