import 'should'
import { Value } from '../../../lib/typebox'
import { systemClock } from '../../../virtual-device'
import { Arm } from '../../../virtual-device/arm/arm'
import { ArmSettings } from '../../../virtual-device/arm/state'
import { ScriptProgram } from '../../../virtual-device/arm/script/interpreter'
import { moveBy, program } from './clients'

/** Milliseconds in which the whole process stands still. */
const standstill = 700
const trueNow = Date.now.bind(Date)

describe('the simulated arm on a computer that is too busy', () => {
  let arm: Arm
  beforeEach(() => {
    arm = new Arm('ur5e', systemClock, Value.Create(ArmSettings))
  })
  afterEach(() => {
    Date.now = trueNow
    arm.stop()
  })
  const pause = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, standstill)

  /** Seconds that pass for the arm while its client does this once, in place of all else. */
  const passes = async (meanwhile: () => void) => {
    const { controller } = arm
    let times = 0
    // Nothing here may wait by the clock of the machine, which is set meanwhile.
    const seen = new Promise<void>((resolve) =>
      arm.add({
        period: 0.008,
        advanced: () => {
          if (++times === 3) meanwhile()
          if (times > 9) resolve()
        },
      }),
    )
    controller.run(ScriptProgram.compiled(program('go', moveBy(0, 0, 0.3, 'a=1, v=0.05')), controller))
    const [began, before] = [performance.now(), controller.time]
    await seen
    arm.advance()
    const passed = controller.time - before
    return { passed, real: (performance.now() - began) / 1000 }
  }

  it('stands still with its process, wherever that was stopped', async () => {
    const { passed, real } = await passes(pause)
    real.should.be.above(standstill / 1000)
    passed.should.be.below(real - 0.9 * (standstill / 1000))
  })

  it('stands still with its process when a client leaves then', async () => {
    const leaving = { period: 0.008 }
    arm.add(leaving)
    const { passed, real } = await passes(() => {
      pause()
      setImmediate(() => arm.remove(leaving))
    })
    passed.should.be.below(real - 0.9 * (standstill / 1000))
  })

  for (const step of [3600, -3600])
    it(`does not mind that somebody sets the clock by ${step} s`, async () => {
      const { passed, real } = await passes(() => (Date.now = () => trueNow() + 1000 * step))
      passed.should.be.belowOrEqual(real + 0.02)
      passed.should.be.above(real / 3)
    })
})
