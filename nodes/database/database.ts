import type { Node, NodeAPI, NodeDef } from 'node-red'
import { refusal, refusedError } from '../../lib/client/refusal'
import type { TypedName } from '../shared/field-kind'
import { invalidInput, nodeError, placeOf } from '../shared/node-error'
import { onInput, type Input } from '../shared/on-input'
import { parameterNames } from '../shared/parameter-names'
import { checkRecord, isObject, type DeviceRecord } from './check-record'
import { withDefaults } from '../shared/fields/fields-of'
import { databaseNode, type DatabaseFields } from './fields'
import { kindOf } from '../../lib/contract/reading/record-kinds'

type Task = Input<TypedName<DatabaseFields>>

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-database', function (this: Node, given: NodeDef & DatabaseFields) {
    RED.nodes.createNode(this, given)
    const fields = withDefaults(databaseNode, given)
    const kind = kindOf(fields.kind)

    const actions = {
      set: async (task: Task) => {
        const record = recordOf(task)
        checkRecord(fields.kind, record)
        const answer = await call(task, kind.set, kind.record ? { [kind.record]: record } : record)
        return { payload: record, answer }
      },
      get: async (task: Task) => {
        const given = task.read('recordId')
        const ids = isEmpty(given) ? [] : parameterNames(given, 'recordId')
        const answer = await call(task, kind.get, { [kind.ids]: ids })
        const records = answer[kind.list] ?? []
        if (typeof given !== 'string' || given.includes(',') || ids.length !== 1)
          return { payload: records, answer }
        const [record] = Array.isArray(records) ? (records as unknown[]) : []
        if (record === undefined) throw nodeError('NOT_FOUND', 'unknown-record', { id: given.trim() })
        return { payload: record, answer }
      },
      delete: async (task: Task) => {
        const ids = parameterNames(task.read('recordId'), 'recordId')
        const answer = await call(task, kind.remove, { [kind.ids]: ids })
        return { payload: ids, answer }
      },
    }
    onInput(RED, this, fields, actions[fields.action], { reads: fields.action === 'get' })

    /** The record of the form or the message, with the id of its field where that is filled. */
    function recordOf({ read, text }: Task): DeviceRecord {
      const record = fields.from === 'form' ? parsed(fields.form) : read('record')
      if (!isObject(record) || Array.isArray(record)) throw invalidInput('not-an-object', { field: 'record' })
      const id = text('recordId')
      return id ? { ...record, id } : record
    }

    async function call(
      { device, signal }: Task,
      service: string,
      args: DeviceRecord,
    ): Promise<DeviceRecord> {
      const asked = { pipeline: '', node: kind.node, signal }
      const { response } = await device.onNode(asked, ({ node }) =>
        device.client.callGlobalService({ node, service, args }, { signal }),
      )
      const refused = refusal(response)
      if (!refused) return response
      throw refusedError(refused, {
        operation: 'callGlobalService',
        what: service,
        ...placeOf(device.client),
      })
    }
  })
}

function parsed(form: string): unknown {
  try {
    return JSON.parse(form) as unknown
  } catch (error) {
    throw invalidInput('not-json', { field: 'form' }, error)
  }
}

const isEmpty = (given: unknown) => given === undefined || given === null || given === ''
