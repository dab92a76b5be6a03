import type { Page } from 'playwright-core'
import type { Editor } from './editor-page'

/**
 * Replaces the flows in an open editor, as Node-RED does when another project is opened, and deploys them. Avoids
 * loading the editor again, which takes most of the time of a short test.
 */
export async function flowsInPlace(editor: Editor, flows: readonly object[]) {
  const { page, red } = editor
  await closeDialogs(page)
  await stopFlows(editor)
  const known = flows.map((node) => ({ ...node, credentials: undefined }))
  // It must know the nodes before they send their first status.
  await page.evaluate(`{
    RED.nodes.clear()
    RED.history.clear()
    RED.nodes.version(null)
    RED.nodes.import(${JSON.stringify(known)})
    RED.nodes.dirty(false)
    RED.view.redraw(true)
    RED.workspaces.show(RED.nodes.getWorkspaceOrder()[0])
    RED.events.emit('flows:loaded')
  }`)
  const revision = await red.deploy(flows)
  await page.evaluate(`RED.nodes.version(${JSON.stringify(revision)})`)
}

/** Leaves an open editor as it was found, for the next suite. Later deploys by others are none of its business. */
export async function leaveInPlace({ page }: Editor) {
  await closeDialogs(page)
  await page.evaluate(`{
    RED.nodes.dirty(false)
    RED.nodes.version(null)
    RED.sidebar.show('info')
  }`)
  await page.mouse.move(0, 0)
}

/** Stops what runs: what debug nodes have said until then reaches the editor while that still knows them. */
async function stopFlows({ page, red }: Editor) {
  if (!(await page.evaluate(`RED.nodes.filterNodes({ type: 'debug' }).length`))) return
  await page.evaluate('RED.nodes.version(null)')
  const revision = await red.deploy([])
  await page.evaluate(`new Promise((resolve) => {
    const topic = 'notification/runtime-deploy'
    const heard = (_, deployed) => {
      if (deployed.revision !== ${JSON.stringify(revision)}) return
      RED.comms.unsubscribe(topic, heard)
      resolve()
    }
    RED.comms.subscribe(topic, heard)
  })`)
}

async function closeDialogs(page: Page) {
  const trays = page.locator('.red-ui-tray')
  while (await trays.count()) {
    const top = await trays.last().elementHandle()
    await page.evaluate(`RED.actions.invoke('core:cancel-edit-tray')`)
    await top.waitForElementState('hidden')
  }
}
