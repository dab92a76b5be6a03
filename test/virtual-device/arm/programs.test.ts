import should from 'should'
import { distance } from '../../../lib/robotics'
import { moveBy, program, until, useArm } from './clients'

describe('programs of the simulated arm', () => {
  const arm = useArm()

  it('move the tool in a line, with the profile of its speed', async () => {
    const before = await arm.truth()
    const primary = await arm.primary()
    primary.send(program('go', moveBy(0, 0, 0.1, 'a=0.5, v=0.1')))
    await primary.tells(7, 'PROGRAM_XXX_STARTEDgo')
    // 0.2 s to the top speed and as long to stop, 0.8 s between: 1.2 s for 0.1 m.
    const half = await arm.pass(0.6)
    ;(half.flange.position.z - before.flange.position.z).should.be.approximately(0.05, 0.002)
    half.flange.position.x.should.be.approximately(before.flange.position.x, 1e-6)
    should((await arm.pass(0.57)).moves).be.true()
    const after = await arm.pass(0.06)
    after.moves.should.be.false()
    ;(after.flange.position.z - before.flange.position.z).should.be.approximately(0.1, 1e-6)
    await primary.tells(7, 'PROGRAM_XXX_STOPPEDgo')
  })

  it('go on when their client is gone: closing a connection stops nothing', async () => {
    const before = await arm.truth()
    const primary = await arm.primary()
    primary.send(program('alone', moveBy(0, 0, 0.1)))
    await primary.tells(7, 'PROGRAM_XXX_STARTEDalone')
    primary.socket.destroy()
    const after = await arm.pass(5)
    ;(after.flange.position.z - before.flange.position.z).should.be.approximately(0.1, 1e-6)
  })

  it('are replaced by the next, which can brake on the way', async () => {
    const before = await arm.truth()
    const primary = await arm.primary()
    primary.send(program('long', moveBy(0.1, 0, 0.2)))
    await primary.tells(7, 'PROGRAM_XXX_STARTEDlong')
    await arm.pass(0.5)
    primary.send(program('halt_it', 'stopl(3)'))
    await primary.tells(7, 'PROGRAM_XXX_STARTEDhalt_it')
    const after = await arm.pass(0.2)
    after.moves.should.be.false()
    const gone = {
      x: after.flange.position.x - before.flange.position.x,
      z: after.flange.position.z - before.flange.position.z,
    }
    ;(gone.z / gone.x).should.be.approximately(2, 0.01)
    should(Math.hypot(gone.x, gone.z)).be.within(0.08, 0.13)
    primary
      .texts(7)
      .map((text) => text.slice(9))
      .should.eql([
        'PROGRAM_XXX_STARTEDlong',
        'PROGRAM_XXX_STOPPEDlong',
        'PROGRAM_XXX_STARTEDhalt_it',
        ...(primary.texts(7).length > 3 ? ['PROGRAM_XXX_STOPPEDhalt_it'] : []),
      ])
  })

  it('stop by the plain line, too', async () => {
    const primary = await arm.primary()
    primary.send(program('long', moveBy(0, 0, 0.2)))
    await primary.tells(7, 'PROGRAM_XXX_STARTEDlong')
    await arm.pass(0.5)
    primary.send('stop program\n')
    await primary.tells(7, 'PROGRAM_XXX_STOPPEDlong')
    should((await arm.pass(0.3)).moves).be.false()
  })

  it('watch their own motion in a thread', async () => {
    const primary = await arm.primary()
    primary.send(
      program(
        'watching',
        'thread moving():',
        '  ' + moveBy(0, 0, 0.2, 'v=0.05'),
        'end',
        'local quiet = 0.0',
        'h = run moving()',
        'while quiet < 0.5:',
        '  quiet = quiet + get_steptime()',
        '  sync()',
        'end',
        'kill h',
        'stopl(1.0)',
        'textmsg("stopped after ", quiet > 0.49)',
      ),
    )
    await primary.tells(7, 'PROGRAM_XXX_STARTEDwatching')
    should((await arm.pass(0.4)).moves).be.true()
    const after = await arm.pass(0.3)
    after.should.have.properties({ moves: false, program: null })
    await primary.tells(0, 'stopped after True')
  })

  it('do not fight for the arm', async () => {
    const primary = await arm.primary()
    primary.send(
      program(
        'two',
        'thread other():',
        `  ${moveBy(0, 0, 0.1)}`,
        'end',
        'run other()',
        'sleep(0.05)',
        'stopl(1)',
      ),
    )
    await primary.tells(7, 'STARTEDtwo')
    await arm.pass(0.1)
    await primary.tells(10, 'another thread is already controlling the robot')
  })

  it('end in a protective stop out of reach, which a person unlocks after 5 s', async () => {
    const primary = await arm.primary()
    primary.send(program('far', moveBy(0.9, 0, 0.9, 'v=0.5')))
    await primary.tells(7, 'STARTEDfar')
    const after = await arm.pass(5)
    after.should.have.properties({ safety: 'PROTECTIVE_STOP', program: null, moves: false })
    const error = primary.messages.find(({ kind }) => kind === 6)?.body
    should([error?.readInt32BE(0), error?.readInt32BE(8)]).eql([153, 2])
    const { ask } = await arm.dashboard()
    should(await ask('safetystatus')).equal('Safetystatus: PROTECTIVE_STOP')
    await arm.pass(5)
    should(await ask('unlock protective stop')).equal('Protective stop releasing')
    should(await arm.truth()).have.property('safety', 'NORMAL')
  })

  it('end in a protective stop at a joint that would turn too fast', async () => {
    const primary = await arm.primary()
    primary.send(program('straight', moveBy(0, 0.138, 0), moveBy(-0.9, 0, 0, 'a=3, v=1')))
    await primary.tells(7, 'STARTEDstraight')
    await arm.pass(20)
    should(await arm.truth()).have.properties({ safety: 'PROTECTIVE_STOP', motions: 2 })
  })

  it('say where they are wrong, and leave the arm alone', async () => {
    const primary = await arm.primary()
    const wrong: [string, string][] = [
      [program('a', 'movx(1)'), 'compile_error_name_not_found:movx:'],
      [program('a', 'x = (1'), 'syntax_error_on_line:2:'],
      [program('a', 'x = y'), 'compile_error_name_not_found:y:'],
      [program('a', 'x = [1, 2]', 'y = x[2]'), 'there is no element 2'],
      [program('a', 'x = 1 / 0'), 'division by zero'],
      [program('a', 'get_inverse_kin(p[3, 0, 0, 0, 0, 0])'), 'unable to find an inverse kinematics solution'],
      [program('a', 'while True:', '  x = 1', 'end'), 'infinite loop detected'],
      [program('a', 'movel(1)'), 'six numbers expected, got 1'],
      [`${'('.repeat(5000)}\n`, 'syntax_error_on_line:1:'],
    ]
    for (const [text, said] of wrong) {
      primary.send(text)
      await until(async () => {
        await arm.pass(0.01)
        return primary.texts(10).at(-1)?.includes(said) ?? false
      })
    }
    should(await arm.truth()).have.properties({ motions: 0, program: null })
  })

  it('compute as the language does', async () => {
    const primary = await arm.primary()
    primary.send(
      program(
        'sums',
        'def twice(x, y=2):',
        '  return x * y',
        'end',
        'i = 0',
        'sum = 0',
        'while True:',
        '  i = i + 1',
        '  if i == 3:',
        '    continue',
        '  elif i > 5:',
        '    break',
        '  else:',
        '    sum = sum + i',
        '  end',
        'end',
        'textmsg(sum, twice(4))',
        'textmsg(twice(y=3, x=2), not (1 < 2 and False))',
        'textmsg(pose_trans(p[1,0,0,0,0,1.5707963267948966], p[0,1,0,0,0,0]))',
        'textmsg(get_inverse_kin_has_solution(p[0.9,0.9,0,0,0,0]), norm(-2))',
      ),
    )
    await primary.tells(7, 'STARTEDsums')
    await arm.pass(0.1)
    await until(() => primary.texts(0).length === 4)
    primary.texts(0).should.eql(['128', '6True', 'p[0, 0, 0, 0, 0, 1.570796]', 'False2'])
  })

  it('wait while nothing is sent', async () => {
    const primary = await arm.primary()
    arm.bench.device.setScenario({ arm: { link: 'frozen' } })
    const before = await arm.truth()
    primary.send(program('later', moveBy(0, 0, 0.05)))
    const silent = primary.packages.length
    await arm.pass(1)
    primary.packages.length.should.equal(silent)
    arm.bench.device.setScenario({ arm: { link: 'ok' } })
    await primary.tells(7, 'STARTEDlater')
    const { flange } = await arm.pass(3)
    distance(flange.position, before.flange.position).should.be.approximately(0.05, 1e-6)
  })
})

describe('the simulated arm', () => {
  const arm = useArm()

  it('greets with its version and its state, of the sizes that clients expect', async () => {
    const primary = await arm.primary()
    const [version, state] = primary.packages
    should(version?.length).equal(55)
    should([version?.[4], state?.[4]]).eql([20, 16])
    const parts: number[][] = []
    for (let at = 5; state && at < state.length; at += state.readInt32BE(at))
      parts.push([state.readUInt8(at + 4), state.readInt32BE(at)])
    parts.slice(0, 2).should.eql([
      [0, 47],
      [1, 251],
    ])
    should(parts.at(-1)).eql([4, 101])
    arm.clock.advance(1)
    await until(() => primary.packages.length >= 3)
  })

  it('accepts no program in local mode, nor on a connection that was made in it', async () => {
    const early = await arm.primary()
    arm.bench.device.setScenario({ arm: { remote: false } })
    await until(() => early.isClosed)
    const local = await arm.primary()
    local.send(program('no', moveBy(0, 0, 0.1)))
    await until(() => local.messages.some(({ kind, body }) => kind === 6 && body.readInt32BE(0) === 210))
    const old = await arm.dashboard()
    should(await old.ask('is in remote control')).equal('false')
    should(await old.ask('power off')).startWith('Command is not allowed due to safety reasons')
    arm.bench.device.setScenario({ arm: { remote: true } })
    local.send(program('no', moveBy(0, 0, 0.1)))
    await until(() => local.messages.filter(({ kind }) => kind === 6).length === 2)
    should(await old.ask('power off')).startWith('Command is not allowed')
    should(await old.ask('is in remote control')).equal('true')
    const { ask } = await arm.dashboard()
    should(await ask('power off')).equal('Powering off')
    should((await arm.truth()).motions).equal(0)
  })

  it('stops at the next motion if provoked, once', async () => {
    arm.bench.device.setScenario({ arm: { protective_stop: 'next_motion' } })
    const primary = await arm.primary()
    primary.send(program('go', moveBy(0, 0, 0.1)))
    await primary.tells(7, 'STARTEDgo')
    const after = await arm.pass(1)
    after.should.have.properties({ safety: 'PROTECTIVE_STOP', moves: false })
    primary.send(program('again', moveBy(0, 0, 0.1)))
    await arm.pass(6)
    const { ask } = await arm.dashboard()
    await ask('unlock protective stop')
    // A change of anything else provokes nothing again.
    arm.bench.device.setScenario({ arm: { speed: 0.9 } })
    primary.send(program('go_on', moveBy(0, 0, 0.05)))
    await primary.tells(7, 'STARTEDgo_on')
    should(await arm.pass(3)).have.properties({ safety: 'NORMAL', moves: false })
    primary
      .texts(7)
      .some((text) => text.includes('again'))
      .should.be.false()
  })

  it('stands within its braking time after the emergency stop, and has to be switched on again', async () => {
    const primary = await arm.primary()
    primary.send(program('go', moveBy(0, 0, 0.2)))
    await primary.tells(7, 'STARTEDgo')
    should((await arm.pass(0.5)).moves).be.true()
    arm.bench.device.setScenario({ arm: { emergency_stop: true } })
    const after = await arm.pass(0.1)
    after.should.have.properties({
      safety: 'ROBOT_EMERGENCY_STOP',
      mode: 'POWER_OFF',
      moves: false,
      program: null,
    })
    const { ask } = await arm.dashboard()
    await ask('power on')
    should((await arm.pass(2)).mode).equal('POWER_OFF')
    arm.bench.device.setScenario({ arm: { emergency_stop: false } })
    should(await ask('power on')).equal('Powering on')
    should((await arm.pass(2)).mode).equal('IDLE')
    should(await ask('brake release')).equal('Brake releasing')
    should((await arm.pass(2)).mode).equal('RUNNING')
    should(await ask('robotmode')).equal('Robotmode: RUNNING')
  })

  it('moves slower by the scenario', async () => {
    arm.bench.device.setScenario({ arm: { speed: 0.1 } })
    const before = await arm.truth()
    const primary = await arm.primary()
    primary.send(program('go', moveBy(0, 0, 0.2, 'a=1.2, v=0.25')))
    await primary.tells(7, 'STARTEDgo')
    const { flange } = await arm.pass(1)
    distance(flange.position, before.flange.position).should.be.within(0.02, 0.025)
  })

  it('loses its connections, but not its program', async () => {
    const before = await arm.truth()
    const primary = await arm.primary()
    primary.send(program('go', moveBy(0, 0, 0.1)))
    await primary.tells(7, 'STARTEDgo')
    arm.bench.device.setScenario({ arm: { link: 'cut' } })
    await until(() => primary.isClosed)
    const refused = await arm.primary()
    await until(() => refused.isClosed)
    const { flange } = await arm.pass(5)
    distance(flange.position, before.flange.position).should.be.approximately(0.1, 1e-6)
  })

  it('answers on the dashboard what a controller answers', async () => {
    const { ask, line } = await arm.dashboard()
    line.text.should.equal('Connected: Universal Robots Dashboard Server\n')
    should(await ask('PolyscopeVersion')).equal('URSoftware 5.11.6.1010303 (Nov 09 2021)')
    should(await ask('programState')).equal('STOPPED <unnamed>')
    should(await ask('running')).equal('Program running: false')
    should(await ask('play')).equal('Failed to execute: play')
    should(await ask('nonsense')).equal("could not understand: 'nonsense'")
    should(await ask('quit')).equal('Disconnected')
    await until(() => line.isClosed)
  })

  it('carries the camera: its picture moves with the flange', async () => {
    const view = async () =>
      /Grid[^<]*away/.exec((await arm.bench.send('GET', '/virtual/view.svg')).text)?.[0] ?? ''
    const before = await view()
    before.should.containEql('Grid in view: 0.61 m away')
    const primary = await arm.primary()
    primary.send(program('up', moveBy(0, 0, 0.1)))
    await primary.tells(7, 'STARTEDup')
    await arm.pass(3)
    ;(await view()).should.containEql('Grid in view: 0.71 m away')
  })

  it('lets set_pose see from where it is, whatever was reported', async () => {
    const primary = await arm.primary()
    primary.send(
      program('away', 'movej(get_inverse_kin(pose_trans(get_actual_tcp_pose(), p[0,0,0,1.2,0,0])))'),
    )
    await primary.tells(7, 'STARTEDaway')
    await arm.pass(5)
    const pose = (await arm.truth()).flange
    const answer = await arm.bench.put('/pipelines/0/nodes/dev_hand_eye_calibration/services/set_pose', {
      json: { args: { slot: 0, pose } },
    })
    should((answer.body as { response: { success: boolean } }).response.success).be.false()
  })
})

describe('a fixed camera', () => {
  const arm = useArm({ arm: 'ur10e', scenario: { scene: { hand_eye: { mounting: 'fixed' } } } })

  it('sees the grid move with the flange', async () => {
    const view = async () =>
      /Grid[^<]*away/.exec((await arm.bench.send('GET', '/virtual/view.svg')).text)?.[0] ?? ''
    ;(await view()).should.containEql('Grid in view: 0.61 m away')
    const primary = await arm.primary()
    primary.send(program('up', moveBy(0, 0, 0.1)))
    await primary.tells(7, 'STARTEDup')
    await arm.pass(3)
    ;(await view()).should.containEql('Grid in view: 0.71 m away')
  })
})
