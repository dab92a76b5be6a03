import { useExample } from '../support/example'

describe('the example backups', () => {
  const example = useExample('backups', [8084])

  it('saves, compares and restores', async () => {
    const { answers, red } = example()
    await answers('backups-save-now', new RegExp(`${red.userDir}/backups/[^/]+/cell\\.json`))
    await answers('backups-change-fps', /\b10\b/)
    await answers('backups-compare-now', /dev_camera\.parameters\.fps: 25 → 10/)
    await answers('backups-restore-now', /\[\]/)
    await answers('backups-compare-now', /no difference/)
  })
})
