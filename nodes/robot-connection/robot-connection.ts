/** The config node of robots that connect. In: port and dialect. Out: their requests. */
import { isIP } from 'node:net'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { lineEnds, type Range, robotInterface, dialects, type Workspace } from '../../lib/robots'
import { DeployedRobots, type RobotSettings, robotRoutes } from '../robots/deployed-robots'
import { sentencesOf } from '../sentences'
import { configFields, numberOf } from '../shared/fields/checked-fields'
import { setLanguage } from '../shared/node-error'
import { robotFormat } from '../shared/poses'
import { environmentText } from '../shared/read-fields'
import { type RobotConnectionFields, robotConnectionNode } from './fields'

const { invalidInput } = sentencesOf('robots')

/** In a binary request. */
const mostJob = 65_535

const thisComputer = ['127.0.0.0/8', '::1']

/** @throws INVALID_INPUT naming the field */
function settingsOf(RED: NodeAPI, node: Node, fields: RobotConnectionFields): RobotSettings {
  const number = (name: 'port' | 'deadline' | 'oldest' | 'approach' | 'retreat') =>
    numberOf(robotConnectionNode, fields, name)
  const text = (name: 'listen' | 'allow' | 'commands' | 'jobs') =>
    environmentText(RED, node, name, fields[name]).trim()
  const list = (name: 'allow' | 'commands' | 'jobs') =>
    text(name)
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean)

  const host = text('listen')
  if (isIP(host) === 0) throw invalidInput('robots-own-address', { host })
  const allow = list('allow')
  const shared = {
    host,
    port: number('port'),
    allow: allow.length > 0 ? allow : thisComputer,
    deadline: number('deadline') * 1000,
    oldest: number('oldest') * 1000,
    workspace: {
      box: boxOf(fields.box),
      approach: number('approach') / 1000,
      retreat: number('retreat') / 1000,
    },
  }
  if (fields.way === robotInterface)
    return { ...shared, jobs: list('jobs').map(jobOf), device: fields.device }
  const dialect = dialects[fields.way]
  return {
    ...shared,
    dialect,
    numbers:
      fields.way === 'ascii'
        ? robotFormat('poseFormat', fields.poseFormat, fields.unit, fields.poseFormatCustom)
        : robotFormat('way', dialect.format, ''),
    end: lineEnds[fields.lineEnd || dialect.end],
    commands: list('commands').map((each) => each.toUpperCase()),
  }
}

/** @throws INVALID_INPUT */
function jobOf(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (number <= mostJob) return number
  throw invalidInput('robots-job', { value: text })
}

/** From mm to metres. @throws INVALID_INPUT */
function boxOf(text: string): Workspace['box'] {
  if (text.trim() === '') return undefined
  const ranges = text.split(',').map((part): Range => {
    const [from = Number.NaN, to = Number.NaN, ...more] = part.split('..').map((each) => Number(each) / 1000)
    return more.length > 0 || part.trim() === '' ? [Number.NaN, Number.NaN] : [from, to]
  })
  const [x, y, z, ...more] = ranges
  if (!x || !y || !z || more.length > 0 || !ranges.every(([from, to]) => from < to))
    throw invalidInput('robots-box', { value: text })
  return [x, y, z]
}

type RobotConnectionNode = Node & { robots: DeployedRobots }

export default (RED: NodeAPI) => {
  setLanguage(RED)
  robotRoutes(RED)

  RED.nodes.registerType<RobotConnectionNode, NodeDef & RobotConnectionFields, object, object>(
    'vision-robot-connection',
    function (config) {
      RED.nodes.createNode(this, config)
      const { fields, check } = configFields(RED, this, robotConnectionNode, config)
      this.robots = new DeployedRobots(RED, this, () => {
        check()
        return settingsOf(RED, this, fields)
      })
      this.on('close', (done: (error?: Error) => void) => {
        this.robots.close().then(() => done(), done)
      })
    },
  )
}
