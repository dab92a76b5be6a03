/** The node *log watch*. In: the device's logs. Out: each new entry once; optionally to an OTLP collector. */
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { logs } from '../../lib'
import { onDeploy } from '../device/on-deploy'
import { sentencesOf } from '../sentences'
import { checkedFields, credentialsOf, type NumberName, numberOf } from '../shared/fields/checked-fields'
import { aborted } from '../shared/handle-input'
import { loadClient } from '../shared/load-later'
import { codeOf, currentLanguage } from '../shared/node-error'
import type { OutcomeSummary, Properties } from '../shared/outcome'
import { nodeError } from '../shared/sentences'
import type { StatusWord } from '../shared/status'
import { collectorOf } from './collector'
import { type LogWatchCredentials as Credentials, type LogWatchFields, logWatchNode } from './fields'

export default (RED: NodeAPI) => {
  RED.nodes.registerType<Node<Credentials>, NodeDef & LogWatchFields, object, Credentials>(
    'vision-log-watch',
    function (config) {
      RED.nodes.createNode(this, config)
      const fields = checkedFields(RED, this, logWatchNode, config)
      if (!fields) return
      let isRemoved = false
      this.on('close', (removed: boolean, done: () => void) => {
        isRemoved = removed && !isInFlows(RED, this.id)
        done()
      })

      onDeploy(RED, this, fields, async ({ device, text, signal, emit, show, showLink, onLink }) => {
        const { userDir } = RED.settings as { userDir?: string }
        const folder = resolve(userDir ?? '', 'vision-logs', encodeURIComponent(this.id))
        const library = loadClient().logs
        let state: StatusWord | undefined
        let isCollectorAway = false
        const showState = () => {
          if (!state || device.link.state !== 'ready') showLink()
          else show(isCollectorAway && state === 'following' ? 'waitsForCollector' : state)
        }
        const away = (isAway: boolean) => {
          isCollectorAway = isAway
          showState()
        }

        const send = async (output: number, [message, summary]: [Properties, OutcomeSummary]) => {
          if (signal.aborted) throw nodeError('ABORTED', 'node-closed')
          emit(output, message, summary)
          // Messages arrive one turn later; only then may the position advance.
          await turn()
        }
        const options = followOptions(fields, {
          log: text('log'),
          component: text('component'),
          text: text('text'),
        })
        device.metrics.followsLogs()
        const collector = await collectorOf({ RED, node: this, fields, device, folder, away })
        const positions = library.filePositions(folder, device.client.address, {
          onDamage: (damage) => this.warn(damage.inLanguage(currentLanguage())),
        })
        const follower = library.followLogs(
          {
            ...options,
            source: device.client,
            positions: collector?.before(positions) ?? positions,
          },
          {
            onEntries: async (lines) => {
              collector?.entries(lines)
              await send(0, entriesMessage(lines, fields.output === 'batch'))
              for (const { level, repeated } of lines) if (!repeated) device.metrics.logEntry(level)
            },
            onGap: (gap) => {
              device.metrics.logGap()
              const message = gapMessage(gap)
              collector?.gap(gap, message[1].text)
              return send(1, message)
            },
            onHeldBack: (held) => {
              const message = heldBackMessage(held)
              collector?.heldBack(held, message[1].text)
              return send(1, message)
            },
            onState: (now) => {
              state = wordOf(now)
              showState()
            },
            onProblem: (error) => this.error(error, {}),
          },
        )
        onLink(showState)
        await aborted(signal)
        await follower.close()
        await collector?.close()
        if (isRemoved) await rm(folder, { recursive: true, force: true })
      })
    },
    { credentials: credentialsOf(logWatchNode) },
  )
}

/** Node-RED reports a disabled node as removed; its position is still needed. */
function isInFlows(RED: NodeAPI, id: string): boolean {
  let isThere = false
  RED.nodes.eachNode((node) => {
    isThere ||= node.id === id
  })
  return isThere
}

function wordOf(state: logs.FollowState): StatusWord {
  return state.doing === 'failing' ? (codeOf(state.error) ?? 'failed') : state.doing
}

const { say, summarize } = sentencesOf('log-watch')

const entriesMessage = (lines: readonly logs.LogLine[], isBatch: boolean): [Properties, OutcomeSummary] => [
  {
    topic: lines[0]?.log,
    payload: isBatch ? lines : lines[0],
    ...(lines.some(({ repeated }) => repeated) && { repeated: true }),
  },
  summaryOf(lines, isBatch),
]

function summaryOf(lines: readonly logs.LogLine[], isBatch: boolean): OutcomeSummary {
  const [line] = lines
  const state = lines.some(({ level }) => alarming.has(level)) ? 'warning' : 'done'
  return isBatch || !line
    ? summarize('result-entries', { log: line?.log, count: lines.length }, { state, value: lines.length })
    : summarize('result-entry', { ...line }, { state, value: line.level })
}

const alarming: ReadonlySet<string> = new Set(['WARN', 'WARNING', 'ERROR', 'FATAL'])

function gapMessage(gap: logs.LogGap): [Properties, OutcomeSummary] {
  const { log, reason, after, before } = gap
  const times = {
    ...(after !== undefined && { after: iso(after) }),
    ...(before !== undefined && { before: iso(before) }),
  }
  const text = say(`log-gap-${reason}`, { log })
  const payload = { log, reason, ...times, message: text }
  return [
    { topic: log, gap: true, payload },
    { text, state: 'warning', code: reason },
  ]
}

function heldBackMessage(held: logs.HeldBack): [Properties, OutcomeSummary] {
  const { entries, levels, logs: byLog } = held
  const shown = Object.entries(levels)
    .map(([level, count]) => `${count} ${level}`)
    .join(', ')
  const text = say('log-held-back', { entries, levels: shown })
  const topic = Object.keys(byLog).join(', ')
  const message = { topic, heldBack: entries, payload: { ...held, message: text } }
  return [message, { text, state: 'warning', code: 'held-back', value: entries }]
}

function iso(seconds: number): string {
  const date = new Date(1000 * seconds)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

type Texts = Record<'log' | 'component' | 'text', string>

/** @throws INVALID_INPUT naming the field */
function followOptions(fields: LogWatchFields, texts: Texts): Omit<logs.FollowOptions, 'source'> {
  const { log, ...filter } = texts
  const { start, level, match, output } = fields
  const number = <Name extends NumberName<typeof logWatchNode>>(name: Name) =>
    numberOf(logWatchNode, fields, name)
  const entries = number('rate')
  return {
    ...(log && { log }),
    start,
    ...(start === 'last' && { last: number('last') }),
    filter: { ...filter, level, isPattern: match === 'pattern' },
    ...(entries !== undefined && { rate: { entries, seconds: number('seconds') } }),
    batch: output === 'batch' ? number('batch') : 1,
    most: number('most'),
    pace: {
      shortest: 1000 * number('shortest'),
      longest: 1000 * number('longest'),
    },
    ...languageOf(),
  }
}

function languageOf() {
  const language = currentLanguage()
  return language === undefined ? {} : { language }
}
