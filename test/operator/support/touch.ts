import should from 'should'
import type { Locator, Page } from 'playwright-core'

/** Checks that each of these can be met with a finger. @returns how many there are */
export async function forFingers(targets: Locator): Promise<number> {
  const all = await targets.filter({ visible: true }).all()
  for (const target of all) {
    const { width = 0, height = 0 } = (await target.boundingBox()) ?? {}
    should(Math.min(width, height)).be.aboveOrEqual(44)
  }
  return all.length
}

/** Checks that nobody has to scroll sideways. */
export async function fitsWidth(page: Page): Promise<void> {
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
  should(wide).be.belowOrEqual(page.viewportSize()?.width ?? 0)
}
