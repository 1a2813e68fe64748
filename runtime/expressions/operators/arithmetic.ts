import { numberOf, type Operator, operator } from './types.ts'

const many = Number.MAX_SAFE_INTEGER

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new Error('has no number as its result')
  return value
}

function fold(step: (a: number, b: number) => number): Operator['apply'] {
  return (_meter, ...values) => finite(values.map(numberOf).reduce(step))
}

export const arithmetic: Readonly<Record<string, Operator>> = {
  '+': operator(
    1,
    many,
    fold((a, b) => a + b),
  ),
  '*': operator(
    2,
    many,
    fold((a, b) => a * b),
  ),
  '-': operator(1, 2, (_meter, a, b) => (b === undefined ? -numberOf(a) : finite(numberOf(a) - numberOf(b)))),
  '/': operator(
    2,
    2,
    fold((a, b) => a / b),
  ),
  '%': operator(
    2,
    2,
    fold((a, b) => a % b),
  ),
  min: operator(
    1,
    many,
    fold((a, b) => Math.min(a, b)),
  ),
  max: operator(
    1,
    many,
    fold((a, b) => Math.max(a, b)),
  ),
}
