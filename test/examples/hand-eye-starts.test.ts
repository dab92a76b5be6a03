import should from 'should'
import { createClient } from '../../lib'
import { differenceOf } from '../../lib/calibration'
import { product, type Pose, type Vector } from '../../lib/robotics'
import { seededRandom } from '../../virtual-device/values'
import { taughtSeen } from '../../bench/support/planned-runs'
import type { SheetCell } from '../../bench/support/sheet-sets'
import { eventually } from '../support/eventually'
import { exampleNodes, type FlowNode } from '../support/example'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { armCell, type ArmCell, type Mounting } from './arm-cell'
import { confirmed, patience } from './driven'

/**
 * How many start poses of each mounting; of fifty, one may need a person. Unless it is set, there is one, of a fixed camera:
 * each takes a quarter of a minute.
 */
const asked = process.env.CELLSIGHT_STARTS
const starts = Number(asked ?? 1)
const mountings = asked === undefined ? (['fixed'] as const) : (['robot', 'fixed'] as const)

const wanted = { metres: 0.001, degrees: 0.1 }
/** Room around where the arm starts, in the base, metres. */
const room = 0.45

interface Box {
  least: Vector
  most: Vector
}
const axes = ['x', 'y', 'z'] as const

for (const mounting of mountings)
  describe(`calibrations in Node-RED from any pose, by a simulated robot, with the camera ${mounting === 'robot' ? 'on it' : 'fixed'}`, function () {
    this.timeout(patience * starts + 60_000)
    let arm: ArmCell
    let box: Box
    let red: NodeRed
    /** How often it moved although it waited for an answer. */
    let moved = 0

    const open = async () => {
      arm = await armCell(mounting)
      const { x, y, z } = (await arm.truth()).flange.position
      box = {
        least: { x: x - room, y: y - room, z: z - room },
        most: { x: x + room, y: y + room, z: z + room },
      }
      red = await startNodeRed({ flows: flows(arm, mounting, box) })
    }
    const close = async () => {
      await red.stop()
      await arm.close()
    }
    before(open)
    after(close)

    it(`end within the limits without a person, in the box, and move nothing that was not allowed: ${starts}`, async () => {
      const failed: string[] = []
      for (let seed = 1; seed <= starts; seed++) {
        const outcome = await calibrated(seed)
        if (!outcome) continue
        failed.push(`${seed}: ${outcome}`)
        // It may stand in a protective stop, which only a person unlocks.
        await close()
        await open()
      }
      failed.length.should.be.belowOrEqual(Math.floor(starts / 50), failed.join('\n'))
    })

    /** @returns why a calibration did not end well */
    async function calibrated(seed: number): Promise<string | undefined> {
      await startPose(seededRandom(7000 + seed))
      // The flow has not moved the arm there, and waits for a person.
      await eventually(() => follows('drives-reset', /asks and sees\] Reset\./, 5000))
      arm.excursion()
      moved = 0
      let printed
      try {
        printed = await confirmed(
          { press, follows, output: () => red.output() },
          {
            ...{ begin: 'drives-start', confirm: 'drives-confirm', asks: standsStill },
            // Many starts are to end without a person.
            ...(asked === undefined
              ? { until: isSaved, goOn: { reset: 'drives-reset', again: 'drives-continue' } }
              : { until: isEnded }),
          },
        )
      } catch (error) {
        return String(error)
      }
      should((await arm.truth()).moves).be.false()
      should(moved).equal(0)
      const { least, most } = arm.excursion()
      for (const axis of axes) {
        least[axis].should.be.aboveOrEqual(box.least[axis] - 1e-4)
        most[axis].should.be.belowOrEqual(box.most[axis] + 1e-4)
      }
      if (!isSaved.test(printed)) return printed
      const { camera } = await arm.cell()
      const { metres, degrees } = differenceOf(await savedIn(arm.device.url), camera as Pose)
      if (metres > wanted.metres || degrees > wanted.degrees)
        return `${1000 * metres} mm and ${degrees}° from the truth`
      return undefined
    }

    /** Nothing has moved since it asked, and nothing moves until it is answered. */
    const standsStill = async () => {
      const [asked, now] = [await arm.truth(), await arm.truth()]
      if (now.moves || now.motions !== asked.motions) moved += 1
    }

    const press = async (id: string) => {
      const { status } = await fetch(`${red.url}/inject/${id}`, { method: 'POST' })
      should(status).equal(200)
    }
    const follows = async (button: string, text: RegExp, within = patience) => {
      const from = red.output().length
      await press(button)
      await eventually(() => void red.output().slice(from).should.match(text), within)
    }

    /** Somewhere in the picture, tilted up to 25°, where the arm can be within its box. */
    async function startPose(random: () => number): Promise<void> {
      for (let count = 0; count < 50; count++) {
        const { position: at, orientation } = taughtSeen({ random } as SheetCell, 0.6 + 0.15 * random())
        // The frame of the device's grid looks into it.
        const seen = { position: at, orientation: product(orientation, { w: 0, x: 1, y: 0, z: 0 }) }
        if (!(await arm.putWhere(seen))) continue
        const { position } = (await arm.truth()).flange
        const isInside = axes.every(
          (axis) => position[axis] > box.least[axis] && position[axis] < box.most[axis],
        )
        if (isInside && (await arm.source.look(new AbortController().signal))) return
      }
      throw new Error('No start pose was found.')
    }
  })

const isSaved = /calibration is saved/
/** With a result, with an error, or with the reason why nobody but a person can go on. */
const isEnded = /calibration is saved|result\] |why\] |send continue|send start/

/** The calibration that the device uses from now on. */
async function savedIn(address: string): Promise<Pose> {
  const client = createClient({ address })
  try {
    const place = { pipeline: '0', node: 'dev_hand_eye_calibration' }
    const { response } = await client.callService({ ...place, service: 'get_calibration', args: {} })
    return (response as { pose: Pose }).pose
  } finally {
    await client.close()
  }
}

/** The example, with the device and the arm of this test. */
function flows({ device: { url, ports } }: ArmCell, mounting: Mounting, { least, most }: Box): FlowNode[] {
  const { rtde, primary, dashboard } = ports.arm?.parts ?? {}
  const millimetres = (value: number) => (1000 * value).toFixed(3)
  const changes: Readonly<Record<string, object>> = {
    'vision-device-config': { address: url, imagePort: ports.images?.port },
    'vision-robot-config': {
      ...{ rtdePort: rtde, primaryPort: primary, dashboardPort: dashboard },
      // As fast as it may, slow enough for the joints of the wrist: a turn of 1 rad counts as 0.25 m.
      ...{ speed: 250, acceleration: 2000, step: 310, turn: 41 },
      box: axes.map((axis) => `${millimetres(least[axis])}..${millimetres(most[axis])}`).join(', '),
    },
    'vision-hand-eye-calibration': { mounting, confirm: 'each' },
    debug: { console: true },
  }
  return exampleNodes('hand-eye-robot-drives')
    .filter(({ type }) => type !== 'vision-virtual-device')
    .map((node) => ({ ...node, ...changes[node.type] }))
}
