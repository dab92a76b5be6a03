import { rotated, type Vector, conjugated } from '../../lib/robotics/pose'
import type { CellSnapshot } from '../cell/cell'
import { seesGrid, sightOf, type Sight } from '../cell/sight'
import type { Scene } from '../detection/scene'
import type { Device } from '../device/device'
import type { Pipeline } from '../device/nodes'
import { isLicensed } from '../device/running-module'
import { carriedCameraOf, type CarriedCamera, deviceMotion, cameraInImu } from '../motion'
import type { ParameterValue, PictureTriggers } from '../module'
import { timestamp } from '../arguments'
import { navigationOf } from '../streams/streams'
import type { PictureOrder, ServiceState } from './image-service'
import { pixelNoise } from './render/exposed'
import { gridStage, sceneStage, type Stage } from './stage'

const depthNodes = ['stereomatching', 'time_of_flight', 'structured_light'] as const

/** The image stream's view of a pipeline. */
export class PipelineView {
  constructor(
    private readonly device: Device,
    readonly name: string,
    private readonly pipeline: Pipeline,
  ) {}

  /** Shared by its modules and the image stream. */
  get triggers(): PictureTriggers | undefined {
    return this.node('camera')?.module.triggers
  }

  /** Pictures per second; undefined with one picture per trigger. */
  get cameraRate(): number | undefined {
    if (this.node('camera')?.stale) return undefined
    return this.parameter('camera', 'acquisition_mode') === 'Trigger'
      ? undefined
      : Number(this.parameter('camera', 'fps'))
  }

  /** Seconds between two depth images; undefined with one per trigger. */
  get depthPeriod(): number | undefined {
    const depth = this.depthNode
    if (!depth || this.node(depth)?.stale) return undefined
    const continuous = this.parameter(depth, 'acquisition_mode') === 'Continuous'
    return continuous ? this.triggers?.depthPeriod() : undefined
  }

  /** Components whose absence makes the service refuse images of any kind, or depth. */
  get missingLicences(): ServiceState['pipelines'][string] {
    const depth = this.depthNode && this.node(this.depthNode)?.module.license
    const lacks = (license: Parameters<typeof isLicensed>[0]) =>
      isLicensed(license, this.device.scenario) ? undefined : [license ?? []].flat().join(' or ')
    const [images, ofDepth] = [lacks('rectification'), lacks(depth)]
    return { ...(images && { images }), ...(ofDepth && { depth: ofDepth }) }
  }

  /** The scene of the detection modules or the calibration grid. */
  get seen(): { scene: Scene } | { cell: CellSnapshot } | undefined {
    const { sight } = this
    if (!sight) return undefined
    return this.seesGrid ? { cell: sight.grid() } : { scene: sight.scene() }
  }

  /** In the base of the robot arm; undefined without one. */
  get carriedCamera(): CarriedCamera | undefined {
    return carriedCameraOf(this.node('hand_eye_calibration')?.module)
  }

  /** With a key that changes when the view does. */
  stage(): { key: string; stage: () => Stage } {
    const { seen } = this
    if (!seen) return { key: 'nothing', stage: () => ({ bodies: [], prints: [] }) }
    if ('scene' in seen) return { key: keyOf(seen.scene), stage: () => sceneStage(seen.scene) }
    const { cell } = seen
    const { grid, tags, settings, hindrance } = cell
    return {
      key: JSON.stringify([grid, tags, settings, hindrance?.kind === 'covered']),
      stage: () => gridStage(cell),
    }
  }

  /** @param seconds of the clock at which it was taken */
  order(of: 'camera' | 'depth', seconds: number, triggered: boolean): PictureOrder {
    const values = this.node('camera')?.module.values?.() ?? {}
    const number = (name: string) => Number(values[name] ?? 0)
    const depth = this.depthNode ?? depthNodes[0]
    const depthValues = this.node(depth)?.module.values?.() ?? {}
    const depthParameter = (name: string, byDefault: number) =>
      Number(this.parameter(depth, name) ?? byDefault)
    const [exposure, gain, brightness] = [number('exp'), number('gain'), number('brightness')]
    const time = nanoseconds(seconds + this.device.system.clockOffset)
    const camera = { width: number('width'), height: number('height'), focal: this.focal(number('focal')) }
    return {
      pipeline: this.name,
      of,
      triggered,
      taking: {
        time,
        ...(of === 'depth' && this.alternates && { cameraTime: time - sensorPeriod }),
        exposure,
        gain,
        brightness,
        noise: pixelNoise(128, gain) / 255,
        out1_reduction: number('out1_reduction'),
        gpios: this.gpios(),
      },
      exposure: {
        brightness: brightness < 1 ? brightness : Math.max(1, overexposed(exposure, gain)),
        gain,
        gamma: number('gamma') || 1,
        blur: this.blur(seconds, exposure, camera.focal * camera.width),
      },
      camera,
      depth: {
        width: Number(depthValues.width),
        height: Number(depthValues.height),
        baseline: number('baseline'),
        mindepth: depthParameter('mindepth', 0),
        maxdepth: depthParameter('maxdepth', Infinity),
        maxdeptherr: depthParameter('maxdeptherr', Infinity),
        minconf: depthParameter('minconf', 0),
        noise: this.sight?.noise ?? 0,
      },
      seed: Number(time % 4_294_967_291n),
    }
  }

  /** Only every other image has the projection that depth needs: the camera's images are those without. */
  private get alternates(): boolean {
    return this.parameter('iocontrol', 'out1_mode') === 'ExposureAlternateActive'
  }

  private get sight(): Sight | undefined {
    return sightOf(this.node('hand_eye_calibration')?.module)
  }

  private get seesGrid(): boolean {
    return seesGrid(this.device.scenario, this.sight)
  }

  private get depthNode(): string | undefined {
    return depthNodes.find((name) => this.node(name))
  }

  private focal(ofCamera: number): number {
    const opening = this.device.scenario.scene.hand_eye?.opening
    return this.seesGrid && opening !== undefined ? 0.5 / Math.tan((opening * Math.PI) / 360) : ofCamera
  }

  private gpios(): PictureOrder['taking']['gpios'] {
    const answer = this.node('iocontrol')?.callFromInside('get_io_values') ?? {}
    return {
      inputs: Number(answer.input_mask ?? 0),
      outputs: Number(answer.output_mask ?? 0),
      values: Number(answer.values ?? 0),
    }
  }

  /** Motion of the image on the sensor while a robot arm or a person carries the device, pixels. */
  private blur(seconds: number, exposure: number, focal: number): { x: number; y: number } {
    const handEye = this.node('hand_eye_calibration')?.module
    if (!carriedCameraOf(handEye) && !navigationOf(this.node('dynamics')?.module)) return { x: 0, y: 0 }
    const { pose, velocity, angularVelocity } = deviceMotion(handEye)(seconds)
    const toCamera = (vector: Vector) => rotated(vector, conjugated(cameraInImu.orientation))
    const moves = toCamera(rotated(velocity, conjugated(pose.orientation)))
    const turns = toCamera(angularVelocity)
    return {
      x: -focal * exposure * (moves.x / usualDistance + turns.y),
      y: -focal * exposure * (moves.y / usualDistance - turns.x),
    }
  }

  private node(bareName: string) {
    return this.pipeline.nodes.get(this.device.options.nodePrefix + bareName)
  }

  private parameter(node: string, name: string): ParameterValue | undefined {
    const found = this.node(node)
    return found?.parameters.names.includes(name) ? found.parameters.value(name) : undefined
  }
}

const sensorPeriod = 40_000_000n // of the sensor, whatever rate is delivered, nanoseconds
const usualDistance = 1.2 // metres, for the blur
/** Product of exposure time and gain factor, in seconds, that saturates the image. */
const saturation = 0.011
const overexposed = (exposure: number, gain: number) => (exposure * 10 ** (gain / 20)) / saturation

const nanoseconds = (seconds: number): bigint => {
  const { sec, nsec } = timestamp(seconds)
  return BigInt(sec) * 1_000_000_000n + BigInt(nsec)
}

const keys = new WeakMap<object, string>()
let lastKey = 0
/** Constant per object. */
function keyOf(thing: object): string {
  const known = keys.get(thing) ?? `scene ${++lastKey}`
  keys.set(thing, known)
  return known
}
