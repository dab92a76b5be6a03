import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { families } from '../../nodes/metrics/families'
import type { Family } from '../../lib/metrics'
import { root } from '../support/root'

const textOf = (name: string) => readFileSync(join(root, 'docs', name), 'utf8')

/** Names of series by the names of the metrics. */
const series = new Map(
  Object.entries<Family>(families).flatMap(([name, family]) =>
    family.type === 'histogram'
      ? ['_bucket', '_sum', '_count'].map((end) => [name + end, family] as const)
      : [[name, family] as const],
  ),
)
const common = ['device', 'handshake', 'centre', 'instance', 'job', 'le']

/** The names of series in a query, and the labels that it uses. */
function usesIn(query: string) {
  const names = [...query.matchAll(/\bvision_\w+/g)].map(([name]) => name)
  const matched = [...query.matchAll(/([a-z_]+)(?:=~|!=|!~|=)"/g)].map(([, label = '']) => label)
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */))
  return { names, labels: [...matched, ...grouped] }
}

function check(query: string, legend = '') {
  const { names, labels } = usesIn(query)
  if (!names.length) should(query).startWith('up{job="vision"}')
  const known = names.flatMap((name) => {
    if (!series.has(name)) throw new Error(`${name} does not exist: ${query}`)
    return series.get(name)?.labels ?? []
  })
  const shown = [...legend.matchAll(/\{\{ *(?:\$labels\.)?(\w+) *\}\}/g)].map(([, label = '']) => label)
  for (const label of [...labels, ...shown])
    if (![...common, ...known].includes(label)) throw new Error(`no label ${label}: ${query}`)
}

describe('the documents about metrics', () => {
  it('have a table with each metric, as it is', () => {
    const rows = textOf('metrics.md')
      .split('\n')
      .filter((line) => line.startsWith('| `vision_'))
      .map((line) => line.slice(2, -2).split(/ *\| */))
    const wanted = Object.entries<Family>(families).map(([name, { type, labels = [], help }]) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(', '),
      help,
    ])
    rows.map((row) => row.map((cell) => cell.trim())).should.deepEqual(wanted)
  })

  it('have a dashboard that asks only for what there is, and shows each metric but those for joins', () => {
    const dashboard = JSON.parse(textOf('monitoring/dashboard.json')) as {
      panels: { targets?: { expr: string; legendFormat: string }[] }[]
    }
    const targets = dashboard.panels.flatMap(({ targets = [] }) => targets)
    targets.length.should.be.above(20)
    for (const { expr, legendFormat } of targets)
      check(expr.replaceAll('$__rate_interval', '5m'), legendFormat)
    const all = targets.map(({ expr }) => expr).join('\n')
    const unshown = Object.keys(families).filter((name) => !all.includes(name))
    unshown.should.deepEqual([
      'vision_build_info',
      'vision_device_state',
      'vision_device_last_answer_timestamp_seconds',
      'vision_device_firmware_fallback',
      'vision_stream_messages_total',
      'vision_series_limit_reached',
    ])
  })

  it('have alerts that ask only for what there is', () => {
    const rules = textOf('monitoring/alerts.yml')
      .split('- alert: ')
      .slice(1)
      .map((rule) => /expr: (?:\|\n)?([^]*?)\n +(?:for|annotations):/.exec(rule)?.[1] ?? '')
    rules.length.should.be.above(8)
    for (const rule of rules) check(rule)
  })

  it('show the configuration that comes as a file', () => {
    const [, shown = ''] = /```\n(scrape_configs:[^]*?)```/.exec(textOf('metrics.md')) ?? []
    const file = textOf('monitoring/prometheus.yml').replace(/^ *#.*\n/gm, '')
    file.should.startWith(shown)
    shown.should.not.equal('')
  })
})

describe('the names of metrics', () => {
  for (const [name, family] of Object.entries<Family>(families))
    it(`follow the conventions: ${name}`, () => {
      should(name.endsWith('_total')).equal(family.type === 'counter')
      name.should.not.match(/milli|_ms|percent|kilo/)
      if (family.type === 'histogram') name.should.endWith('_seconds')
      family.help.should.match(/^[A-Z].*\.$/)
    })
})
