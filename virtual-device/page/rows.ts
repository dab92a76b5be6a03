import type { Scenario } from '../scenario'

/** Groups of rows, in the order of the page. */
export const groups = ['network', 'pictures', 'cell', 'device', 'arm'] as const
type Group = (typeof groups)[number]

/** One thing that the page can switch. */
export interface Row {
  group: Group
  /** The keys that lead to its value in the scenario. */
  path: readonly [keyof Scenario, ...string[]]
  /** The values by the word for each; the first one is usual. */
  choices: Readonly<Record<string, unknown>>
  /** Only a device with this has the row. */
  needs?: 'arm' | 'multi'
}

/** What the page can switch, by the names of its texts. */
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

/** Keys of the scenario whose numbers are no matter of a button. */
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

export type RowName = keyof typeof rows
/** The texts of all rows and choices. */
export type RowKey = {
  [Name in RowName]: `row.${Name}` | `row.${Name}.${keyof (typeof rows)[Name]['choices'] & string}`
}[RowName]
export type GroupKey = `group.${Group}`
