// Writes docs/images/plc-*.svg, timing diagrams from the real state machine. --check only reports whether they are up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const require = createRequire(import.meta.url)
const { families } = require('../dist/lib/plc/families')
const { createHandshake } = require('../dist/lib/plc/handshake')
const { rows } = require('../dist/lib/plc/rows')

/** Steps: words of the PLC, or the end of the cycle (`done` or a code). */
const scenarios = {
  sequence: {
    lanes: ['sequence', 'job', 'ready', 'busy', 'done', 'error', 'code', 'sequenceEcho'],
    steps: [{ sequence: 1, job: 7 }, 'done', { sequence: 2 }, 202, { sequence: 3 }, 'done'],
  },
  'four-phases': {
    lanes: ['trigger', 'ready', 'busy', 'done', 'error', 'code'],
    steps: [{ trigger: true }, 'done', { trigger: false }, { trigger: true }, 202, { trigger: false }],
  },
  'control-words': {
    lanes: [
      ...['enable', 'trigger', 'resultsAck', 'ready', 'triggerAck', 'busy', 'resultsValid', 'missed'],
      ...['acquisitionId', 'code'],
    ],
    steps: [
      { enable: true },
      { trigger: true },
      { trigger: false },
      'done',
      { resultsAck: true },
      { resultsAck: false },
    ],
  },
  'exe-busy-flg': {
    lanes: ['command', 'trigger', 'busy', 'ready', 'commandEcho', 'code', 'answered', 'done'],
    names: { trigger: 'EXE', busy: 'BUSY', answered: 'FLG', ready: 'READY', done: 'OR' },
    steps: [{ command: 5 }, { trigger: true }, 'done', { trigger: false }],
  },
  'command-echo': {
    lanes: ['command', 'job', 'ready', 'busy', 'done', 'error', 'code', 'commandEcho'],
    steps: [{ command: 2, job: 7 }, { command: 0 }, { command: 4 }, 'done', { command: 0 }],
  },
}

const size = { label: 140, column: 84, lane: 30, top: 40, swing: 16 }

/** Words of both sides, initially and after each step. */
function columnsOf(id, { steps }) {
  let now = 0
  let words
  let token
  let inputs = { trigger: false, command: 0, sequence: 0, job: 0, enable: false, resultsAck: false }
  const machine = createHandshake({ family: families[id], newToken: () => 'token', now })
  const send = (event) => {
    for (const effect of machine.handle(event, now))
      if (effect.type === 'write') words = effect.outputs
      else if (effect.type === 'start') ({ token } = effect.cycle)
  }
  const look = () => ({ ...words, ...inputs })
  send({ type: 'device', ready: true })
  send({ type: 'link', up: true })
  send({ type: 'sample', inputs })
  return [
    look(),
    ...steps.map((step) => {
      now += 100
      send({ type: 'sample', inputs })
      if (step === 'done') send({ type: 'result', token, data: {} })
      else if (typeof step === 'number') send({ type: 'error', token, code: step })
      else {
        inputs = { ...inputs, ...step }
        send({ type: 'sample', inputs })
      }
      return look()
    }),
  ]
}

/** Lines for bits, boxes for numbers. */
function laneOf(row, columns, top) {
  const values = columns.map((column) => column[row])
  const x = (index) => size.label + index * size.column
  if (typeof values[0] === 'boolean') {
    const y = (value) => top + (value ? 0 : size.swing)
    const path = values
      .map((value, index) => `${index ? 'L' : 'M'}${x(index)} ${y(value)}H${x(index + 1)}`)
      .join('')
    return `<path class="line" d="${path}"/>`
  }
  const boxes = []
  for (let from = 0; from < values.length;) {
    let to = from + 1
    while (to < values.length && values[to] === values[from]) to += 1
    const [left, right, middle] = [x(from), x(to), top + size.swing / 2]
    boxes.push(
      `<path class="box" d="M${left} ${middle}L${left + 5} ${top}H${right - 5}L${right} ${middle}L${right - 5} ${top + size.swing}H${left + 5}Z"/>`,
      `<text class="value" x="${(left + right) / 2}" y="${middle + 4}">${values[from]}</text>`,
    )
    from = to
  }
  return boxes.join('\n')
}

function diagramOf(id, scenario) {
  const columns = columnsOf(id, scenario)
  const isPlc = (row) => rows[row].from === 'plc'
  const width = size.label + columns.length * size.column + 16
  const height = size.top + scenario.lanes.length * size.lane + 8
  const marks = scenario.steps.map((_, index) => {
    const x = size.label + (index + 1) * size.column
    return `<path class="mark" d="M${x} 26V${height - 8}"/><text class="step" x="${x}" y="20">${index + 1}</text>`
  })
  const lanes = scenario.lanes.map((row, index) => {
    const top = size.top + index * size.lane
    const name = scenario.names?.[row] ?? row
    return [
      `<g class="${isPlc(row) ? 'plc' : 'cell'}">`,
      `<text class="name" x="8" y="${top + 13}">${name}</text>`,
      laneOf(row, columns, top),
      '</g>',
    ].join('\n')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>Timing of the family ${id}: blue the PLC, green the cell</title>
<style>
text { font: 12px sans-serif; fill: #222 }
.value, .step { text-anchor: middle }
.step { font-weight: bold }
.line { fill: none; stroke-width: 2 }
.box { stroke-width: 1.5 }
.plc path { stroke: #1f5fa8; fill: #e3edf8 }
.cell path { stroke: #2c7a3f; fill: #e4f3e7 }
.plc .line, .cell .line { fill: none }
.mark { stroke: #bbb; stroke-dasharray: 3 3 }
</style>
<rect width="100%" height="100%" fill="#fff"/>
${marks.join('\n')}
${lanes.join('\n')}
</svg>
`
}

const stale = Object.entries(scenarios).filter(([id, scenario]) => {
  const file = `docs/images/plc-${id}.svg`
  const text = diagramOf(id, scenario)
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  return process.argv.includes('--check') && readFileSync(file, 'utf8') !== text
})
for (const [id] of stale)
  console.error(`docs/images/plc-${id}.svg is not of today: node scripts/plc-diagrams.mjs`)
if (stale.length) process.exitCode = 1
