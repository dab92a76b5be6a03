import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { operation, operationIds } from '../../lib/contract'
import { operationForms } from '../../lib/contract/reading/form/operation-forms'
import { summaryOf } from '../../lib/contract/summary'
import { deviceRequestNode } from '../../nodes/device-request/fields'
import { mustBeConfirmed } from '../../nodes/shared/permission'
import { useBench } from '../support/bench'
import { provocations } from '../virtual-device/support/provocations'

const ply = Buffer.from('ply\nformat ascii 1.0\n')
const samples = provocations({ huge: ply, artifact: ply, license: ply })
const reads = operationIds.filter((id) => {
  const { method, variants } = operation(id)
  return method === 'GET' && (variants?.includes('multi') ?? true)
})
const request = (fields: object) => ({ type: 'vision-device-request', ...fields })
const fromMessage = request({ input: 'payload', inputType: 'msg' })
const multi = { device: { variant: 'multi' as const } }

describe('device-request', () => {
  describe('named in the message', () => {
    const bench = useBench(fromMessage, multi)

    for (const id of reads)
      it(`reads ${id}`, async () => {
        const { input } = samples[id][200] as { input: object }
        const end = await bench.send({ operation: id, payload: input }).catch((error: unknown) => error)
        // What is not stored yet is not found.
        if (!(end instanceof Error)) should(end).have.property('operation', id)
        else should(end).have.property('code', 'NOT_FOUND')
        bench.device
          .calls()
          .some((call) => call.operation === id)
          .should.be.true()
      })

    it("writes, and sends the device's answer", async () => {
      const payload = { manual_ntp_servers: ['clock.local'] }
      const { payload: answer } = await bench.send({ operation: 'setNtp', payload })
      should(answer).have.propertyByPath('ntp', 'manual_ntp_servers').eql(['clock.local'])
    })

    it('finds a node of another brand, and a global one although a pipeline is given', async () => {
      const onCamera = { pipeline: '0', node: 'xy_camera', param: 'fps' }
      const { payload: rate } = await bench.send({ operation: 'getParameter', payload: onCamera })
      should(rate).have.property('name', 'fps')
      const onGlobal = { pipeline: '0', node: 'dev_roi_db' }
      const { payload: node } = await bench.send({ operation: 'getNode', payload: onGlobal })
      should(node).have.property('name', 'dev_roi_db')
    })

    it('ends with REFUSED if a service refused', () => {
      const payload = { node: 'dev_roi_db', service: 'set_region_of_interest', args: {} }
      return bench
        .send({ operation: 'callGlobalService', payload })
        .should.be.rejectedWith({ code: /REFUSED|BAD_REQUEST/ })
    })

    const wrong: [what: string, message: object, said: RegExp][] = [
      ['no operation', {}, /operation is empty/],
      ['an unknown operation', { operation: 'getCoffee' }, /no operation getCoffee/],
      [
        'a slip of the pen',
        { operation: 'getSystm' },
        /no operation getSystm\. Similar names are: getSystem/,
      ],
      ['a part of names', { operation: 'Gripper' }, /: \w*GripperElements?, .*Choose one/],
      ['a number for an operation', { operation: 5 }, /operation must be text/],
      ['a list for the inputs', { operation: 'getSystem', payload: [] }, /input must be an object/],
      ['an input that is missing', { operation: 'getLog', payload: {} }, /log is missing/],
      ['an input that is not taken', { operation: 'getSystem', payload: { a: 1 } }, /no input named a/],
      ['what is not confirmed', { operation: 'reboot', payload: {} }, /restart the device.*not confirmed/],
      [
        'a file that is not there',
        { operation: 'uploadLicense', payload: { file: 'uploads/no-such' } },
        /no-such cannot be read/,
      ],
    ]
    for (const [what, message, said] of wrong)
      it(`refuses ${what}`, () =>
        bench.send({ ...message }).should.be.rejectedWith({ code: 'INVALID_INPUT', message: said }))
  })

  describe('of an unknown operation', () => {
    const bench = useBench(request({ operation: 'getSystm' }), multi)

    it('shows it like any other invalid input', async () => {
      await bench.state('ready')
      await bench.send().should.be.rejectedWith({ code: 'INVALID_INPUT' })
      await bench.status('INVALID_INPUT')
      should(bench.statuses.at(-1)).match({ fill: 'red' })
    })
  })

  describe('of a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vision-device-request-'))
    writeFileSync(join(folder, 'palm.ply'), ply)
    after(() => rmSync(folder, { recursive: true }))
    const input = { id: { $msg: 'topic' }, file: { $msg: 'payload' } }
    const bench = useBench(
      request({
        operation: 'putGripperElement',
        input: JSON.stringify(input),
        inputType: 'form',
        folders: folder,
      }),
      multi,
    )

    it('sends one by its path, or its content', async () => {
      const byPath = await bench.send({ topic: 'palm', payload: join(folder, 'palm.ply') })
      should(byPath.payload).have.property('id', 'palm')
      const content = await bench.send({ topic: 'finger', payload: ply })
      should(content.payload).have.property('id', 'finger')
    })

    it('accepts no path elsewhere from a message', () =>
      bench
        .send({ topic: 'palm', payload: __filename })
        .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /allowed.*vision-device-request-/ }))

    it('accepts any path from the form', async () => {
      const fields = { input: JSON.stringify({ ...input, file: join(folder, 'palm.ply') }), folders: '' }
      await bench.deploy(fields)
      await bench.state('ready')
      should((await bench.send({ topic: 'thumb' })).payload).have.property('id', 'thumb')
      await bench.deploy({
        ...fields,
        inputType: 'json',
        input: fields.input.replace('{"$msg":"topic"}', '"ring"'),
      })
      await bench.state('ready')
      should((await bench.send()).payload).have.property('id', 'ring')
    })

    it('reads one back', async () => {
      await bench.deploy({
        operation: 'getGripperElement',
        input: '{"id":"palm","format":"file"}',
        inputType: 'json',
      })
      await bench.state('ready')
      const { payload } = await bench.send()
      should(payload).eql(ply)
    })
  })

  describe('that is confirmed', () => {
    const bench = useBench(request({ operation: 'removeUiLock', confirmed: true }), multi)
    it('is executed', async () => should((await bench.send()).payload).have.property('enabled', false))
  })
})

describe('the operations that device-request offers', () => {
  it('include all of the contract, with all their inputs', () => {
    operationForms()
      .map(({ id }) => id)
      .should.eql([...operationIds])
    for (const { id, shape } of operationForms()) {
      const { params, query, body } = operation(id as (typeof operationIds)[number])
      shape.fields.should.have.properties(Object.keys({ ...params, ...query, ...body?.fields }))
    }
  })

  it('have a suitable form', () => {
    const fields = (wanted: string) => operationForms().find(({ id }) => id === wanted)?.shape.fields
    should(fields('getLog')).match({
      log: { type: 'string', required: true },
      format: { choices: ['json', 'raw'] },
      limit: { type: 'integer', min: 1 },
    })
    should(fields('putTemplate')).match({
      file: { type: 'file', required: true },
      units: { choices: ['mm', 'cm', 'm', 'in', 'ft'] },
    })
    should(fields('setNetworkSettings')).match({
      dhcp_enabled: { type: 'bool' },
      persistent_default_gateway: { mayBeEmpty: true },
    })
    should(fields('setNtp')).match({ manual_ntp_servers: { is: 'list', of: { type: 'string' } } })
    should(fields('putRobotJob')).match({
      job: { is: 'group', fields: { pipeline: { is: 'leaf' }, args: { type: 'json' } } },
    })
  })

  it('are explained in the language of the editor', () => {
    for (const language of [undefined, 'de'])
      operationForms(language)
        .map(({ id, summary }) => [id, summary])
        .should.eql(operationIds.map((id) => [id, summaryOf(id, language)]))
    summaryOf('listNodes', 'de').should.equal('Knoten einer Pipeline auflisten')
  })

  it('are confirmed in the dialog, and have folders, if the contract says so', () => {
    const { folders, confirmed } = deviceRequestNode.fields
    const named = (rule: string) => rule.replace('operation=', '').split('|').filter(Boolean).sort()
    const uploads = operationIds.filter((id) => operation(id).body?.encoding === 'multipart').sort()
    const farReaching = operationIds.filter((id) => operation(id).farReaching).sort()
    named(folders.when).should.eql(uploads)
    for (const rule of [confirmed.when, confirmed.neededWhen]) named(rule).should.eql(farReaching)
    operationIds.filter(mustBeConfirmed).sort().should.eql(farReaching)
  })
})
