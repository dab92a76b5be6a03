import type { Listening } from '../support/listening'
import { startAnswerProxy } from '../support/proxies/answer-proxy'
import { startSlowLine } from '../support/proxies/slow-line'

/** What arrives at a device, by a way that can be cut. */
interface Ledger {
  /** Where the nodes find the device. */
  url: string
  /** Requests that change something, as `PUT /api/…`, oldest first. */
  arrived: string[]
  /** Resets all connections. */
  cut: () => void
}

/**
 * @param target address of the device, which starts before the first request
 * @param delay milliseconds one way
 */
export function useLedger(target: () => string, delay = 0): Ledger {
  const arrived: string[] = []
  const ledger: Ledger = { url: '', arrived, cut: () => undefined }
  let proxy: Listening | undefined
  let line: Awaited<ReturnType<typeof startSlowLine>> | undefined
  before(async () => {
    proxy = await startAnswerProxy(target, ({ method = '', url = '' }) => {
      if (method !== 'GET') arrived.push(`${method} ${url}`)
      return 'pass'
    })
    line = await startSlowLine(Number(new URL(proxy.url).port), delay)
    Object.assign(ledger, { url: line.url, cut: line.reset })
  })
  after(async () => {
    await line?.stop()
    await proxy?.stop()
  })
  return ledger
}
