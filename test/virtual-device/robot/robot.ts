import { connect, type Socket } from 'node:net'
import {
  answerBytes,
  readAnswer,
  writeRequest,
  type ReceivedAnswer,
  type RobotAction,
} from '../../../lib/robot-interface'
import type { Pose } from '../../../lib/robotics'
import type { VirtualDeviceOptions } from '../../../virtual-device'
import { useDevice } from '../support/use-device'

/** A request as a robot program states it. */
export interface Asked {
  job?: number
  pose?: Pose
  data?: readonly number[]
  format?: number
}

/** A robot at the other end of a raw socket: sends bytes, reads 80 for each request. */
export class Robot {
  #received = Buffer.alloc(0)
  /** Sizes of what arrived at a time. */
  readonly pieces: number[] = []
  readonly #ended: Promise<void>
  #hasEnded = false

  private constructor(readonly socket: Socket) {
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => {
      this.pieces.push(bytes.length)
      this.#received = Buffer.concat([this.#received, bytes])
      socket.emit('more')
    })
    this.#ended = new Promise((resolve) => socket.once('end', resolve).once('close', resolve))
    void this.#ended.then(() => {
      this.#hasEnded = true
      socket.emit('more')
    })
  }

  static async connected(port: number): Promise<Robot> {
    const socket = connect({ port, host: '127.0.0.1' })
    const robot = new Robot(socket)
    await Promise.race([
      new Promise((resolve) => socket.once('connect', resolve)),
      robot.closed.then(() => {
        throw new Error('The connection was reset.')
      }),
    ])
    return robot
  }

  /** Resolves when the device has closed the connection. */
  get closed(): Promise<void> {
    return this.#ended
  }

  send(bytes: Buffer): void {
    this.socket.write(bytes)
  }

  /** The next answer. @throws Error if the connection ends before it */
  async answer(): Promise<ReceivedAnswer> {
    while (this.#received.length < answerBytes) {
      if (this.#hasEnded) throw new Error(`The connection ended after ${this.#received.length} bytes.`)
      await new Promise((resolve) => this.socket.once('more', resolve))
    }
    const answer = readAnswer(this.#received.subarray(0, answerBytes))
    this.#received = this.#received.subarray(answerBytes)
    if (typeof answer === 'string') throw new Error(answer)
    return answer
  }

  ask(action: RobotAction, asked: Asked = {}): Promise<ReceivedAnswer> {
    this.send(requestOf(action, asked))
    return this.answer()
  }

  close(): void {
    this.socket.destroy()
  }
}

/** The bytes of a request; quaternion x, y, z, w unless another format is given. */
export const requestOf = (
  action: RobotAction,
  { job = 0, pose, data = [], format = 2 }: Asked = {},
): Buffer => writeRequest({ action, poseFormat: format, jobId: job, data, ...(pose && { pose }) })

const jobs = '/generic_robot_interface/jobs'

/** A device of the multi variant for each test, its robots and its jobs. */
export function useRobots(options: VirtualDeviceOptions = {}) {
  const api = useDevice({ variant: 'multi', robotPort: 0, ...options })
  const robots: Robot[] = []
  afterEach(() => {
    for (const robot of robots.splice(0)) robot.close()
  })
  const stored = async (path: string, json: object) => {
    const { body } = await api.put(path, { json })
    const { return_code } = body as { return_code: { value: number; message: string } }
    if (return_code.value !== 0) throw new Error(return_code.message)
  }
  const port = () => {
    const { robot } = api.device.ports
    if (!robot) throw new Error('The device has no robot interface.')
    return robot.port
  }
  return {
    api,
    port,
    robot: async () => {
      const robot = await Robot.connected(port())
      robots.push(robot)
      return robot
    },
    job: (number: number, job: object) => stored(`${jobs}/${number}`, { name: `job ${number}`, ...job }),
    removeJob: (number: number) => api.delete(`${jobs}/${number}`),
    calibration: (pipeline: number, settings: object = {}) =>
      stored(`/generic_robot_interface/hec_configs/${pipeline}`, {
        ...{ grid_width: 0.26, grid_height: 0.18, robot_mounted: true, tcp_offset: 0, tcp_rotation_axis: -1 },
        ...settings,
      }),
    service: async (node: string, service: string, args: object = {}) => {
      const { status, body } = await api.put(`${node}/services/${service}`, { json: { args } })
      if (status !== 200) throw new Error(`${service}: ${status} ${JSON.stringify(body)}`)
      return (body as { response: Record<string, unknown> }).response
    },
  }
}

/** Jobs as an integrator stores them. */
export const jobOf = {
  /** Grasps with the items that they belong to; the module must have been started. */
  grasps: {
    job_type: 'CALL_PIPELINE_SERVICE',
    pipeline: '0',
    node: 'dev_itempick',
    service: 'compute_grasps',
    args: {
      pose_frame: 'camera',
      suction_surface_length: 0.02,
      suction_surface_width: 0.02,
      item_models: [{ type: 'BAG' }],
    },
    selected_return: 'grasps',
  },
  tags: {
    job_type: 'CALL_PIPELINE_SERVICE',
    pipeline: '0',
    node: 'dev_april_tag_detect',
    service: 'detect',
    args: { pose_frame: 'camera', tags: [] },
    selected_return: 'tags',
  },
  /** Returns no poses. */
  regions: {
    job_type: 'CALL_GLOBAL_SERVICE',
    node: 'dev_roi_db',
    service: 'get_regions_of_interest',
    args: {},
  },
  speed: {
    job_type: 'SET_PIPELINE_PARAMETERS',
    pipeline: '0',
    node: 'dev_camera',
    parameters: { fps: 5 },
  },
} as const
export const itempick = '/pipelines/0/nodes/dev_itempick'
