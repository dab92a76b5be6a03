import type { DeviceState } from './device-state'
import type { Module } from '../module'
import { modulesOf } from '../modules'
import { startNodes, type Nodes, type Surroundings } from './nodes'
import type { RunningModule } from './running-module'
import { nodesOf, restoreNodes } from './saved-nodes'

export interface Pipeline {
  /** Kind of sensor. */
  type: string
  nodes: Nodes
}

/** All nodes that run between two boots of a device. */
export class DeviceNodes {
  readonly global: Nodes
  readonly pipelines: ReadonlyMap<string, Pipeline>

  /** @param configured kind of sensor by pipeline name */
  constructor(
    configured: Readonly<Record<string, string>>,
    private readonly around: Surroundings,
  ) {
    const { variant } = around
    this.global = startNodes(modulesOf(variant).global, 'global', around)
    const ofPipeline = { ...around, global: this.global }
    this.pipelines = new Map(
      Object.entries(configured).map(([name, type]) => [
        name,
        { type, nodes: startNodes(modulesOf(variant, type).pipeline, name, ofPipeline) },
      ]),
    )
  }

  get modules(): Module[] {
    return this.places().flatMap(([, nodes]) => [...nodes.values()].map(({ module }) => module))
  }

  /** @param name with or without the prefix; a node of the pipeline takes precedence over a global one */
  find(name: string, pipeline: string): RunningModule | undefined {
    const found = (nodes: Nodes | undefined) => nodes?.get(name) ?? nodes?.get(this.around.nodePrefix + name)
    return found(this.pipelines.get(pipeline)?.nodes) ?? found(this.global)
  }

  state(): DeviceState['nodes'] {
    return Object.fromEntries(this.places().map(([place, nodes]) => [place, nodesOf(nodes)]))
  }

  /** @returns the parameters whose saved value no longer fits */
  restore(saved: DeviceState['nodes']): string[] {
    return this.places().flatMap(([place, nodes]) => restoreNodes(nodes, saved[place]))
  }

  private places(): [string, Nodes][] {
    return [
      ['global', this.global],
      ...[...this.pipelines].map(([name, { nodes }]): [string, Nodes] => [name, nodes]),
    ]
  }
}
