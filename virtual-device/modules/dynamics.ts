import type { Environment, Module, ServiceDefinition } from '../module'
import { cameraInImu } from '../motion'
import { poseShape, timestamp, timestampShape } from '../arguments'

type DynamicsState =
  | 'IDLE'
  | 'WAITING_FOR_INS'
  | 'WAITING_FOR_INS_AND_SLAM'
  | 'RUNNING'
  | 'WAITING_FOR_SLAM'
  | 'RUNNING_WITH_SLAM'
  | 'STOPPING'

/** Our choices, seconds: the sources give no durations. */
const durations: Partial<Record<DynamicsState, number>> = {
  WAITING_FOR_INS: 1,
  WAITING_FOR_INS_AND_SLAM: 1,
  WAITING_FOR_SLAM: 1,
  STOPPING: 0.2,
}

const start: DynamicsState[] = ['WAITING_FOR_INS', 'RUNNING']
const startSlam: DynamicsState[] = ['WAITING_FOR_INS_AND_SLAM', 'WAITING_FOR_SLAM', 'RUNNING_WITH_SLAM']
const addSlam: DynamicsState[] = ['WAITING_FOR_SLAM', 'RUNNING_WITH_SLAM']
const stop: DynamicsState[] = ['STOPPING', 'IDLE']

/** The states of a start; undefined in a state in which it is refused. */
function startingFrom(state: DynamicsState, states: readonly DynamicsState[]) {
  if (state === 'IDLE') return states
  return state === 'STOPPING' ? (['STOPPING', ...states] as const) : undefined
}

/** A period in one state, seconds since 1970. */
export interface StateStay {
  state: DynamicsState
  from: number
  until: number
}
const remembered = 1000 // periods in the history

/** Estimates the device's own motion. Its states change with the clock. */
export function dynamics({ clock, now }: Environment): Module & { history: () => StateStay[] } {
  let stays: StateStay[] = [{ state: 'IDLE', from: clock.now(), until: Infinity }]

  const past = () => stays.filter(({ from }) => from <= clock.now())
  const current = () => past().at(-1)?.state ?? 'IDLE'
  const goThrough = (states: readonly DynamicsState[]) => {
    let from = clock.now()
    const present = past().at(-1)
    const before = past().map((stay) => ({ ...stay, until: Math.min(stay.until, from) }))
    const next = states.map((state, index) => {
      // A second stop, or a start while it stops, does not delay the stop.
      const continues = index === 0 && state === present?.state
      const stay = { state, from, until: continues ? present.until : from + (durations[state] ?? Infinity) }
      from = stay.until
      return stay
    })
    stays = [...before.filter((stay) => stay.until > stay.from), ...next].slice(-remembered)
  }
  /** Enters the states that `next` returns for the current one; refuses if it returns none. */
  const move = (
    description: string,
    next: (state: DynamicsState) => readonly DynamicsState[] | undefined,
    more: Pick<ServiceDefinition, 'license'> = {},
  ): ServiceDefinition => ({
    description,
    args: {},
    response: { accepted: 'bool', current_state: 'string' },
    ...more,
    call: () => {
      const states = next(current())
      if (states) goThrough(states)
      return { accepted: states !== undefined, current_state: current() }
    },
  })
  const slam = { license: 'slam' }

  return {
    name: 'dynamics',
    scope: 'pipeline',
    license: 'fusion',
    parameters: [],
    services: {
      start: move('Starts inertial navigation; one that is stopping starts after that.', (state) =>
        startingFrom(state, start),
      ),
      start_slam: move(
        'Starts SLAM, and inertial navigation where it does not run.',
        (state) => (state === 'RUNNING' ? addSlam : startingFrom(state, startSlam)),
        slam,
      ),
      stop: move('Stops inertial navigation and SLAM.', (state) => (state === 'IDLE' ? ['IDLE'] : stop)),
      stop_slam: move(
        'Stops SLAM alone.',
        (state) => (addSlam.includes(state) ? ['RUNNING'] : undefined),
        slam,
      ),
      restart: move('Stops, then starts inertial navigation.', (state) =>
        state === 'IDLE' ? start : ['STOPPING', ...start],
      ),
      restart_slam: move(
        'Stops, then starts inertial navigation and SLAM.',
        (state) => (state === 'IDLE' ? startSlam : ['STOPPING', ...startSlam]),
        slam,
      ),
      get_cam2imu_transform: {
        description: 'Returns the pose of the left camera in the frame of the inertial sensor.',
        args: {},
        response: {
          name: 'string',
          parent: 'string',
          pose: { pose: poseShape, timestamp: timestampShape },
          producer: 'string',
        },
        call: () => ({
          name: 'camera',
          parent: 'imu',
          pose: { pose: cameraInImu, timestamp: timestamp(now()) },
          producer: 'ins',
        }),
      },
    },
    state: current,
    history: past,
    values: () => ({ state: current() }),
  }
}
