import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { knownLanguage, sentencesIn, type KeyOf } from '../../lib/kernel/sentences'
import { steepness } from '../cell/cell'
import type { Device } from '../device/device'
import type { PipelineView } from '../images/pipeline-view'
import type { Scenario } from '../scenario'
import type en from './locales/en-US/sentences.json'

let template: string | undefined

export function pageHtml(device: Device, language: string): string {
  template ??= readFileSync(join(__dirname, 'index.html'), 'utf8')
  const say = inLanguage(language)
  const parts: Readonly<Record<string, string>> = {
    language,
    serial: escaped(device.identity.serial),
    switches: switches(device, say),
  }
  return template.replace(
    /\{\{([\w.]+)\}\}/g,
    (_, name: string) => parts[name] ?? escaped(say(name as PageKey)),
  )
}

function switches(device: Device, say: Say): string {
  return groups
    .map((group) => {
      const offered = (Object.keys(rows) as RowName[]).filter((name) => {
        const { group: of, needs }: Row = rows[name]
        return of === group && has(device, needs)
      })
      if (offered.length === 0) return ''
      const title: GroupKey = `group.${group}`
      return `<fieldset><legend>${escaped(say(title))}</legend>${offered.map((name) => rowHtml(name, say)).join('')}</fieldset>`
    })
    .join('')
}

const has = (device: Device, needs: Row['needs']) =>
  needs === undefined || (needs === 'arm' ? device.hand !== undefined : device.variant === needs)

function rowHtml(name: RowName, say: Say): string {
  const { path, choices }: Row = rows[name]
  const label = escaped(say(`row.${name}`))
  const buttons = Object.entries(choices).map(([choice, value]) => {
    const key = `row.${name}.${choice}` as RowKey
    return `<button type="button" value="${escaped(JSON.stringify(value))}">${escaped(say(key))}</button>`
  })
  return (
    `<div class="row" data-path="${path.join('.')}"><span id="${name}">${label}</span>` +
    `<span class="choices" role="group" aria-labelledby="${name}">${buttons.join('')}</span></div>`
  )
}

const groups = ['network', 'pictures', 'cell', 'device', 'arm'] as const // in the order of the page
type Group = (typeof groups)[number]

interface Row {
  group: Group
  path: readonly [keyof Scenario, ...string[]]
  /** Values by label; the first one is the default. */
  choices: Readonly<Record<string, unknown>>
  /** Only a device with this has the row. */
  needs?: 'arm' | 'multi'
}

/** Switches of the page, by the names of their texts. */
export const rows = {
  offline: { group: 'network', path: ['offline'], choices: { connected: false, unplugged: true } },
  latency: { group: 'network', path: ['latency_ms'], choices: { none: 0, short: 500, long: 5000 } },
  dropConnections: { group: 'network', path: ['drop_connections'], choices: { none: 0, some: 0.2 } },
  dropAnswers: { group: 'network', path: ['drop_answers'], choices: { none: 0, some: 0.2 } },
  rateLimit: { group: 'network', path: ['rate_limit'], choices: { none: 0, two: 2 } },

  imageStream: {
    group: 'pictures',
    path: ['image_stream'],
    choices: { ok: 'ok', refused: 'refused', cut: 'cut', closed: 'closed' },
  },
  imageClient: { group: 'pictures', path: ['image_client'], choices: { yes: true, no: false } },
  imageDelay: { group: 'pictures', path: ['image_delay_ms'], choices: { none: 0, second: 1000 } },
  dropImages: { group: 'pictures', path: ['drop_images'], choices: { none: 0, half: 0.5 } },
  imageView: {
    group: 'pictures',
    path: ['image_view'],
    choices: { auto: 'auto', scene: 'scene', grid: 'grid' },
  },

  items: {
    group: 'cell',
    path: ['scene', 'detection', 'items'],
    choices: { usual: 18, few: 3, none: 0 },
  },
  loadCarrier: {
    group: 'cell',
    path: ['scene', 'detection', 'load_carrier'],
    choices: { there: true, gone: false },
  },
  noise: {
    group: 'cell',
    path: ['scene', 'detection', 'noise'],
    choices: { usual: 0.0003, strong: 0.005 },
  },
  grid: { group: 'cell', path: ['grid_visible'], choices: { visible: true, covered: false } },
  calibrationLock: {
    group: 'cell',
    path: ['scene', 'hand_eye', 'locked'],
    choices: { free: false, locked: true },
  },
  calibrationStore: {
    group: 'cell',
    path: ['scene', 'hand_eye', 'storage_fails'],
    choices: { works: false, fails: true },
  },

  genicam: { group: 'device', path: ['genicam_connected'], choices: { no: false, yes: true } },
  licenseStereo: { group: 'device', path: ['license', 'stereo'], choices: { valid: true, missing: false } },
  licenseHandEye: {
    group: 'device',
    path: ['license', 'hand_eye_calibration'],
    choices: { valid: true, missing: false },
  },
  staleNodes: { group: 'device', path: ['stale_nodes'], choices: { none: [], camera: ['camera'] } },
  moduleStart: {
    group: 'device',
    path: ['module_start'],
    choices: { ok: 'ok', refused: 'refused', fatal: 'fatal' },
  },
  ntp: { group: 'device', path: ['ntp_synchronized'], choices: { no: false, yes: true } },
  ptp: { group: 'device', path: ['ptp_synchronized'], choices: { no: false, yes: true } },
  nextUpdate: {
    group: 'device',
    path: ['next_update'],
    choices: { ok: 'ok', corrupt: 'corrupt', bootFails: 'boot_fails' },
  },
  rollback: { group: 'device', path: ['rollback_fails'], choices: { works: false, fails: true } },
  logChatter: { group: 'device', path: ['log_chatter'], choices: { none: 0, ten: 10 } },
  missingLogs: { group: 'device', path: ['missing_logs'], choices: { none: [], api: ['api.log'] } },
  robotJob: {
    group: 'device',
    path: ['robot_job_seconds'],
    choices: { none: 0, ten: 10 },
    needs: 'multi',
  },

  armStop: {
    group: 'arm',
    path: ['arm', 'protective_stop'],
    choices: { none: 'none', now: 'now', next: 'next_motion' },
    needs: 'arm',
  },
  armButton: {
    group: 'arm',
    path: ['arm', 'emergency_stop'],
    choices: { released: false, pressed: true },
    needs: 'arm',
  },
  armRemote: { group: 'arm', path: ['arm', 'remote'], choices: { yes: true, no: false }, needs: 'arm' },
  armLink: {
    group: 'arm',
    path: ['arm', 'link'],
    choices: { ok: 'ok', cut: 'cut', frozen: 'frozen' },
    needs: 'arm',
  },
  armSpeed: { group: 'arm', path: ['arm', 'speed'], choices: { full: 1, slow: 0.2 }, needs: 'arm' },
} as const satisfies Readonly<Record<string, Row>>

/** Scenario keys whose numbers do not fit a button. */
export const withoutRow = [
  'boot_seconds',
  'boot_502_seconds',
  'update_seconds',
  'upload_rate',
  'latency_jitter_ms',
  'module_start_seconds',
  'log_keeps',
  'log_rotation',
] as const satisfies readonly (keyof Scenario)[]

type RowName = keyof typeof rows
type RowKey = {
  [Name in RowName]: `row.${Name}` | `row.${Name}.${keyof (typeof rows)[Name]['choices'] & string}`
}[RowName]
type GroupKey = `group.${Group}`

export function caption({ seen }: PipelineView, say: Say): string {
  if (!seen) return ''
  if ('scene' in seen) {
    const { bin, items } = seen.scene
    const count = items.length
    return bin ? say('seen.carrier', { count }) : say('seen.floor', { count })
  }
  const { grid, hindrance } = seen.cell
  if (hindrance) return say(`seen.grid.${hindrance.kind}`)
  const { metres, degrees } = steepness(grid)
  return say('seen.grid', { distance: (1000 * metres).toFixed(0), degrees: degrees.toFixed(0) })
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const every = ['0.0.0.0', '::']

/** The page as this machine reaches it; undefined if the device listens on a network address alone. */
export function pageUrl(address: string, port: number): string | undefined {
  if (every.includes(address) || address.startsWith('127.'))
    return `http://${address.startsWith('127.') ? address : '127.0.0.1'}:${port}/virtual/`
  return address === '::1' ? `http://[::1]:${port}/virtual/` : undefined
}

const sentences = sentencesIn<typeof en>(__dirname)

type PageKey = KeyOf<typeof sentences>
/** Translates a key into the language of a page. */
export type Say = (key: PageKey, values?: Readonly<Record<string, unknown>>) => string

export const inLanguage =
  (language: string): Say =>
  (key, values = {}) =>
    sentences.say(key, values, language)

const english = 'en-US'

/** The browser's first language with texts, otherwise English. @param accepted `Accept-Language` */
export function pageLanguage(accepted = ''): string {
  const wanted = accepted
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', quality = ''] = part.split(';')
      return { base: tag.trim().toLowerCase().split('-')[0] ?? '', weight: weightOf(quality) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
  for (const { base } of wanted) {
    const found = knownLanguage(base)
    if (found !== undefined) return found
  }
  return english
}

function weightOf(quality: string): number {
  const [name, value] = quality.split('=')
  return name?.trim() === 'q' ? Number(value) || 0 : 1
}
