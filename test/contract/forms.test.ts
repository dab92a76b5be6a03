import 'should'
import { operationForms } from '../../lib/contract/reading/form/operation-forms'
import { parameterLeaf, serviceForm } from '../../lib/contract/reading/form/form-shape'

describe('forms', () => {
  it('of a parameter have the unit that the device writes into its description', () => {
    const record = {
      name: 'exp_value',
      type: 'float64',
      value: 0.005,
      default: 0.005,
      min: 0.000066,
      max: 0.018,
    }
    parameterLeaf({ ...record, description: 'Exposure time in manual mode (s)' }).should.deepEqual({
      is: 'leaf',
      type: 'float64',
      required: true,
      unit: 's',
      min: 0.000066,
      max: 0.018,
    })
  })

  it('of a service have the units that are known by name', () => {
    const vector = { x: 'float64', y: 'float64' }
    const { fields } = serviceForm({
      args: {
        pose: { position: vector, orientation: vector },
        replication: { step_x_deg: 'float64' },
        box: 'string',
      },
    })
    const leaf = (unit?: string) => ({ is: 'leaf', type: 'float64', ...(unit && { unit }) })
    fields.should.deepEqual({
      pose: {
        is: 'group',
        fields: {
          position: { is: 'group', fields: { x: leaf('m'), y: leaf('m') } },
          orientation: { is: 'group', fields: { x: leaf(), y: leaf() } },
        },
      },
      replication: { is: 'group', fields: { step_x_deg: leaf('°') } },
      box: { is: 'leaf', type: 'string' },
    })
  })

  it('of an operation have the units given in the contract', () => {
    const fields = operationForms().flatMap(({ shape }) => Object.entries(shape.fields))
    const units = fields.flatMap(([name, field]) =>
      field.is === 'leaf' && field.unit ? [`${name} ${field.unit}`] : [],
    )
    units.should.containEql('grid_width m')
    units.should.containEql('tcp_offset m')
    for (const unit of units) unit.should.not.match(/ s$/)
  })
})
