/** Where something stands in a program; both from 1. */
export interface Place {
  line: number
  column: number
}

export type Expression = Place &
  (
    | { kind: 'literal'; value: number | boolean | string }
    | { kind: 'name'; name: string }
    | { kind: 'list'; items: Expression[]; pose: boolean }
    | { kind: 'index'; of: Expression; index: Expression }
    | { kind: 'call'; name: string; values: Expression[]; named: Map<string, Expression> }
    | { kind: 'run'; name: string }
    | { kind: 'unary'; operator: string; value: Expression }
    | { kind: 'binary'; operator: string; left: Expression; right: Expression }
  )

export type Statement = Place &
  (
    | { kind: 'expression'; value: Expression }
    | { kind: 'assign'; name: string; index?: Expression; value: Expression; scope?: 'local' | 'global' }
    | { kind: 'if'; branches: { condition: Expression; body: Statement[] }[]; otherwise: Statement[] }
    | { kind: 'while'; condition: Expression; body: Statement[] }
    | { kind: 'return'; value?: Expression }
    | { kind: 'jump'; to: 'break' | 'continue' | 'halt' }
    | { kind: 'thread'; action: 'join' | 'kill'; value: Expression }
    | { kind: 'define'; routine: Routine }
  )

/** A program, a function or a thread. */
export interface Routine {
  kind: 'def' | 'sec' | 'thread'
  name: string
  parameters: { name: string; byDefault?: Expression }[]
  body: Statement[]
}
