import type { AdminRefusal } from '../nodes/shared/admin'
import { sharedText } from './dialog'

/** Why a device did not answer: a sentence for the user, and a code. */
export class DeviceProblem extends Error {
  override readonly name = 'DeviceProblem'
  readonly code: AdminRefusal['code'] | 'notAllowed' | 'noServer'
  /** Further details, such as the answer of a service that refused. */
  override readonly cause: AdminRefusal['cause']

  constructor({
    code,
    message,
    cause,
  }: Pick<DeviceProblem, 'code' | 'message'> & { cause?: AdminRefusal['cause'] }) {
    super(message)
    this.code = code
    this.cause = cause
  }
}

/** The problem in a rejection. Not by its class: each run of this script has its own, and they share a cache. */
export const problemIn = (rejection: unknown): DeviceProblem | undefined =>
  (rejection as Partial<DeviceProblem> | undefined)?.name === 'DeviceProblem'
    ? (rejection as DeviceProblem)
    : undefined

/** Whether Node-RED does not run the device. What a device itself does not find has a status. */
export const isNotDeployed = ({ code, cause }: DeviceProblem): boolean =>
  code === 'NOT_FOUND' && cause?.status === undefined

/** Sends a request to this Node-RED. Only jQuery adds the editor's login, and only to a relative address. */
export async function request(method: 'GET' | 'POST', url: string, body?: object): Promise<unknown> {
  try {
    return (await $.ajax({
      method,
      url,
      dataType: 'json',
      headers: { 'accept-language': RED.i18n.lang() },
      ...(body && { contentType: 'application/json', data: JSON.stringify(body) }),
    })) as unknown
  } catch (failed) {
    throw problemOf(failed as JQuery.jqXHR)
  }
}

/** The problem in an answer that is no success. */
export function problemOf({
  status,
  responseJSON,
}: Pick<JQuery.jqXHR, 'status' | 'responseJSON'>): DeviceProblem {
  if (status === 401 || status === 403)
    return new DeviceProblem({ code: 'notAllowed', message: sharedText('problem.notAllowed') })
  const refusal = responseJSON as AdminRefusal | undefined
  if (!refusal?.message)
    return new DeviceProblem({ code: 'noServer', message: sharedText('problem.noServer') })
  return new DeviceProblem(refusal)
}
