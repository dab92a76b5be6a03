import { useExample } from '../support/example'

describe('the example pipelines', () => {
  const example = useExample('pipelines', [8086])

  it('lists, configures, deletes, and applies with a restart', async () => {
    const { answers, press, prints } = example()
    await answers('pipelines-list-now', /pipeline: '1'.*runs: 'stereo_a'/s)
    await answers('pipelines-add', /kind: 'time_of_flight',\s*runs: null/)
    await answers('pipelines-remove', /kind: null,\s*runs: 'stereo_a'/)
    await press('pipelines-go')
    await prints(/phase: 'ready'/, 20_000)
    await prints(/kind: 'time_of_flight',\s*runs: 'time_of_flight'/)
  })
})
