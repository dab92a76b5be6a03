/**
 * Sends over Dashboard's socket what anybody on the network can send, without any page: socket.io over HTTP polling.
 * @param event such as `widget-send` or `widget-action`
 * @param cookie of a page that was opened, if there is one
 */
export async function sendRaw(
  dashboard: string,
  event: string,
  widget: string,
  message: unknown,
  cookie = '',
): Promise<void> {
  const headers = { ...(cookie && { cookie }), 'content-type': 'text/plain;charset=UTF-8' }
  const path = `${dashboard}/socket.io/?EIO=4&transport=polling`
  const opened = await (await fetch(path, { headers })).text()
  const { sid } = JSON.parse(opened.slice(1)) as { sid: string }
  const post = async (body: string) => {
    const answer = await fetch(`${path}&sid=${sid}`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`the socket answered ${answer.status}`)
  }
  await post('40')
  await (await fetch(`${path}&sid=${sid}`, { headers })).text()
  await post(`42${JSON.stringify([event, widget, message])}`)
  await post('41')
}
