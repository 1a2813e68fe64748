import { describe, expect, it } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { type Context, compileValue, ExpressionError } from '../index.ts'

const render = (value: Json, context: Context = {}): Json | undefined => compileValue(value).render(context)

describe('a string that is a single {{ }}', () => {
  it.each<[string, Json]>([
    ['a number', 3],
    ['a boolean', false],
    ['null', null],
    ['a list', [1, { k: 'v' }]],
    ['an object', { k: [1] }],
    ['a text', ''],
  ])('keeps %s as it is', (_kind, value) => {
    expect(render('{{ a.b }}', { a: { b: value } })).toEqual(value)
    // The way through Liquid.
    expect(render('{{- a["b"] -}}', { a: { b: value } })).toEqual(value)
  })

  it('keeps the type of the result of a filter', () => {
    expect(render('{{ a | size }}', { a: [1, 2] })).toBe(2)
    expect(render('{{ a | map: "k" }}', { a: [{ k: 1 }, { k: 2 }] })).toEqual([1, 2])
  })

  it('is undefined when the value is missing, also through filters', () => {
    expect(render('{{ a.b }}', { a: {} })).toBeUndefined()
    expect(render('{{ a.b.c.d }}', {})).toBeUndefined()
    expect(render('{{ a.b | upcase }}', { a: {} })).toBeUndefined()
  })

  it('takes a default when the value is missing', () => {
    expect(render('{{ a.b | default: 5 }}', { a: {} })).toBe(5)
    expect(render('{{ a.b | default: c.d }}', { c: { d: [1] } })).toEqual([1])
    expect(render('{{ a.b | default: c.d }}', {})).toBeUndefined()
  })

  it('takes the first of several defaults that is there', () => {
    const text = "{{ a | default: b.c | default: d, allow_false: true | default: 'none', allow_false: true }}"
    expect(render(text, {})).toBe('none')
    expect(render(text, { b: { c: '' } })).toBe('none')
    expect(render(text, { b: { c: 1 }, d: 2 })).toBe(1)
    expect(render(text, { d: false })).toBe(false)
    expect(render('x {{ a | upcase | default: b | default: 1 }}', { a: 'y' })).toBe('x Y')
    expect(render('{{ a | default: b | default: c }}', {})).toBeUndefined()
    for (const strict of [
      "x {{ a | default: b | upcase | default: 'c' }}",
      "x {{ a | default: b[c] | default: 'd' }}",
      'x {{ a | default: b | default: c }}',
    ])
      expect(() => render(strict, {})).toThrow('is not there')
  })

  it('fails when an argument of a filter is missing', () => {
    expect(() => render('{{ a | plus: b.c }}', { a: 1 })).toThrow(/b.c is not there|b is not there/)
  })

  it('keeps all digits of an integer beyond 2^53, as JSON and YAML do', () => {
    expect(render('{{ 12345678901234567890 }}')).toBe('12345678901234567890')
    expect(render('{{ a == 12345678901234567890 }}', { a: '12345678901234567890' })).toBe(true)
    expect(render('{{ a == 12345678901234567890 }}', { a: '12345678901234567891' })).toBe(false)
    expect(render('{{ a == -12345678901234567890 }}', { a: 5 })).toBe(false)
    expect(render('{{ a > 9234567890123456789 }}', { a: '12345678901234567890' })).toBe(true)
    expect(render('{{ a > 12345678901234567890 }}', { a: 5 })).toBe(false)
    expect(render('{% case a %}{% when 12345678901234567890 %}x{% endcase %}', { a: '12345678901234567890' })).toBe('x')
    expect(render('{{ 9007199254740991 }}')).toBe(9_007_199_254_740_991)
    expect(() => render('{{ a | plus: 12345678901234567890 }}', { a: 1 })).toThrow(/has more digits than a number can keep/)
  })

  it('refuses a result that JSON cannot hold', () => {
    expect(() => render('{{ a | divided_by: 0 }}', { a: 1 })).toThrow(expect.objectContaining({ code: 'template_failed' }))
  })
})

describe('{{ }} inside text', () => {
  it('inserts texts and numbers, and lists and objects as JSON', () => {
    expect(render('a {{ a }}, b {{ b }}, c {{ c }}', { a: 'x', b: 1.5, c: { k: [1] } })).toBe('a x, b 1.5, c {"k":[1]}')
    expect(render('c {{ c | compact }}', { c: [1, null] })).toBe('c [1]')
  })

  it('inserts nothing for null', () => {
    expect(render('[{{ a }}]', { a: null })).toBe('[]')
  })

  it('fails when a value is missing, and names the path', () => {
    expect(() => render('x {{ steps.user.output }}', { steps: { user: {} } })).toThrow(
      expect.objectContaining({ code: 'template_failed', message: expect.stringContaining('steps.user.output is not there') }),
    )
    expect(() => render('x {{ a | first }}', { a: [] })).toThrow(/missing/)
  })

  it('takes a default when a value is missing', () => {
    expect(render('x {{ a.b | default: "none" }}', {})).toBe('x none')
  })
})

describe('objects and lists', () => {
  it('leaves out keys and items whose value is missing', () => {
    expect(render({ a: '{{ x }}', b: ['{{ x }}', '{{ y }}', 2], c: { d: '{{ x }}' } }, { y: 1 })).toEqual({ b: [1, 2], c: {} })
  })

  it('keeps parts without a template as they are', () => {
    const value = { a: [1, null, 'x'], b: { c: true } }
    const compiled = compileValue(value)
    expect(compiled.constant).toBe(true)
    expect(compiled.render({})).toBe(value)
  })

  it('keeps the key __proto__ as a key', () => {
    const rendered = render(JSON.parse('{ "__proto__": { "x": "{{ a }}" } }'), { a: 1 })
    expect(JSON.stringify(rendered)).toBe('{"__proto__":{"x":1}}')
  })
})

it('lists every path that it reads, with its place', () => {
  const compiled = compileValue({
    a: '{{ x.y }}',
    b: ['p {{ q.r[0] | plus: s.t }}', '{% for i in l.m %}{{ i.n }}{{ o }}{% endfor %}'],
    c: '{{ u[v.w].z }}',
  })
  expect(compiled.reads.map((path) => path.join('.')).sort()).toEqual(['l.m', 'o', 'q.r.0', 's.t', 'u', 'v.w', 'x.y'])
  expect(compiled.sites.find(({ path }) => path[0] === 's')).toEqual({ path: ['s', 't'], at: ['b', 0], offset: 20 })
  expect(compiled.constant).toBe(false)
})

it('reports every string that does not parse, with the offset', () => {
  try {
    compileValue({ a: 'ok {{ x | upcas }}', b: ['{{ y'], c: 'x {% foo %}', d: '{{ a b }}', e: '{{ }}' })
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(ExpressionError)
    const { code, faults } = error as ExpressionError
    expect(code).toBe('expression_invalid')
    expect(faults.map(({ path, offset }) => [path.join('.'), offset])).toEqual([
      ['a', 3],
      ['b.0', 0],
      ['c', 2],
      ['d', 0],
      ['e', 3],
    ])
    expect(faults[0]?.message).toContain('did you mean `upcase`?')
  }
})
