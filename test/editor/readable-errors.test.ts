import 'should'
import { useEditor } from '../support/editor'

/** An error without a Catch node ends in the debug sidebar, where users read it. */
describe('an error in the debug sidebar', () => {
  // A page of its own: other suites leave the sidebars of Node-RED 5 open at something else.
  const open = useEditor({ environment: {} })

  it('is its whole message with the code, not the beginning of an object', async () => {
    const editor = await open([
      { id: 'tab', type: 'tab', label: 'Errors' },
      { id: 'press', type: 'inject', z: 'tab', x: 120, y: 80, props: [], wires: [['read']] },
      { id: 'device', type: 'vision-device-config', address: '127.0.0.1:1' },
      {
        id: 'read',
        type: 'vision-get-parameter',
        z: 'tab',
        x: 320,
        y: 80,
        device: 'device',
        node: 'dev_camera',
        parameter: '..',
        wires: [[]],
      },
    ])
    await editor.page.evaluate("RED.sidebar.show('debug')")
    await fetch(`${editor.red.url}/inject/press`, { method: 'POST' })
    const shown = editor.page.locator('.red-ui-debug-msg-level-20 .red-ui-debug-msg-payload')
    await shown.filter({ hasText: '(INVALID_INPUT)' }).waitFor()
    const said = ((await shown.textContent()) ?? '').trim()
    said.should.startWith(
      'http://127.0.0.1:1: cannot read a parameter, because param is not a usable name; nothing was sent.',
    )
    said.should.endWith('It must not be empty, "." or "..". (INVALID_INPUT)')
    await editor.screenshot('readable-errors')
    await shown.locator('.red-ui-debug-msg-object-handle').click()
    await shown.getByText('stack').waitFor()
  })
})
