import type { NodeAPI } from 'node-red'
import { VisionError } from '../../../lib/client/vision-error'
import { typedAddress } from '../../../lib/contract/reading/address'
import type { AdminCall } from '../../shared/admin'
import { loadClient } from '../../shared/load-later'
import { deviceForm, formOptions } from './form'
import { bodyOf, type GivenBody } from './given-body'
import { Inspection } from '../../device/inspection'

/** Works with the device of an open form, and leaves nothing open afterwards. */
export async function withForm<Answer>(
  RED: NodeAPI,
  { request }: AdminCall,
  work: (inspection: Inspection, body: GivenBody) => Promise<Answer>,
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
  const told = { ...error.cause }
  delete told.detail
  delete told.address
  return error.retold({ device, ...(error.cause && { cause: told }) })
}
