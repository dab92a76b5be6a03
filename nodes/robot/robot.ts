/** The node *robot*: read, move, stop. In: a command and a pose. Out: the state after it. A motion needs permission. */
import type { Node, NodeAPI, NodeDef, NodeMessageInFlow } from 'node-red'
import type { RobotLinkState, RobotState } from '../../lib/robot-motion'
import { type DeployedRobot, type RobotMember, robotOf, stateInNumbers } from '../robot-motion/deployed-robot'
import { mustBeLocal, motionError, Question } from '../robot-motion/question'
import { asSentence, withCode } from '../shared/sentences'
import { normalizedCommand } from '../shared/permission'
import { deliver, handleInput, type MessageWork } from '../shared/handle-input'
import { fieldsOfMessage } from '../shared/read-fields'
import { checkedFields, numberOf } from '../shared/fields/checked-fields'
import { NoAnswer, NodeAnswer } from '../shared/outcome'
import { type LinkState, statusLineOf } from '../shared/status'
import { robotNode, type RobotFields } from './fields'
import { HeldEnable, move, targetsIn } from './move'
import { shortPose } from '../shared/poses'
import { Throttle } from '../../lib/kernel/rate'
import { sentencesOf } from '../sentences'

const { summarize, invalidInput } = sentencesOf('robot-motion')

/** Uses both stop paths. @throws RobotError STOP_UNCONFIRMED unless the standstill was observed */
async function stop({ robot }: DeployedRobot): Promise<NodeAnswer> {
  const { ways, confirmed, sentAfter, stoodAfter } = await robot.stop()
  if (!confirmed)
    throw motionError(
      'STOP_UNCONFIRMED',
      ways.enable || ways.command ? 'robot-stop-unseen' : 'robot-stop-unsent',
    )
  const report = { confirmed, sentAfter, stoodAfter, enable: ways.enable, command: ways.command }
  return new NodeAnswer(
    { payload: report },
    summarize('robot-stands', { milliseconds: stoodAfter ?? 0 }, { value: stoodAfter ?? 0 }),
  )
}

/** Motions and readings that may wait. */
const room = 20

/** By topic; executed without queueing. */
const orders = ['confirm', 'decline', 'enable', 'release', 'reset', 'stop'] as const

type Order = (typeof orders)[number]

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-robot', function (this: Node, config: NodeDef & RobotFields) {
    RED.nodes.createNode(this, config)
    const checked = checkedFields(RED, this, robotNode, config)
    if (!checked) return
    const fields = checked
    const deployed = robotOf(RED, fields.robot)
    const valuesOf = fieldsOfMessage(RED, this, fields)
    const status = statusLineOf(RED, this)
    const question = new Question()
    const enable = new HeldEnable(() => numberOf(robotNode, fields, 'heldFor'))
    const isMove = fields.action === 'move'

    const send = (answer: NodeAnswer) => deliver(RED, (msg) => this.send(msg), {}, answer, 0)
    const startStream = () => {
      try {
        const rate = numberOf(robotNode, fields, 'rate')
        return new Throttle<RobotState>(1000 / rate, (state) => send(answerOf(state)))
      } catch (error) {
        status.left(error)
        this.error(asSentence(error))
        return undefined
      }
    }

    const stream = streams() ? startStream() : undefined
    const member: RobotMember = {
      linked: (link) => status.link(shownLink(link)),
      ...(stream && { seen: (state: RobotState) => stream.push(state) }),
      ...(isMove && {
        dropped: () => inbox.drop(motionError('ABORTED', 'robot-dropped')),
        permitted: (permit, because) => {
          status.rest(permit.is === 'latched' ? 'RESET_NEEDED' : undefined)
          if (permit.is !== 'latched' || !because) return
          const { message } = withCode(because)
          send(
            new NodeAnswer(
              { payload: { event: 'latched', reason: permit.reason } },
              { text: message, state: 'warning', code: permit.reason },
              1,
            ),
          )
        },
      }),
    }
    const leave = deployed?.join(member)
    if (!deployed) status.link('noDevice')

    function streams(): boolean {
      return deployed !== undefined && fields.action === 'read' && fields.reads === 'stream'
    }

    function answerOf(state: RobotState, remoteControl?: boolean): NodeAnswer {
      const { numbers } = present().settings
      const { mode, safety } = state
      const pose = shortPose(numbers, state.flange)
      return new NodeAnswer(
        {
          payload: {
            ...stateInNumbers(state, numbers, fields.shape),
            ...(remoteControl !== undefined && { remoteControl }),
          },
        },
        summarize('robot-read', { pose, mode, safety }, { value: pose }),
      )
    }

    function present(): DeployedRobot {
      if (!deployed) throw invalidInput('robot-missing')
      return deployed
    }

    const orderIn = ({ topic }: NodeMessageInFlow): Order | undefined =>
      isMove ? orders.find((order) => order === normalizedCommand(topic)) : undefined

    const inbox = handleInput(
      RED,
      this,
      robotNode,
      {
        // Everybody may stop.
        changes: (msg) => isMove && orderIn(msg) !== 'stop',
        atOnce: 1,
        room,
        urgent: (msg) => fields.action === 'stop' || orderIn(msg) !== undefined,
        begun: () => status.begins(),
        worked: (open, waiting) => status.work(open, waiting),
        left: (error, answer) => status.left(error, answer),
        closed: () => {
          stream?.close()
          leave?.()
          status.close()
        },
      },
      async (msg, work) => {
        const arm = present()
        if (fields.action === 'stop') return stop(arm)
        if (fields.action === 'read') {
          const state = await arm.robot.read(work.signal)
          return answerOf(state, await arm.robot.remoteControl(work.signal))
        }
        const order = orderIn(msg)
        // Everybody may stop.
        if (order !== 'stop') mustBeLocal(msg)
        return order ? handleCommand(arm, order, msg) : moveFor(arm, msg, work)
      },
    )

    async function moveFor(arm: DeployedRobot, msg: NodeMessageInFlow, work: MessageWork) {
      const poses = targetsIn((await valuesOf(msg)).read('poses'), arm.settings)
      const speed = numberOf(robotNode, fields, 'speed')
      return move(poses, {
        ...{
          deployed: arm,
          confirm: fields.confirm,
          shape: fields.shape,
          question,
          enable,
          notify: work.notify,
        },
        confirmWithin: numberOf(robotNode, fields, 'confirmWithin'),
        speed: speed === undefined ? undefined : speed / 1000,
        signal: work.signal,
        progress: (word, count) => status.progress(word, count),
      })
    }

    async function handleCommand(arm: DeployedRobot, order: Order, msg: NodeMessageInFlow) {
      switch (order) {
        case 'confirm':
        case 'decline':
          question.answer(order === 'confirm', msg['request'])
          return new NoAnswer()
        case 'enable':
          enable.came()
          return new NoAnswer()
        case 'release':
          enable.release()
          return new NoAnswer()
        case 'reset':
          await arm.robot.reset()
          status.rest()
          return new NodeAnswer({ payload: { event: 'reset' } }, summarize('robot-reset-done'), 1)
        case 'stop':
          return new NodeAnswer({ payload: { event: 'stopped' } }, (await stop(arm)).summary, 1)
      }
    }
  })
}

const shownLink = ({ is }: RobotLinkState): LinkState =>
  is === 'up' ? 'ready' : is === 'connecting' ? 'connecting' : 'unreachable'
