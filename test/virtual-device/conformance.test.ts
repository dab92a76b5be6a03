import { Kind, OptionalKind, Value } from '../../lib/typebox'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { operation, operationIds, type OperationId, type Variant } from '../../lib/contract'
import { startVirtualDevice, type VirtualDevice, type VirtualDeviceOptions } from '../../virtual-device'
import { writeArtifact } from '../../virtual-device/firmware/artifact'
import { address, ask, typeOf } from './support/operation-request'
import { provocations, type Provocation, type Files } from './support/provocations'
import { send, useDevice } from './support/use-device'

const files: Files = {
  huge: new Uint8Array(10 * 1024 * 1024 + 1),
  artifact: new Uint8Array(),
  license: Buffer.from('{"license":"virtual-vision-device","components":{"slam":false}}'),
}
/** What one of them has, the other has in the same way, so each operation is asked of one: the first that has it. */
const variants = ['multi', 'single'] as const
/** Most of what may go wrong is in this encoding; the client's tests and all nodes use JSON. */
const format = 'ubjson'
type ProvokedCall = Provocation<OperationId> & { input: Record<string, unknown> }
const has = (id: OperationId, variant: Variant) => operation(id).variants?.includes(variant) ?? true
const askedFor = (id: OperationId) =>
  provocations(files)[id] as unknown as Readonly<Record<string, ProvokedCall>>

/** Number of tests of each kind. */
const count = { results: 0, errors: 0, absent: 0 }

describe('the virtual device and the contract', () => {
  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
    await writeArtifact(join(folder, 'artifact'), { version: 'v2.0.0', size: 1000 })
    files.artifact = await readFile(join(folder, 'artifact'))
    await rm(folder, { recursive: true })
  })

  const variantOf = (id: OperationId, only: readonly Variant[] = variants) =>
    variants.find((variant) => has(id, variant) && only.includes(variant))

  for (const variant of variants) {
    describe(variant, () => {
      const api = useDevice({ variant })
      for (const id of operationIds)
        for (const [status, { variants: only }] of Object.entries(askedFor(id)))
          if (variantOf(id, only) === variant) answersAsListed(api, id, Number(status))
    })

    describe(`${variant}, whatever the operation`, () => {
      const api = useOneDevice({ variant, maxBodyBytes: 10_000 })
      for (const id of operationIds)
        if (variantOf(id) === variant) refusesLikeAll(api, id)
        else if (!has(id, variant)) {
          count.absent += 1
          it(`404 from ${id}, which this variant does not have`, async () => {
            refusalOf(await ask(api.device.url, id, (askedFor(id)[200] as ProvokedCall).input, format), 404)
          })
        }
    })
  }

  it('omits no operation and no error', () => {
    const places = operationIds.flatMap((id) => variants.map((variant) => has(id, variant)))
    count.results.should.equal(operationIds.length)
    count.errors.should.equal(operationIds.flatMap((id) => Object.keys(operation(id).errors)).length)
    count.absent.should.equal(places.filter((there) => !there).length)
    operationIds.length.should.be.aboveOrEqual(51)
  })
})

/** For tests that leave it unchanged. */
function useOneDevice(options: VirtualDeviceOptions) {
  let running: VirtualDevice
  before(async () => {
    running = await startVirtualDevice({ port: 0, ...options })
  })
  after(() => running.stop())
  return {
    get device() {
      return running
    },
  }
}

type Api = ReturnType<typeof useOneDevice>
type ProvokedAnswer = Awaited<ReturnType<typeof ask>>

function answersAsListed(api: Api, id: OperationId, status: number): void {
  count[status === 200 ? 'results' : 'errors'] += 1
  const { result, errors } = operation(id)
  const meaning = errors[status as keyof typeof errors] ?? 'a result of its schema'
  it(`${status} from ${id}: ${meaning}`, async () => {
    const { input, scenario = {}, times = 0, each, prepare } = askedFor(id)[status] as ProvokedCall
    api.device.setScenario(scenario)
    if (prepare) should(await ask(api.device.url, ...prepare, format)).have.property('status', 200)
    for (let time = 0; time < times; time++) {
      const before = await ask(api.device.url, id, { ...input, ...each?.(time) }, format)
      before.status.should.equal(200)
    }
    const answered = await ask(api.device.url, id, input, format)
    if (status !== 200) {
      refusalOf(answered, status)
      return
    }
    should(answered).have.property('status', 200)
    should([...Value.Errors(result, answered.body)]).eql([])
    // If the specification does not describe the answer, it is an object nevertheless.
    if (result[Kind] === 'Unknown') should(answered.body).be.an.Object()
  })
}

function refusesLikeAll(api: Api, id: OperationId): void {
  const { method, query = {}, body } = operation(id)
  const { input } = askedFor(id)[200] as ProvokedCall
  const sendBody = (content: string, type: string) =>
    send(method, api.device.url + address(id, input), { body: content, headers: { 'content-type': type } })

  it(`429 from ${id}, requested too often`, async () => {
    api.device.setScenario({ rate_limit: 0.001 })
    await ask(api.device.url, 'getSystem', {}, format)
    const answered = await ask(api.device.url, id, input, format)
    api.device.setScenario({ rate_limit: 0 })
    refusalOf(answered, 429)
    Number(answered.headers.get('retry-after')).should.be.above(0)
  })

  for (const [name, schema] of Object.entries({ ...query, ...body?.fields }))
    if (!(OptionalKind in schema))
      it(`400 from ${id} without ${name}`, async () => {
        refusalOf(await ask(api.device.url, id, { ...input, [name]: undefined }, format), 400)
      })

  if (body)
    it(`415 from ${id}, given plain text`, async () => {
      refusalOf(await sendBody('nothing', 'text/plain'), 415)
    })
  if (body && body.encoding !== 'multipart')
    it(`413 from ${id}, given too much`, async () => {
      refusalOf(await sendBody(' '.repeat(10_001), typeOf[format]), 413)
    })
}

function refusalOf({ status, body }: Pick<ProvokedAnswer, 'status' | 'body'>, expected: number): void {
  should({ status, body }).have.property('status', expected)
  const { message, return_code } = body as { message: string; return_code: { value: number } }
  message.length.should.be.above(5)
  return_code.value.should.be.below(0)
}
