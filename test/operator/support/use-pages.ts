import type { Page } from 'playwright-core'
import type { NodeRed } from '../../support/node-red'
import { openPanel, type PageOptions, type PanelPage } from './dashboard'

interface PageOfExample {
  red: () => NodeRed
  /** Below `/dashboard/`. */
  path: string
  /** Resolves when the page shows what it is for. */
  isThere: (page: Page) => Promise<void>
}

/** Opens pages of an example. They end with each test, and tell what they showed if it has failed. */
export function usePages({ red, path, isThere }: PageOfExample): (options?: PageOptions) => Promise<Page> {
  const open: PanelPage[] = []

  afterEach(async function () {
    const isFailed = this.currentTest?.isFailed() ?? false
    for (const page of open.splice(0)) {
      if (isFailed) process.stderr.write(`${await page.told(red())}\n`)
      await page.close()
    }
  })

  return async (options = {}) => {
    const opened = await openPanel(`${red().url}/dashboard/${path}`, options)
    if (!opened) throw new Error('no browser')
    open.push(opened)
    await isThere(opened.page)
    return opened.page
  }
}
