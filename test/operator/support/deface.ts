import should from 'should'
import type { FlowNode } from '../../support/example'
import { login } from './dashboard'
import { sendRaw } from './raw-socket'

const { username, password } = login
const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/**
 * Sends, as anybody on the network, other contents and another template for each widget of an example, and expects that
 * Dashboard keeps nothing of it for pages that are opened later.
 */
export async function deface(dashboard: string, nodes: readonly FlowNode[]): Promise<void> {
  const widgets = nodes.filter(({ type }) => /^ui-(text|table|template)$/.test(type))
  should(widgets.length).be.above(0)
  const forged = { payload: [{ text: 'forged' }], caption: 'forged', ui_update: { format: '<b>forged</b>' } }
  for (const { id } of widgets) {
    await sendRaw(dashboard, 'widget-send', id, forged)
    await sendRaw(dashboard, 'widget-action', id, forged)
    await sendRaw(dashboard, 'widget-change', id, 'forged')
    for (const store of ['datastore', 'statestore']) {
      const kept = await fetch(`${dashboard}/_debug/${store}/${id}`, { headers: { authorization } })
      const text = await kept.text()
      should(kept.status).equal(200)
      should(text).not.match(/forged/, `${id}: ${text.slice(0, 200)}`)
    }
  }
}
