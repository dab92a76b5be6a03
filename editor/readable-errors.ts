const hook = 'debugPostProcessMessage.vision-errors'

/**
 * The debug sidebar shows an error as an abbreviated object, with its message cut after a few words. For errors of this
 * package it shows the whole message and the code; the arrow still opens the object.
 */
export function readableErrors(): void {
  // The script runs once per node type, and Node-RED refuses to add the same hook twice.
  RED.hooks.remove(hook)
  RED.hooks.add(hook, ({ element, payload }) => {
    const { name, message, code } = payload?.data ?? {}
    if (name === 'VisionError')
      element.find('.red-ui-debug-msg-object-header').first().text(`${message} (${code})`)
  })
}
