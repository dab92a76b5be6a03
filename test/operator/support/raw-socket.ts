/**
 * Sends over Dashboard's socket what anybody on the network can send, without any page: socket.io over HTTP polling.
 * @param packets events with their arguments
 * @param cookie of a page that was opened, if there is one
 * @returns whether the socket let it in
 */
export async function sendPackets(
  dashboard: string,
  packets: readonly (readonly unknown[])[],
  cookie = '',
): Promise<boolean> {
  const headers = { ...(cookie && { cookie }), 'content-type': 'text/plain;charset=UTF-8' }
  const path = `${dashboard}/socket.io/?EIO=4&transport=polling`
  const opened = await (await fetch(path, { headers })).text()
  const { sid } = JSON.parse(opened.slice(1)) as { sid: string }
  const poll = async () => (await fetch(`${path}&sid=${sid}`, { headers })).text()
  const post = async (body: string) => {
    const answer = await fetch(`${path}&sid=${sid}`, { method: 'POST', headers, body })
    return answer.ok
  }
  await post('40')
  const isIn = !(await poll()).startsWith('44')
  for (const packet of packets) await post(`42${JSON.stringify(packet)}`)
  await post('41')
  return isIn
}

/**
 * Sends one event with an id and a message.
 * @param event such as `widget-send` or `widget-action`
 */
export const sendRaw = (
  dashboard: string,
  event: string,
  widget: string,
  message: unknown,
  cookie = '',
): Promise<boolean> => sendPackets(dashboard, [[event, widget, message]], cookie)
