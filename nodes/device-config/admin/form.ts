/** The device of an open form, and work with it: nothing is left open afterwards. */
import type { NodeAPI, Node } from 'node-red'
import type { ClientOptions } from '../../../lib'
import { environmentText } from '../../shared/read-fields'
import { credentialsOf, defaultsOf } from '../../shared/fields/checked-fields'
import { isObject } from '../../shared/is-object'
import { loadAddresses, loadClient } from '../../shared/load-later'
import { currentLanguage } from '../../shared/node-error'
import { clientOptions, type DeviceConfigNode, deployedDevice } from '../deployed-device'
import { deviceConfigNode, type DeviceConfigFields, type DeviceCredentials } from '../fields'
import { sentencesOf } from '../../sentences'
import { type AdminRequest, jsonBody, type AdminCall } from '../../shared/admin'
import { VisionError } from '../../../lib/client/vision-error'
import { typedAddress } from '../../../lib/contract/reading/address'
import { Inspection } from '../../device/device'

const { invalidInput } = sentencesOf('device-config')

/** Node-RED's placeholder for a stored secret. */
const placeholder = '__PWRD__'

const used: Readonly<Partial<Record<string, readonly (keyof DeviceCredentials)[]>>> = {
  password: ['user', 'password'],
  token: ['token'],
}

interface DeviceForm {
  id: string
  /** Flow that the node belongs to; empty for all flows. */
  z: string
  fields: DeviceConfigFields
  /** Missing: as stored. */
  credentials: DeviceCredentials
}

/** @throws INVALID_INPUT naming an invalid field */
function deviceForm(input: unknown): DeviceForm {
  if (!isObject(input)) throw invalidInput('no-form')
  const text = (name: string, otherwise = ''): string => {
    const value = input[name] ?? otherwise
    if (typeof value !== 'string') throw invalidInput('not-text', { field: name })
    return value
  }
  const fields: Record<string, string | number> = {}
  for (const [name, byDefault] of Object.entries(defaultsOf(deviceConfigNode))) {
    const value = input[name] ?? byDefault
    const fits = typeof value === 'string' || (typeof value === 'number' && typeof byDefault === 'number')
    if (!fits) throw invalidInput('not-text', { field: name })
    fields[name] = value
  }
  const credentials: DeviceCredentials = {}
  for (const name of Object.keys(credentialsOf(deviceConfigNode)) as (keyof DeviceCredentials)[])
    if (input[name] !== undefined) credentials[name] = text(name)
  return { id: text('id'), z: text('z'), fields: fields as unknown as DeviceConfigFields, credentials }
}

/**
 * Client options for a form. A stored secret is used only with the address and TLS settings stored with it.
 * @throws INVALID_INPUT naming an invalid field
 */
function formOptions(RED: NodeAPI, { id, z, fields, credentials }: DeviceForm): ClientOptions {
  const device = deployedDevice(RED, id)
  const node = device ?? environmentNode(RED, z)
  const filled = { ...credentials }
  for (const name of used[fields.login] ?? []) {
    const isStored = credentials[name] === placeholder || (device && credentials[name] === undefined)
    if (!isStored) continue
    const stored = device?.credentials[name]
    if (!stored || !isSamePlace(RED, device, fields)) throw invalidInput('type-secret-again', { field: name })
    filled[name] = stored
  }
  return clientOptions(RED, node, fields, filled)
}

function isSamePlace(RED: NodeAPI, device: DeviceConfigNode, { address, tls }: DeviceConfigFields): boolean {
  const { parseAddress } = loadAddresses()
  const place = (text: string) => {
    const { origin, path } = parseAddress(environmentText(RED, device, 'address', text), currentLanguage())
    return origin + path
  }
  return tls === device.fields.tls && place(address) === place(device.fields.address)
}

/** Replaces a node that is not deployed yet, with the environment of its place. */
function environmentNode(RED: NodeAPI, z: string): Node {
  let neighbour: Node | undefined
  RED.nodes.eachNode((definition) => {
    const { id, z: place = '', g } = definition as { id: string; z?: string; g?: string }
    if (place === z && !g) neighbour ??= RED.nodes.getNode(id) as Node | undefined
  })
  return neighbour ?? withoutFlows(RED)
}

/** The environment of the process, without what the settings hide. */
function withoutFlows(RED: NodeAPI): Node {
  const { envVarExcludes = [] } = RED.settings as { envVarExcludes?: string[] }
  const getSetting = (name: string) => (envVarExcludes.includes(name) ? undefined : process.env[name])
  return { _flow: { getSetting } } as unknown as Node
}

export interface FormBody {
  device: unknown
  input: Record<string, unknown>
  /** Milliseconds. */
  deadline: number | undefined
}

/** Milliseconds. */
const longestDeadline = 120_000

/** @throws INVALID_INPUT, TOO_LARGE */
export function bodyOf(request: AdminRequest): FormBody {
  const { device, input = {}, deadline } = jsonBody(request)
  if (!isObject(input)) throw invalidInput('not-an-object', { field: 'input' })
  if (deadline !== undefined && !(typeof deadline === 'number' && deadline > 0))
    throw invalidInput('not-a-number', { field: 'deadline', value: '' })
  return { device, input, deadline: deadline === undefined ? undefined : Math.min(deadline, longestDeadline) }
}

/** Nothing stays open afterwards. */
export async function withForm<Answer>(
  RED: NodeAPI,
  { request }: AdminCall,
  work: (inspection: Inspection, body: FormBody) => Promise<Answer>,
): Promise<Answer> {
  const body = bodyOf(request)
  const form = deviceForm(body.device)
  const inspection = new Inspection(loadClient().createClient, formOptions(RED, form))
  try {
    return await work(inspection, body)
  } catch (error) {
    throw error instanceof VisionError ? asTyped(error, form.fields.address) : error
  } finally {
    await inspection.close()
  }
}

/** Filling in a form must not reveal environment variables, so the address stays as typed. */
function asTyped(error: VisionError, address: string): VisionError {
  const { shown: device } = typedAddress(address)
  const details = { ...error.cause }
  delete details.detail
  delete details.address
  return error.retold({ device, ...(error.cause && { cause: details }) })
}
