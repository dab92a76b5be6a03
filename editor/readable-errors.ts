const hook = 'debugPostProcessMessage.vision-errors'

/**
 * The debug sidebar shows an error as an object in short, its sentence cut after a few words. Of errors of this
 * package it shows the whole sentence and the code; the arrow before it still opens the object.
 */
export function readableErrors(): void {
  // The script runs for every type of node, and Node-RED refuses the same hook twice.
  RED.hooks.remove(hook)
  RED.hooks.add(hook, ({ element, payload }) => {
    const { name, message, code } = payload?.data ?? {}
    if (name === 'VisionError')
      element.find('.red-ui-debug-msg-object-header').first().text(`${message} (${code})`)
  })
}
