import { forEachWithTurns, type Turn } from './for-each.ts'
import type { OutlinedStep } from './outline.ts'
import type { StepState } from './step-state.ts'

/** A step of a list that shows equal iterations of a loop only once. */
export interface GroupedStep extends OutlinedStep {
  /** For a loop or a poll: how many iterations have begun. Null: the step has no iterations. */
  readonly iterations: number | null
  /** How many of these iterations are not listed and not equal to a listed one. */
  readonly unlisted: number
  /** For the first step of an iteration: how many other iterations of the loop went the same way and are left out. */
  readonly alike: number
}

/** How many different ways through one loop are listed. */
const mostWays = 20

/** An iteration with a step in one of these states is listed before others. */
const trouble: ReadonlySet<StepState> = new Set(['failed', 'in_doubt', 'interrupted', 'waiting', 'under_way'])

interface Node {
  step: OutlinedStep | null
  readonly inner: Map<string, Node>
}

/** How an iteration went: which of its steps were reached, and how each ended. Equal ways have the same id. */
interface Way {
  readonly id: number
  readonly trouble: boolean
}

interface Emitted {
  readonly ways: ReadonlyMap<Node, Way>
  readonly steps: GroupedStep[]
}

const isIteration = (name: string): boolean => /^\d+$/.test(name)

/** Returns all steps in order, including those of every iteration. */
export async function ungrouped(steps: readonly OutlinedStep[], turn: Turn): Promise<readonly GroupedStep[]> {
  const counts = new Map<string, Set<string>>()
  await forEachWithTurns(steps, turn, ({ address }) => {
    const parts = address.split('/')
    for (const [index, part] of parts.entries()) {
      if (!isIteration(part)) continue
      const loop = parts.slice(0, index).join('/')
      counts.set(loop, (counts.get(loop) ?? new Set()).add(part))
    }
  })
  return steps.map((step) => ({ ...step, iterations: counts.get(step.address)?.size ?? null, unlisted: 0, alike: 0 }))
}

/**
 * Returns the steps in order, but for each loop only one iteration of each way. If there are too many ways to
 * list all, those with trouble are listed first.
 */
export async function grouped(steps: readonly OutlinedStep[], turn: Turn): Promise<readonly GroupedStep[]> {
  const root: Node = { step: null, inner: new Map() }
  // Every node comes after its parent.
  const nodes: Node[] = [root]
  await forEachWithTurns(steps, turn, (step) => {
    nodeAt(nodes, step.address).step = step
  })
  const known = new Map<string, number>()
  const ways = new Map<Node, Way>()
  await forEachWithTurns(nodes.toReversed(), turn, (node) => void ways.set(node, wayOf(node, known, ways)))
  const emitted: GroupedStep[] = []
  emit(root, 0, { ways, steps: emitted })
  return emitted
}

function nodeAt(nodes: Node[], address: string): Node {
  let [node] = nodes as [Node]
  for (const part of address.split('/')) {
    const known = node.inner.get(part)
    const next: Node = known ?? { step: null, inner: new Map() }
    if (!known) {
      node.inner.set(part, next)
      nodes.push(next)
    }
    node = next
  }
  return node
}

/**
 * Returns the way that a node went.
 * @param known the ids of the ways so far, by their description
 * @param ways the ways of the nodes inside this one
 */
function wayOf({ step, inner }: Node, known: Map<string, number>, ways: ReadonlyMap<Node, Way>): Way {
  const iterated = new Set<number>()
  const others: string[] = []
  let troubled = step !== null && trouble.has(step.state)
  for (const [name, one] of inner) {
    const way = ways.get(one)
    if (!way) continue
    if (isIteration(name)) iterated.add(way.id)
    else others.push(`${name}:${way.id}`)
    troubled ||= way.trouble
  }
  const made = `${step?.state ?? ''}(${others.join(',')})[${[...iterated].toSorted((a, b) => a - b).join(',')}]`
  const id = known.get(made) ?? known.size
  known.set(made, id)
  return { id, trouble: troubled }
}

function emit(node: Node, alike: number, emitted: Emitted): void {
  const { steps, ways } = emitted
  const all = [...node.inner]
  const iterations = all.filter(([name]) => isIteration(name)).map(([, one]) => one)
  const groups = [...Map.groupBy(iterations, (one) => ways.get(one)?.id)].map(([, group]) => group)
  const listed = groups.toSorted(([one], [other]) => Number(isTrouble(other, ways)) - Number(isTrouble(one, ways))).slice(0, mostWays)
  const left = new Map(listed.flatMap((group) => group.slice(0, 1).map((first) => [first, group.length - 1] as const)))
  const unlisted = groups.reduce((sum, group) => sum + (listed.includes(group) ? 0 : group.length), 0)
  // The count of equal iterations goes to the first listed step of the iteration.
  let carried = alike
  if (node.step) {
    steps.push({ ...node.step, iterations: iterations.length > 0 ? iterations.length : null, unlisted, alike })
    carried = 0
  }
  for (const [name, one] of all) {
    if (isIteration(name) && !left.has(one)) continue
    emit(one, (left.get(one) ?? 0) + carried, emitted)
    carried = 0
  }
}

function isTrouble(node: Node | undefined, ways: ReadonlyMap<Node, Way>): boolean {
  return node !== undefined && (ways.get(node)?.trouble ?? false)
}
