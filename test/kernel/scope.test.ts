import should from 'should'
import { lintPlanted } from '../support/planted'
import { getEventListeners } from 'node:events'
import { check, reasonOf, Scope, unlessAborted } from '../../lib/kernel/scope'

/** Work that goes on until it is aborted, or told to end. */
function work(signal?: AbortSignal) {
  let end: (error?: Error) => void = () => undefined
  const promise = new Promise<void>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve() : reject(error))
    signal?.addEventListener('abort', () => reject(reasonOf(signal)), { once: true })
  })
  return { promise, end }
}
const stopped = Object.assign(new Error('Stopped by a person.'), { code: 'STOPPED' })
/** Whether a promise has settled after all that is due now. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  const settle = () => void (settled = true)
  promise.then(settle, settle)
  await new Promise(setImmediate)
  return !settled
}

describe('a scope', () => {
  it('ends when its work has ended, that of child scopes too', async () => {
    const scope = new Scope()
    const [own, inner] = [work(), work()]
    scope.begin(() => own.promise)
    scope.child().begin(() => inner.promise)
    const ended = scope.ended()
    own.end()
    ;(await isOpen(ended)).should.be.true()
    inner.end()
    await ended
  })

  it('aborts its work and its child scopes with the reason, and waits until they have ended', async () => {
    const scope = new Scope()
    const child = scope.child()
    const slow = work()
    const running = scope.run(async (run) => {
      await work(run.signal).promise.catch(() => slow.promise)
      should(() => run.check()).throw()
    })
    const inner = child.run(({ signal }) => work(signal).promise)
    running.catch(() => undefined)
    const closed = scope.close(stopped)
    await inner.should.be.rejectedWith({ code: 'STOPPED' })
    ;(await isOpen(closed)).should.be.true()
    slow.end()
    await closed
    should(() => child.check()).throw({ code: 'STOPPED' })
  })

  it('begins nothing after an abort', async () => {
    const scope = new Scope()
    scope.abort()
    let begun = 0
    scope.begin(() => begun++)
    await scope.run(() => begun++).should.be.rejectedWith({ code: 'ABORTED' })
    begun.should.equal(0)
  })

  it('is aborted by a signal, and by its parent before it was made', async () => {
    const controller = new AbortController()
    const scope = new Scope({ parent: controller.signal })
    controller.abort(stopped)
    should(() => scope.check()).throw({ code: 'STOPPED' })
    new Scope({ parent: scope }).isAborted.should.be.true()
    await scope.close()
  })

  it('reports the first failure of work that nobody waits for, and aborts the rest', async () => {
    const scope = new Scope()
    const other = scope.run(({ signal }) => work(signal).promise)
    scope.begin(() => Promise.reject(stopped))
    scope.begin(async ({ signal }) => {
      await work(signal).promise
    })
    await other.should.be.rejectedWith({ code: 'STOPPED' })
    await scope.ended().should.be.rejectedWith({ code: 'STOPPED' })
  })

  it('tells a failure once, and goes on, where somebody listens', async () => {
    const told: unknown[] = []
    const scope = new Scope({ failed: (error) => told.push(error) })
    const failing = [work(), work()]
    for (const { promise } of failing) scope.begin(() => promise)
    failing[1]?.end(stopped)
    failing[0]?.end(new Error('second'))
    await scope.ended().should.be.rejectedWith({ code: 'STOPPED' })
    told.should.deepEqual([stopped])
    scope.isAborted.should.be.false()
  })

  it('leaves the failure of work to the one who waits for it', async () => {
    const scope = new Scope()
    await scope.run(() => Promise.reject(stopped)).should.be.rejectedWith({ code: 'STOPPED' })
    scope.isAborted.should.be.false()
    await scope.ended()
  })

  it('ends what work has begun before the work', async () => {
    const scope = new Scope()
    const inner = work()
    const running = scope.run((own) => {
      own.begin(() => inner.promise)
      return 'done'
    })
    ;(await isOpen(running)).should.be.true()
    inner.end()
    ;(await running).should.equal('done')
  })

  it('fails with the failure of what work has begun, not with the abort that follows', async () => {
    const scope = new Scope()
    await scope
      .run(async (own) => {
        own.begin(() => Promise.reject(stopped))
        await work(own.signal).promise
      })
      .should.be.rejectedWith({ code: 'STOPPED' })
  })

  it('leaves nothing at its parent', async () => {
    const controller = new AbortController()
    const parent = new Scope({ parent: controller.signal })
    for (let count = 0; count < 100; count++) {
      await parent.run(() => undefined)
      await parent.child().close()
    }
    getEventListeners(parent.signal, 'abort').should.be.empty()
    await parent.close()
    getEventListeners(controller.signal, 'abort').should.be.empty()
  })
})

describe('an abort', () => {
  it('has a stable code whatever its reason', () => {
    const controller = new AbortController()
    should(() => check(controller.signal)).not.throw()
    controller.abort()
    should(() => check(controller.signal)).throw({ code: 'ABORTED' })
    reasonOf(AbortSignal.abort('text')).should.have.properties({ code: 'ABORTED', cause: 'text' })
    reasonOf(AbortSignal.abort(stopped)).should.equal(stopped)
  })

  it("ends a wait at once, and its late failure is nobody's", async () => {
    const controller = new AbortController()
    const { promise, end } = work()
    const waiting = unlessAborted(controller.signal, promise)
    controller.abort(stopped)
    await waiting.should.be.rejectedWith({ code: 'STOPPED' })
    end(new Error('late'))
    await new Promise(setImmediate)
    ;(await unlessAborted(new AbortController().signal, Promise.resolve(1))).should.equal(1)
  })
})

describe('a failure without a receiver', () => {
  it('is reported by lint, in whichever form', async () => {
    const work = 'declare const work: () => Promise<number>\n'
    const forbidden = [
      'work().catch(() => undefined)\n',
      'await work().catch(() => {})\n',
      'await work().then((done) => done, () => undefined)\n',
      'await work().catch(() => {\n  // nothing\n})\n',
    ]
    const allowed = ['await work().catch((error: unknown) => console.error(error))\n', 'await work()\n']
    const plant = (text: string) => ({ folder: 'lib/client', text: `${work}${text}export {}\n` })
    const found = await lintPlanted([...forbidden, ...allowed].map(plant))
    forbidden.filter((_, index) => !found[index]?.length).should.deepEqual([])
    found.slice(forbidden.length).should.deepEqual([[], []])
  }).timeout(60_000)
})
