import { deviceApi, DeviceProblem } from '../device-api'
import { presence } from '../picks/offers'
import { inBackground, sharedText, text } from '../dialog'
import { type NameUse, usesOf } from './uses'
import type { TreeEntry, LineTone, TreeBranch } from './row'
import type { LogEntry, SysInfo } from '../../lib/contract'
import { typedAddress } from '../../lib/contract/reading/address'
import type { DeviceState, DeviceStates } from '../../nodes/device-config/deployed-device'
import { cameraView, deployedCamera } from '../camera/camera-view'
import { isAnyConfigured } from './configured'
import { globalNodes, pipelineNodes } from './parameters'

/** Milliseconds between comparisons of flows and an open device. */
const every = 5000

interface Finding {
  /** Undefined until the first comparison is complete. */
  lacking: readonly NameUse[] | undefined
  /** Present or last comparison; its end in ms. */
  comparison: Promise<void>
  ended: number
}

/** By node: other flows may have a different device with the same id. */
const findings = new WeakMap<EditorNode, Finding>()

/** Used by flows, missing on the device. Calls `again` when known. */
function missing(device: EditorNode, again: () => void): TreeEntry {
  const { lacking, comparison } = compared(device)
  const key = 'missing'
  if (!lacking) {
    inBackground(comparison.then(again))
    return { key, label: sharedText('sidebar.comparing'), icon: 'hourglass-half', tone: 'quiet' }
  }
  const count = lacking.length
  if (!count)
    return {
      key,
      label: sharedText('sidebar.complete'),
      description: sharedText('sidebar.nothingMissing'),
      icon: 'check',
      tone: 'quiet',
    }
  return {
    key,
    label: sharedText('sidebar.missing'),
    value: String(count),
    icon: 'exclamation-triangle',
    tone: 'bad',
    problem: sharedText('pick.missing', { names: [...new Set(lacking.map(({ name }) => name))].join(', ') }),
    branch: {
      every: 1,
      load: async () => {
        await comparison
        return (findings.get(device)?.lacking ?? []).map(missingEntry)
      },
    },
  }
}

const missingEntry = ({ node, instance, kind, name, place }: NameUse): TreeEntry => ({
  key: `${instance?.id ?? ''} ${node.id} ${kind} ${place.node} ${name}`,
  label: name,
  about: sharedText(`sidebar.kind.${kind}`),
  value: [instance, node].flatMap((each) => (each ? labelOf(each) : [])).join(' › '),
  description: sharedText('sidebar.showNode'),
  icon: 'exclamation-triangle',
  tone: 'bad',
  act: { name: sharedText('sidebar.showNode'), run: () => RED.view.reveal(node.id) },
})

const labelOf = (node: EditorNode) => RED.utils.getNodeLabel(node as never, node.type)

/** Only open details wait for a comparison. */
function compared(device: EditorNode): Finding {
  const last = findings.get(device)
  if (last && Date.now() - last.ended < every) return last
  const finding: Finding = { lacking: last?.lacking, ended: Infinity, comparison: Promise.resolve() }
  finding.comparison = lackingOn(device.id).then((lacking) => {
    finding.lacking = lacking
    finding.ended = Date.now()
  })
  findings.set(device, finding)
  return finding
}

/** Never rejects: unknown names are not counted as missing. */
async function lackingOn(device: string): Promise<NameUse[]> {
  const api = deviceApi(device)
  api.forget()
  const looked = await Promise.all(
    usesOf(device).map(async (use) => ({
      use,
      ...(await presence(api, use.kind, use.place, use.name)),
    })),
  )
  const lacking = looked.filter(({ is }) => is === 'missing').map(({ use }) => use)
  // In a missing pipeline everything is missing.
  const inMissing = ({ node, instance }: NameUse) =>
    lacking.some(
      (other) => other.node.id === node.id && other.instance === instance && other.kind === 'pipeline',
    )
  return lacking.filter((use) => use.kind === 'pipeline' || !inMissing(use))
}

function systemFacts({
  ready,
  model_name: model,
  hostname,
  serial,
  firmware,
  uptime,
  reboot_required: mustRestart,
}: SysInfo): TreeEntry[] {
  const facts: TreeEntry[] = [
    fact('model', sharedText('test.model'), model ?? modelIn(hostname, serial)),
    fact('serial', sharedText('test.serial'), serial),
    fact('firmware', sharedText('test.firmware'), firmware.active_image.image_version),
    fact('uptime', sharedText('sidebar.uptime'), duration(uptime)),
  ]
  if (!ready) facts.unshift(remark('starting', sharedText('test.booting')))
  if (firmware.fallback_booted) facts.unshift(remark('fallback', sharedText('sidebar.fallback')))
  if (mustRestart) facts.unshift(remark('restart', sharedText('sidebar.mustRestart')))
  return facts
}

/** Others have the model in their host name, `<model>-<serial>`. */
const modelIn = (hostname: string, serial: string) =>
  serial && hostname.endsWith(`-${serial}`) ? hostname.slice(0, -serial.length - 1) : hostname

const fact = (key: string, label: string, value: string): TreeEntry => ({ key, label, value, tone: 'quiet' })

const remark = (key: string, label: string): TreeEntry => ({
  key,
  label,
  icon: 'exclamation-triangle',
  tone: 'soon',
  isText: true,
})

/** `3 d 4 h`, `4 h 5 min`, `5 min`; seconds only in the first two minutes. */
function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const days = Math.floor(hours / 24)
  if (minutes < 2) return `${Math.floor(seconds)} s`
  if (hours < 1) return `${minutes} min`
  return days < 1 ? `${hours} h ${minutes % 60} min` : `${days} d ${hours % 24} h`
}

const picture = (device: EditorNode, pipelines: readonly string[]): TreeEntry => ({
  key: 'picture',
  label: sharedText('picture.title'),
  icon: 'picture-o',
  panel: () => panel(device, pipelines),
})

function panel(device: EditorNode, pipelines: readonly string[]): JQuery {
  const choice = $('<select>').attr('aria-label', sharedText('picture.pipeline'))
  for (const name of pipelines)
    choice.append($('<option>').val(name).text(sharedText('sidebar.pipeline', { name })))
  choice.on('change', () => {
    view.clear()
    inBackground(view.show())
  })
  const view = cameraView({
    camera: () => deployedCamera(device.id, String(choice.val() ?? '0')),
    ...(pipelines.length > 1 && { before: choice }),
  })
  inBackground(view.show())
  return view.element
}

/** By name; single devices need not list theirs. @throws DeviceProblem */
export async function pipelinesOf(device: string): Promise<Record<string, { type: string; status: string }>> {
  try {
    return await deviceApi(device).read('listPipelines', {}, { fresh: true })
  } catch (problem) {
    if (problem instanceof DeviceProblem && problem.code === 'NOT_FOUND')
      return { '0': { type: '', status: '' } }
    throw problem
  }
}

/** Seconds. */
const streamSeconds = 3

const streams = (device: string): TreeBranch => ({
  every: streamSeconds,
  load: async () =>
    (await listed(device)).map(({ name, protobuf, description, destinations }) => ({
      key: name,
      label: name,
      about: protobuf,
      value: destinations.length
        ? sharedText('sidebar.sentTo', { destinations: destinations.join(', ') })
        : sharedText('sidebar.sentNowhere'),
      description,
      icon: 'rss',
      nodes: [{ type: 'vision-stream-receive', fields: { device, stream: name, streamType: 'str' } }],
    })),
})

/** Multi devices have none. */
async function listed(device: string) {
  try {
    return await deviceApi(device).read('listStreams', {}, { fresh: true })
  } catch (problem) {
    if (problem instanceof DeviceProblem && problem.code === 'NOT_FOUND') return []
    throw problem
  }
}

const logSeconds = { list: 10, lines: 3 }

const newest = 30

const logs = (device: string): TreeBranch => ({
  every: logSeconds.list,
  load: async () =>
    (await deviceApi(device).read('listLogs', {}, { fresh: true })).map(({ name, date }) => ({
      key: name,
      label: name,
      about: timeText(date),
      icon: 'file-text-o',
      branch: lines(device, name),
      nodes: [{ type: 'vision-log-watch', fields: { device, log: name, logType: 'str' } }],
    })),
})

/** Newest first. */
const lines = (device: string, log: string): TreeBranch => ({
  every: logSeconds.lines,
  load: async () => {
    const read = await deviceApi(device).read('getLog', { log, limit: newest }, { fresh: true })
    const seen = new Map<string, number>()
    return read.log
      .map((line) => {
        // A line may be written twice at the same moment.
        const text = `${line.timestamp} ${line.component} ${line.message}`
        const count = (seen.get(text) ?? 0) + 1
        seen.set(text, count)
        return entry(`${text} ${count}`, line)
      })
      .reverse()
  },
})

const entry = (key: string, { timestamp, level, component, message }: LogEntry): TreeEntry => ({
  key,
  label: message,
  about: `${timeText(timestamp)} ${level} ${component}`,
  ...(appearances[level] ?? { tone: 'quiet' }),
  isText: true,
})

const bad = { tone: 'bad', icon: 'times-circle' } as const

const appearances: Partial<Record<string, Pick<TreeEntry, 'tone' | 'icon'>>> = {
  WARN: { tone: 'soon', icon: 'exclamation-triangle' },
  ERROR: bad,
  FATAL: bad,
}

/** With the date unless it is today. */
function timeText(seconds: number): string {
  const time = new Date(seconds * 1000)
  const isToday = time.toDateString() === new Date().toDateString()
  return isToday ? time.toLocaleTimeString(RED.i18n.lang()) : time.toLocaleString(RED.i18n.lang())
}

const deviceSeconds = 2

/** The device may not be deployed yet. */
export const deviceBranch = (device: EditorNode): TreeBranch => ({
  every: deviceSeconds,
  load: async (again) => {
    const { id } = device
    const system = await signOfLife(device)
    const pipelines = Object.entries(await pipelinesOf(id))
    return [
      ...systemFacts(system),
      missing(device, again),
      picture(
        device,
        pipelines.map(([name]) => name),
      ),
      ...pipelines.map(([name, { type, status }]): TreeEntry => ({
        key: `pipeline ${name}`,
        label: sharedText('sidebar.pipeline', { name }),
        about: [type, status].filter(Boolean).join(', '),
        icon: 'code-fork',
        branch: pipelineNodes(id, name),
      })),
      { key: 'global', label: sharedText('sidebar.globalNodes'), icon: 'globe', branch: globalNodes(id) },
      { key: 'streams', label: sharedText('sidebar.streams'), icon: 'rss', branch: streams(id) },
      { key: 'logs', label: sharedText('sidebar.logs'), icon: 'list', branch: logs(id) },
    ]
  },
})

/** Milliseconds. */
const goodFor = 10_000

const answers = new WeakMap<EditorNode, { tone: LineTone; at: number }>()

const note = (device: EditorNode, tone: LineTone) => answers.set(device, { tone, at: Date.now() })

/** Undefined without a recent answer. */
function lastAnswer(device: EditorNode): LineTone | undefined {
  const { tone, at = 0 } = answers.get(device) ?? {}
  return Date.now() - at < goodFor ? tone : undefined
}

async function signOfLife(device: EditorNode): Promise<SysInfo> {
  try {
    const system = await deviceApi(device.id).read('getSystem', {}, { fresh: true })
    note(device, system.ready ? 'good' : 'soon')
    return system
  } catch (problem) {
    note(device, 'bad')
    throw problem
  }
}

/** As this Node-RED knows it. */
export interface Health {
  word: string
  /** As it may be shown. */
  address: string
  tone: LineTone
  isReady: boolean
  /** Deployed with these settings, and used by a node. */
  isWatched: boolean
  /** Empty if ready or unknown. */
  reason: string
}

/** Unmonitored devices have a state only while they are open here. */
export function healthOf(device: EditorNode, states: DeviceStates): Health {
  const running = device['d'] || device['changed'] ? undefined : states[device.id]
  const address = addressOf(device, running)
  const tone = lastAnswer(device) ?? 'quiet'
  const unwatched = { address, tone, isReady: false, isWatched: false, reason: '' }
  if (device['d']) return { ...unwatched, word: sharedText('sidebar.disabled'), tone: 'quiet' }
  if (!running) return { ...unwatched, word: sharedText('sidebar.notDeployed') }
  const { state, reason } = running
  if (state === 'unwatched') return { ...unwatched, word: sharedText('sidebar.unwatched') }
  const isReady = state === 'ready'
  return {
    word: sharedText(`status.${state}`),
    address,
    tone: tones[state] ?? 'bad',
    isReady,
    isWatched: true,
    reason: isReady ? '' : reason,
  }
}

const tones: Partial<Record<DeviceState['state'], LineTone>> = {
  ready: 'good',
  connecting: 'soon',
  starting: 'soon',
}

/** Lower ranks are listed first. */
const ranks: Record<LineTone, number> = { bad: 0, soon: 1, good: 2, quiet: 2 }

export const byUrgency = (one: Health, other: Health): number => ranks[one.tone] - ranks[other.tone]

/** "29 of 30 ready", and how many are not monitored. */
export function summaryOf(all: readonly Health[]): string {
  const watched = all.filter(({ isWatched }) => isWatched)
  const ready = watched.filter(({ isReady }) => isReady).length
  const others = all.length - watched.length
  return [
    watched.length && sharedText('sidebar.readyOf', { ready, count: watched.length }),
    others && sharedText('sidebar.notWatched', { count: others }),
  ]
    .filter(Boolean)
    .join(', ')
}

/**
 * Short form, without `http://`, login and trailing slash. Only the runtime knows environment variables.
 * @param running state, if deployed with these settings
 */
function addressOf(device: EditorNode, running: DeviceState | undefined): string {
  const typed = text(device['address']).trim()
  const shown = typed.includes('${') && running ? running.address : typedAddress(typed).shown
  const short = shown.startsWith('http://') ? shown.slice('http://'.length) : shown
  return short.endsWith('/') ? short.slice(0, -1) : short
}

export const addDevice = (): void => RED.editor.editConfig('', 'vision-device-config', '_ADD_')

/** While there is neither device, PLC nor robot connection. */
export function firstDevice(): JQuery {
  const element = $('<div class="vision-first">').append(
    $('<p>').text(sharedText('sidebar.noDevice')),
    $('<button type="button" class="red-ui-button">')
      .append(
        '<i class="fa fa-plus" aria-hidden="true"></i> ',
        $('<span>').text(sharedText('sidebar.addDevice')),
      )
      .on('click', addDevice),
  )
  const update = () => {
    element.prop('hidden', isAnyConfigured())
  }
  for (const event of ['nodes:add', 'nodes:remove', 'flows:loaded']) RED.events.on(event, update)
  update()
  return element
}
