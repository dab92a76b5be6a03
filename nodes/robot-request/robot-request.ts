/** The node *robot request*. In: a robot connection. Out: one message per request. */
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { Pose } from '../../lib/robotics'
import type { LinkTold, RobotCycle } from '../../lib/robots'
import type { CycleOfMessage } from '../plc/handshake-of'
import { meaningOf, robotCodes } from '../robots/codes'
import { type RequestMember, robotsOf, type RobotsSnapshot } from '../robots/deployed-robots'
import { sentencesOf } from '../sentences'
import { checkedFields } from '../shared/fields/checked-fields'
import { afterwards, ownMessages } from '../shared/handle-input'
import { grouped, type StatusLine, took } from '../shared/status'
import { type RobotRequestFields, robotRequestNode } from './fields'

/** `2 robots · 1,204 · code 0 · 43 ms` */
function showRobots(status: StatusLine, { port, robots, counts }: RobotsSnapshot): void {
  if (port === undefined) return
  const [last] = robots
    .flatMap(({ last: each }) => (each ? [each] : []))
    .sort((one, other) => other.at.getTime() - one.at.getTime())
  const after = [
    counts.requests > 0 ? `· ${grouped(counts.requests)}` : '',
    last?.code === undefined ? '' : `· ${String(last.code)} · ${took(last.milliseconds ?? 0)}`,
  ].filter(Boolean)
  const isBusy = robots.some(({ last: each }) => each && each.code === undefined)
  status.left(undefined)
  status.background(
    robots.length === 0 ? 'robotsNone' : isBusy ? 'robotsBusy' : 'robotsReady',
    robots.length,
    {
      ...(after.length > 0 && { after: after.join(' ') }),
    },
  )
}

const { invalidInput, summarize } = sentencesOf('robots')

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-robot-request', function (this: Node, config: NodeDef & RobotRequestFields) {
    RED.nodes.createNode(this, config)
    const fields = checkedFields(RED, this, robotRequestNode, config)
    if (!fields) return
    const robots = robotsOf(RED, fields.robots)
    const { status, send, trouble, join } = ownMessages(RED, this)
    const event = (what: string, properties: object, summary: ReturnType<typeof summarize>) =>
      send(1, { payload: { event: what, ...properties, ...robots?.snapshot } }, summary)

    const member: RequestMember = {
      node: this,
      requested: (cycle, address) => {
        const { token, command, pose } = cycle
        const robot: RobotOfMessage = { node: fields.robots, token, address, ...(pose && { pose }) }
        send(
          0,
          { payload: payloadOf(cycle), robot },
          summarize('robots-asked', { command, address }, { value: command }),
        )
      },
      replied: (reply, address) => {
        const { command, code, count, leftOut, milliseconds, moduleCode, isKept, late } = reply
        const isDone = code === robotCodes.DONE
        const duration = Math.round(milliseconds)
        event(
          isKept ? 'kept' : 'answered',
          {
            ...{ address, command, code, count, leftOut, milliseconds: duration },
            ...(moduleCode !== undefined && { moduleCode }),
            ...(late !== undefined && { late }),
          },
          isDone
            ? summarize(
                isKept ? 'robots-kept' : 'robots-replied',
                { command, address, count, milliseconds: duration },
                { value: code },
              )
            : summarize(
                late === undefined ? 'robots-replied-code' : 'robots-replied-late',
                { command, address, code, late, meaning: meaningOf(code, robots?.isBinary) },
                { state: 'warning', value: code, code },
              ),
        )
      },
      reported: (each) => event(each.what, detailsOf(each), summaryOf(each)),
      changed: afterwards(() => robots && showRobots(status, robots.snapshot)),
      trouble,
    }

    join(() => {
      if (!robots) throw invalidInput('robots-missing')
      return robots.join(member)
    })
  })
}

const payloadOf = ({ command, job, pipeline, slot, pose, data }: RobotCycle): object => ({
  command,
  ...(job !== undefined && { job }),
  ...(pipeline !== undefined && { pipeline: String(pipeline) }),
  ...(slot !== undefined && { slot }),
  ...(pose && { pose }),
  ...(data && { data }),
})

const detailsOf = (each: LinkTold): object =>
  Object.fromEntries(Object.entries(each).filter(([name]) => name !== 'what'))

/** Connecting and disconnecting is normal. */
const isUsual = ({ what }: LinkTold) => what === 'connected' || what === 'disconnected'

function nameOf(each: LinkTold) {
  if (each.what === 'not-understood' && each.fault === 'missing') return each.fault
  return each.what === 'late' && each.milliseconds !== undefined ? 'late-after' : each.what
}

const summaryOf = (each: LinkTold) =>
  summarize(
    `robots-event-${nameOf(each)}`,
    { ...each },
    isUsual(each) ? {} : { state: 'warning', code: each.what },
  )

/** Identifies the request that a message answers. */
interface RobotOfMessage extends CycleOfMessage {
  address: string
  /** Of the request, as services of the device expect it. */
  pose?: Pose
}
