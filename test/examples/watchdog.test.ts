import 'should'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'

describe('the example watchdog', () => {
  const example = useExample('watchdog', [8124], (nodes) => {
    // Longer than a restart takes: a second one that is still under way would hide the next failure.
    for (const node of nodes) if (node.type === 'trigger') node.duration = '4'
    return nodes
  })

  const follows = (button: string, text: RegExp) => example().follows(button, text, 60_000)

  it('restarts a device whose camera hangs, and clears the alarm when it runs', async () => {
    await example().prints(/debug:alarm\]\s+'?clear/)
    await follows('watchdog-hangs', /^(?=[^]*debug:alarm\]\s+'?ALARM)[^]*restart\]\s+'?asked[^]*restart\]\s+'?ready/)
    await follows('watchdog-runs', /debug:alarm\]\s+'?clear/)
    // On a busy machine, a restart takes longer than the grace time, and another one follows.
    const count = (phase: RegExp) => [...example().output().matchAll(phase)].length
    await eventually(() => count(/restart\]\s+'?ready/g).should.equal(count(/restart\]\s+'?asked/g)))
  })

  it('raises the alarm if the device is gone, and retries until it is back', async () => {
    await follows('watchdog-out', /debug:alarm\]\s+'?ALARM[^]*why not\][^]*why not\]/)
    await follows('watchdog-in', /debug:alarm\]\s+'?clear/)
    await example().prints(/lamp\]\s+'?red[^]*lamp\]\s+'?green/)
    example()
      .output()
      .should.not.match(/lamp\]\s+'?blue/)
  })
})
