import { join } from 'node:path'
import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import { pictureIn } from '../pictures/found'
import { handshakeOf, timesOf } from '../plc/handshake-of'
import { manualOf } from '../plc/handshake-snapshot'
import { deliver, oneByOne, whenStarted, afterwards } from '../shared/handle-input'
import { detailOf, currentLanguage, withLanguage } from '../shared/node-error'
import { NodeAnswer } from '../shared/outcome'
import { Throttle } from '../../lib/kernel/rate'
import { mayOrder } from '../operator/dashboard-pages'
import { CellAlarms } from './cell-alarms'
import { stateColours, stateOf, stateSummary } from './cell-state'
import { operatorPanelNode, type OperatorPanelFields } from './fields'
import {
  plotsOf,
  Results,
  alarmOf,
  alarmOrders,
  alarmTable,
  counterTable,
  pictureCaption,
  resultTable,
} from './tables'
import { sentencesOf } from '../sentences'

const { invalidInput, nodeError, say, summarize } = sentencesOf('operator-panel')

type OutputName = (typeof operatorPanelNode.outputs)[number]
const outputOf = (name: OutputName) => operatorPanelNode.outputs.indexOf(name)

/** Milliseconds between updates of counters and plots. */
const pause = 1000

export function showPanel(RED: NodeAPI, node: Node, fields: OperatorPanelFields): void {
  const theme = fields.theme === 'dark' ? 'dark' : 'light'
  const inWords = <Text>(render: () => Text): Text =>
    withLanguage(fields.language || currentLanguage(), render)
  const handshake = () => handshakeOf(RED, fields.handshake)
  const results = new Results()
  let isClosed = false

  const answers: Record<Exclude<OutputName, 'picture'>, () => NodeAnswer> = {
    state: () => {
      const state = stateOf(handshake(), results.last)
      const { word, reason, appearance: look } = state
      const update = { color: stateColours[theme][look] }
      const result = say('last-result', { text: results.last?.text ?? '–' })
      const properties = { payload: word, reason, result, ui_update: update }
      return new NodeAnswer(properties, stateSummary(state), outputOf('state'))
    },
    results: () => {
      const { rows } = results
      const text = rows[0]?.text ?? ''
      return new NodeAnswer({ payload: resultTable(rows) }, { text, value: rows.length }, outputOf('results'))
    },
    counters: () => {
      const { counts, cell } = handshake() ?? {}
      const known = counts ?? { accepted: 0, done: 0, failed: 0, missed: 0, dropped: 0 }
      const rows = counterTable(known, timesOf(cell))
      const summary = summarize('counters-told', known, { value: known.done })
      return new NodeAnswer({ payload: rows, counts: known }, summary, outputOf('counters'))
    },
    alarms: () => {
      const { open: count = 0, sorted = [] } = alarms ?? {}
      const summary = summarize(
        sorted.length ? 'alarms-told' : 'alarms-none',
        { count },
        { value: count, state: count ? 'warning' : 'done' },
      )
      const rows = { payload: alarmTable(sorted), alarms: alarmOrders(sorted, mayOrder(RED, node.id)) }
      return new NodeAnswer(rows, summary, outputOf('alarms'))
    },
    plots: () => {
      const shown = handshake()
      const payload = shown ? plotsOf(shown, theme) : {}
      return new NodeAnswer({ payload }, summarize('plots-told'), outputOf('plots'))
    },
    orders: () => {
      const shown = handshake()
      const may = shown?.settings ? manualOf(shown, shown.settings).may : 'notNow'
      const payload = [
        {
          topic: 'trigger',
          label: say('order-trigger'),
          enabled: may === 'yes',
          hint: say(`may-${may}`),
        },
        {
          topic: 'acknowledge',
          label: say('order-acknowledge'),
          enabled: (alarms?.open ?? 0) > 0,
          hint: '',
        },
      ]
      return new NodeAnswer({ payload }, summarize(`may-${may}`), outputOf('orders'))
    },
  }
  const answer = (name: keyof typeof answers) => inWords(answers[name])
  const before = new Map<string, string>()
  const show = (...names: (keyof typeof answers)[]) => {
    for (const name of names) {
      const shown = answer(name)
      const content = JSON.stringify(shown.properties)
      if (isClosed || before.get(name) === content) continue
      before.set(name, content)
      deliver(RED, (msg) => node.send(msg), {}, shown, 0)
    }
  }

  let alarms: CellAlarms | undefined
  const opening = CellAlarms.open({
    file: join(RED.settings.userDir ?? '.', 'vision-operator', `${encodeURIComponent(node.id)}.json`),
    failed: (error) => node.warn(error.inLanguage(currentLanguage())),
    inWords,
    changed: () => show('alarms', 'orders'),
  })
  const slow = new Throttle(pause, () => show('counters', 'plots'))
  const changed = afterwards(() => {
    const looked = handshake()
    if (looked) alarms?.checkConnections(looked)
    show('state', 'orders')
    slow.push()
  })

  let unwatch: (() => void) | undefined
  const cancel = whenStarted(RED, () => {
    const begin = (opened: CellAlarms) => {
      if (isClosed) return
      alarms = opened
      const watched = handshake()
      unwatch = watched?.watch({
        changed,
        ended: (ended, { DONE }, reason) => {
          // The results are written a moment earlier or later.
          queueMicrotask(() => {
            const { cell, settings } = watched
            const data = cell?.figures.shown?.data ?? {}
            if (settings) inWords(() => results.ended(ended, data, reason, settings))
            opened.ended(ended, reason, watched)
            show('results', 'state')
            if (ended.code !== DONE) changed()
          })
        },
        told: (event) => {
          opened.told(event, watched)
          const last = watched.cell?.figures.manual.last
          const isByHand = event.what === 'manual-done' || event.what === 'manual-failed'
          const { settings } = watched
          if (isByHand && last && settings) inWords(() => results.byHand(last, settings))
          if (isByHand) show('results')
        },
      })
      show('state', 'results', 'counters', 'alarms', 'plots', 'orders')
      changed()
    }
    opening.then(begin).catch((error: unknown) => node.error(detailOf(error), {}))
  })

  const order = ({ topic, payload }: NodeMessageInFlow): NodeAnswer | undefined => {
    if (topic === 'acknowledge') {
      alarms?.acknowledge(alarmOf(payload))
      return answer('alarms')
    }
    if (topic !== 'trigger') return undefined
    const { cell } = handshake() ?? {}
    if (!cell?.triggerByHand()) throw inWords(() => nodeError('REFUSED', 'not-by-hand'))
    return answer('state')
  }

  const refresh = async (msg: NodeMessageInFlow) => {
    if (!handshake()) throw invalidInput('no-handshake')
    await opening
    const ordered = order(msg)
    if (ordered) return ordered
    const { error } = msg as { error?: { message?: unknown; source?: { id?: unknown } } }
    if (error) {
      const id = error.source?.id
      alarms?.caught(typeof id === 'string' ? id : '', detailOf(error))
      return answer('alarms')
    }
    const picture = pictureIn(msg)
    if (picture === undefined) throw invalidInput('nothing-to-show')
    const caption = inWords(() => pictureCaption(Date.now()))
    return new NodeAnswer({ payload: picture, caption }, summarize('picture-shown'), outputOf('picture'))
  }
  oneByOne(RED, node, operatorPanelNode, refresh, {
    changes: ({ topic }) => topic === 'trigger' || topic === 'acknowledge',
  })

  node.on('close', (done: (error?: Error) => void) => {
    isClosed = true
    cancel()
    unwatch?.()
    slow.close()
    opening.then((opened) => opened.close()).then(() => done(), done)
  })
}
