/** The node *database*: regions of interest, load carriers and grippers. In: a record or a name. Out: what is stored. */
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { refusal, refusedError } from '../../lib/client/error-answer'
import { parameterNames, type TypedName } from '../shared/read-fields'
import { placeOf } from '../shared/node-error'
import { onInput, type NodeInput } from '../device/on-input'
import { NodeAnswer } from '../shared/outcome'
import { checkRecord, isObject, type DeviceRecord } from './check-record'
import { checkedFields } from '../shared/fields/checked-fields'
import { databaseNode, type DatabaseFields } from './fields'
import { kindOf } from '../../lib/contract/reading/record-kinds'
import { sentencesOf } from '../sentences'

const { invalidInput, nodeError, summarize } = sentencesOf('database')

type Task = NodeInput<TypedName<DatabaseFields>>

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-database', function (this: Node, config: NodeDef & DatabaseFields) {
    RED.nodes.createNode(this, config)
    const checked = checkedFields(RED, this, databaseNode, config)
    if (!checked) return
    const fields = checked
    const kind = kindOf(fields.kind)

    const actions = {
      set: async (task: Task) => {
        const record = recordOf(task)
        checkRecord(fields.kind, record)
        const answer = await call(task, kind.set, kind.record ? { [kind.record]: record } : record)
        return new NodeAnswer({ payload: record, answer }, summarize('result-stored', { id: nameOf(record) }))
      },
      get: async (task: Task) => {
        const given = task.read('recordId')
        const ids = isEmpty(given) ? [] : parameterNames(given, 'recordId')
        const answer = await call(task, kind.get, { [kind.ids]: ids })
        const records = answer[kind.list] ?? []
        if (typeof given !== 'string' || given.includes(',') || ids.length !== 1)
          return new NodeAnswer({ payload: records, answer }, summarizeRecords(records))
        const [record] = Array.isArray(records) ? (records as unknown[]) : []
        if (record === undefined) throw nodeError('NOT_FOUND', 'unknown-record', { id: given.trim() })
        return new NodeAnswer(
          { payload: record, answer },
          summarize('result-record', { id: given.trim() }, { value: 1 }),
        )
      },
      delete: async (task: Task) => {
        const ids = parameterNames(task.read('recordId'), 'recordId')
        const answer = await call(task, kind.remove, { [kind.ids]: ids })
        return new NodeAnswer(
          { payload: ids, answer },
          summarize('result-deleted', { id: ids.join(', ') }, { value: ids.length }),
        )
      },
    }
    onInput(RED, this, databaseNode, fields, actions[fields.action], {
      reads: fields.action === 'get',
      changes: () => fields.action !== 'get',
    })

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
      const query = { pipeline: '', node: kind.node, signal }
      const { response } = await device.onNode(query, ({ node }) =>
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

const nameOf = ({ id }: DeviceRecord) => (typeof id === 'string' ? id : '')

function summarizeRecords(records: unknown) {
  const count = Array.isArray(records) ? records.length : 0
  return summarize('result-records', { count }, { value: count })
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''
