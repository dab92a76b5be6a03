import should from 'should'
import { composed, distance, inverted, type Pose } from '../../../lib/robotics'
import { jobStates, robotActions, type ReceivedAnswer, type RobotAction } from '../../../lib/robot-interface'
import { manualClock } from '../../../virtual-device'
import { cellAt, overBin, twelvePoses } from '../hand-eye/use-cell'
import { jobOf, requestOf, useRobots, type Asked, type Robot } from './robot'

/** Robot programs of three makers, as far as they differ on the wire. */
const robots: Record<string, { format: number; pieces: readonly number[]; slot: number }> = {
  'a robot that sends quaternions, w first': { format: 1, pieces: [54], slot: 1 },
  'a robot that sends a request in 13 writes': {
    format: 26,
    pieces: [8, 2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4],
    slot: 1,
  },
  'a robot that sends raw bytes through a string channel': { format: 24, pieces: [54], slot: 1 },
  'a robot whose guide counts slots from 0': { format: 26, pieces: [54], slot: 0 },
}

describe('a robot that calibrates and picks over the robot interface', () => {
  const clock = manualClock()
  const cell = useRobots({ clock })

  for (const [name, { format, pieces, slot }] of Object.entries(robots))
    it(`is ${name}`, async () => {
      const external = { ...jobOf.grasps.args, pose_frame: 'external' }
      await cell.job(0, { ...jobOf.grasps, args: external })
      await cell.job(1, { ...jobOf.grasps, args: external })
      await cell.job(7, { ...jobOf.grasps, service: 'start', selected_return: undefined })
      await cell.calibration(0)
      const robot = await cell.robot()
      const ask = (action: RobotAction, asked: Asked = {}) =>
        asking(robot, pieces, action, { ...asked, format })

      should(await ask('STATUS')).have.properties({ code: 0, data2: 1 })
      should(await ask('TRIGGER_JOB_ASYNC', { job: 7 })).have.property('code', 0)
      should(await ask('HEC_INIT', { data: [0] })).have.property('code', 0)
      for (const [index, pose] of twelvePoses.slice(0, 8).entries())
        should(await ask('HEC_SET_POSE', { pose, data: [0, slot + index] })).have.property('code', 0)
      should(await ask('HEC_CALIBRATE', { data: [0] })).have.property('code', 0)

      const flange = overBin([5, -5, 30])
      const picks: Pose[] = []
      let answer = await ask('TRIGGER_JOB_SYNC', { job: 0, pose: flange })
      for (;;) {
        should(answer.code).equal(0)
        picks.push(answer.pose as Pose)
        for (let left = answer.data3; left > 0; left--) {
          const item = await ask('GET_RELATED_POSE', { job: 0, pose: flange })
          should(item).have.properties({ code: 0, data3: left - 1 })
          distance((item.pose as Pose).position, (answer.pose as Pose).position).should.be.below(0.1)
        }
        if (answer.data2 === 0) break
        answer = await ask('GET_NEXT_POSE', { job: 0, pose: flange })
      }

      // The robot moves, and asks again and again meanwhile.
      cell.api.device.setScenario({ robot_job_seconds: 4 })
      should(await ask('TRIGGER_JOB_ASYNC', { job: 1, pose: flange })).have.property('code', 0)
      const states = []
      for (;;) {
        const { code, data2 } = await ask('GET_JOB_STATUS', { job: 1, pose: flange })
        should(code).equal(0)
        states.push(data2)
        if (data2 !== jobStates.RUNNING) break
        clock.advance(1)
      }
      states.should.eql([2, 2, 2, 2, 3])
      for (;;) {
        const next = await ask('GET_NEXT_POSE', { job: 1, pose: flange })
        if (next.code === 1) break
        picks.push(next.pose as Pose)
      }

      // Each grasp is on an item as it lies in the cell, seen from the robot's base.
      const truth = await cellAt(() => cell.api.device.url).truth()
      const base = composed(flange, truth.camera)
      picks.length.should.be.above(3)
      for (const pick of picks) {
        const inItems = truth.scene.items.map(({ pose, bounding_box }) => {
          const { position } = composed(inverted(composed(base, pose)), pick)
          return (['x', 'y', 'z'] as const).every(
            (axis) => Math.abs(position[axis]) <= bounding_box[axis] / 2 + 0.005,
          )
        })
        inItems.should.containEql(true)
      }
    })
})

/** As the program sends it; the header of the answer is checked as programs do. */
async function asking(
  robot: Robot,
  pieces: readonly number[],
  action: RobotAction,
  asked: Asked & { format: number },
): Promise<ReceivedAnswer> {
  const bytes = requestOf(action, asked)
  let offset = 0
  for (const size of pieces) robot.send(bytes.subarray(offset, (offset += size)))
  const answer = await robot.answer()
  should(answer).have.properties({
    poseFormat: asked.format,
    action: robotActions[action],
    jobId: asked.job ?? 0,
  })
  return answer
}
