import { isIPv4, isIPv6 } from 'node:net'
import type { Stream } from '../../lib/contract'
import { Refusal } from '../server/refusal'
import { cut, shown } from './shown'

const mostDestinations = 10

const definitions = {
  pose: ['Frame', 'Pose of the left camera at 25 Hz, corrected by SLAM where it runs'],
  pose_ins: ['Frame', 'Pose of the left camera at 25 Hz, by inertial navigation only'],
  pose_rt: ['Frame', 'Pose of the left camera at 200 Hz, in real time'],
  pose_rt_ins: ['Frame', 'Pose of the left camera at 200 Hz, in real time, by inertial navigation only'],
  dynamics: ['Dynamics', 'Pose, velocity and acceleration of the inertial sensor at 200 Hz'],
  dynamics_ins: [
    'Dynamics',
    'Pose, velocity and acceleration of the inertial sensor at 200 Hz, by inertial navigation only',
  ],
  imu: ['Imu', 'Raw accelerations and turn rates at 200 Hz'],
} as const

export type StreamName = keyof typeof definitions

/** The data streams of a device and where they go. A reboot forgets the destinations. */
export class Streams {
  private readonly destinations = new Map<string, string[]>()

  list(): Stream[] {
    return (Object.keys(definitions) as StreamName[]).map((name) => this.get(name))
  }

  /** @throws Refusal 404 */
  get(name: string): Stream {
    const [protobuf, description] = definition(name)
    return { name, description, destinations: [...this.of(name)], protobuf, protocol: 'UDP' }
  }

  /**
   * One that is there already is not added again.
   * @throws Refusal 400, 403 beyond ten, 404; then none of them is added
   */
  add(name: string, destinations: readonly string[]): void {
    definition(name)
    const all = [...new Set([...this.of(name), ...destinations.map(address)])]
    if (all.length > mostDestinations)
      throw new Refusal(403, `the stream ${name} has ${mostDestinations} destinations already`)
    this.destinations.set(name, all)
  }

  /** All, where none is named. @throws Refusal 400, 404 */
  remove(name: string, destinations?: readonly string[]): void {
    definition(name)
    const gone = destinations?.map(address)
    this.destinations.set(name, gone ? this.of(name).filter((each) => !gone.includes(each)) : [])
  }

  clear(): void {
    this.destinations.clear()
  }

  private of(name: string): readonly string[] {
    return this.destinations.get(name) ?? []
  }
}

function definition(name: string): (typeof definitions)[StreamName] {
  if (Object.hasOwn(definitions, name)) return definitions[name as StreamName]
  throw new Refusal(404, `there is no stream ${cut(name, 60)}`)
}

/** `192.168.0.2:30000` or `[fe80::1]:30000` */
function address(destination: string): string {
  const [, host = '', port = ''] = /^(\d+(?:\.\d+){3}|\[[0-9a-f:.%]+\]):(\d{1,5})$/i.exec(destination) ?? []
  const known = host.startsWith('[') ? isIPv6(host.slice(1, -1)) : isIPv4(host)
  if (!known || Number(port) < 1 || Number(port) > 65535)
    throw new Refusal(400, `destination: ${shown(destination)} is no <ip>:<port>`)
  return destination
}
