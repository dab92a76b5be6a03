import { settled } from '../../lib/kernel/scope'
import { join } from 'node:path'
import type { Node, NodeAPI } from 'node-red'
import { typedAddress } from '../../lib/contract/reading/address'
import { abortedAfter } from '../../lib/kernel/timers'
import { type DeviceConfigNode, deployedDevices } from '../device-config/deployed-device'
import { inquiry } from '../device-config/diagnostics/diagnostics'
import { Type, type Static } from '../../lib/typebox'
import { currentLanguage, withLanguage } from '../shared/node-error'
import { sentencesOf } from '../sentences'
import { openValue, type StorageError } from '../../lib/kernel/storage'
import { oneByOne } from '../shared/handle-input'
import { NodeAnswer } from '../shared/outcome'
import { operatorDevicesNode, type OperatorDevicesFields } from './fields'

const { say, summarize } = sentencesOf('operator-devices')

type Values = Record<string, unknown>

/** `at`: milliseconds since 1970. */
const Snapshot = Type.Object({ at: Type.Number(), values: Type.Record(Type.String(), Type.Unknown()) })

type Snapshot = Static<typeof Snapshot>

/** `old` is compared with; `next` replaces it the next day. */
const History = Type.Object({ old: Snapshot, next: Type.Optional(Snapshot) })

type History = Static<typeof History>

const Histories = Type.Record(Type.String(), History)

const day = 24 * 60 * 60 * 1000

/** Adds the present values; they are compared with those of a day ago, or the first ones. */
export function remembered(history: History | undefined, values: Values, now: number): History {
  if (!history) return { old: { at: now, values } }
  const { old, next } = history
  if (next && now - next.at >= day) return { old: next, next: { at: now, values } }
  return next || now - old.at < day ? history : { old, next: { at: now, values } }
}

interface Change {
  name: string
  from: unknown
  to: unknown
}

/** A missing name is no change: a module may not be running. */
export const changesBetween = (before: Values, now: Values): Change[] =>
  Object.entries(now).flatMap(([name, to]) =>
    Object.hasOwn(before, name) && JSON.stringify(before[name]) !== JSON.stringify(to)
      ? [{ name, from: before[name], to }]
      : [],
  )

interface DeviceState {
  id: string
  name: string
  state: 'ready' | 'starting' | 'silent'
  /** Of its hottest camera, degrees Celsius. */
  temperature?: number
  firmware?: string
  isLicensed?: boolean
  /** Kibibytes, as far as reported. */
  logs?: number
  /** Firmware and parameters, by name. */
  values?: Values
}

/** Milliseconds for all answers of a device. */
const patience = 10_000

const isTemperature = /(^|_)temp(erature)?(_|$)/

/** What the device does not answer is missing. */
async function readState(
  { id, name = '', fields, device }: DeviceConfigNode,
  ended: AbortSignal,
): Promise<DeviceState> {
  const address = typedAddress(fields.address).shown
  const signal = AbortSignal.any([ended, abortedAfter(patience)])
  const { ask } = inquiry(() => device.inspection, address, signal)
  const system = await ask('getSystem')
  const own = { id, name: name || address }
  if (!system) return { ...own, state: 'silent' }
  const firmware = system.firmware.active_image.image_version
  const values: Values = { firmware }
  let temperature = -Infinity
  for (const { name: node } of (await ask('listNodes', { pipeline: '0' })) ?? []) {
    for (const parameter of (await ask('getParameters', { pipeline: '0', node })) ?? [])
      values[`${node}.${parameter.name}`] = parameter.value
    if (!node.endsWith('camera')) continue
    const status = await ask('getNodeStatus', { pipeline: '0', node })
    for (const [key, value] of Object.entries(status?.values ?? {}))
      if (isTemperature.test(key) && Number.isFinite(Number(value)))
        temperature = Math.max(temperature, Number(value))
  }
  const license = await ask('getLicense')
  const sizes = ((await ask('listLogs')) ?? []).flatMap(({ size }) => (size === undefined ? [] : [size]))
  return {
    ...own,
    state: system.ready ? 'ready' : 'starting',
    firmware,
    values,
    ...(Number.isFinite(temperature) && { temperature }),
    ...(license && { isLicensed: license.valid }),
    ...(sizes.length > 0 && { logs: sizes.reduce((sum, size) => sum + size, 0) / 1024 }),
  }
}

const mostNamed = 3

/** Characters. */
const longest = 40

/** Dashboard's table takes its columns from the rows. */
function deviceRow(device: DeviceState, before: Snapshot | undefined): Record<string, string> {
  const { name, state, temperature, firmware, isLicensed, logs, values } = device
  return {
    [say('column-device')]: name,
    [say('column-health')]: say(`health-${state}`),
    [say('column-temperature')]: temperature === undefined ? '–' : `${numbered(temperature)} °C`,
    [say('column-firmware')]: firmware ?? '–',
    [say('column-license')]:
      isLicensed === undefined ? '–' : say(isLicensed ? 'license-valid' : 'license-missing'),
    [say('column-logs')]: logs === undefined ? '–' : `${numbered(logs)} KiB`,
    [say('column-changes')]:
      values && before ? changed(changesBetween(before.values, values), before.at) : '–',
  }
}

function changed(changes: readonly Change[], at: number): string {
  const since = new Date(at).toLocaleString(locale(), { dateStyle: 'short', timeStyle: 'short' })
  if (changes.length === 0) return say('nothing-changed', { since })
  const named = changes
    .slice(0, mostNamed)
    .map(({ name, from, to }) => `${name}: ${short(from)} → ${short(to)}`)
  const more = changes.length - named.length
  return [...named, ...(more > 0 ? [say('more-changes', { count: more })] : [])].join(', ')
}

const short = (value: unknown) => {
  const text = (JSON.stringify(value) as string | undefined) ?? ''
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

const locale = () => (currentLanguage() ?? 'en').replace(/^en.*/, 'en-GB')

const numbered = (value: number) => value.toLocaleString(locale(), { maximumFractionDigits: 1 })

const atOnce = 16

const mostBytes = 64 * 1024 * 1024

/** Loaded with the first node. */
export function showDevices(RED: NodeAPI, node: Node, { language }: OperatorDevicesFields): void {
  const warn = (error: StorageError) => node.warn(error.inLanguage(currentLanguage()))
  const opening = openValue({
    file: join(RED.settings.userDir ?? '.', 'vision-operator', `${encodeURIComponent(node.id)}.devices.json`),
    schema: Histories,
    initial: {},
    bytes: mostBytes,
    onDamage: warn,
    onFailure: warn,
  })
  node.on('close', (done: (error?: Error) => void) => {
    opening.then((file) => file.close()).then(() => done(), done)
  })

  let known: ReadonlyMap<string, History> | undefined

  oneByOne(RED, node, operatorDevicesNode, async (_msg, { signal }) => {
    const file = await opening
    const before = known ?? new Map(Object.entries(file.value))
    const devices = [...deployedDevices(RED).values()]
    const states: DeviceState[] = []
    for (let from = 0; from < devices.length; from += atOnce)
      states.push(
        ...(await Promise.all(devices.slice(from, from + atOnce).map((device) => readState(device, signal)))),
      )
    const now = Date.now()
    const histories = new Map(
      states.flatMap(({ id, values }) => {
        const history = values ? remembered(before.get(id), values, now) : before.get(id)
        return history ? [[id, history] as const] : []
      }),
    )
    known = histories
    const isNew = [...histories].some(([id, history]) => before.get(id) !== history)
    // The file reports its own failures.
    if (isNew || before.size !== histories.size) await settled(file.set(Object.fromEntries(histories)))
    return withLanguage(language || currentLanguage(), () => {
      const ready = states.filter(({ state }) => state === 'ready').length
      const count = { ready, devices: states.length }
      const summary = summarize('result-devices', count, {
        value: ready,
        state: ready < states.length ? 'warning' : 'done',
      })
      const rows = states.map((state) => deviceRow(state, histories.get(state.id)?.old))
      return new NodeAnswer(
        { payload: rows, devices: states.map((state) => ({ ...state, values: undefined })) },
        summary,
      )
    })
  })
}
