import { deviceApi } from '../../device-api'
import { DeviceProblem } from '../../request'

/** The pipelines of a device by name. A single device need not list its one pipeline. @throws DeviceProblem */
export async function pipelinesOf(device: string): Promise<Record<string, { type: string; status: string }>> {
  try {
    return await deviceApi(device).read('listPipelines', {}, { fresh: true })
  } catch (problem) {
    if (problem instanceof DeviceProblem && problem.code === 'NOT_FOUND')
      return { '0': { type: '', status: '' } }
    throw problem
  }
}
