import type { Page } from 'playwright-core'
import type { Editor } from './editor-page'

/** Replaces the flows in an open editor, as when another project is opened; loading the editor again takes too long. */
export async function flowsInPlace(editor: Editor, flows: readonly object[]) {
  const { page, red } = editor
  await closeDialogs(page)
  await stopFlows(editor)
  const known = flows.map((node) => ({ ...node, credentials: undefined }))
  // Nodes must be known before their first status.
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

/** For the next suite; later deploys by others are ignored. */
export async function leaveInPlace({ page }: Editor) {
  await closeDialogs(page)
  await page.evaluate(`{
    RED.nodes.dirty(false)
    RED.nodes.version(null)
    RED.sidebar.show('info')
  }`)
  await page.mouse.move(0, 0)
}

/** Debug output must arrive while the editor still knows the nodes. */
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
