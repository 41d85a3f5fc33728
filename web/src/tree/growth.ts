// The tree of a run as its log tells it: one node for each run, which changes as events come. The same events
// always give the same tree, so a tree of the past is the fold of what had happened by then.
import type { Ask, Command, End, Event, RunEnd, RunStart, Status, StepEnd, StepStart, Waiting } from 'rein-client';

export interface TreeNode {
  readonly id: string;
  readonly parent: string;
  readonly title: string;
  readonly flow: string;
  readonly status: Status;
  readonly paused: boolean;
  /** What it does, in words, while it runs. */
  readonly doing: string;
  /** For explore: which of its six steps it is at; 0: none. */
  readonly step: number;
  readonly round: number;
  /** What its own model calls took, without the runs below it. */
  readonly micros: number;
  readonly tokens: number;
  readonly asks: readonly Ask[];
  readonly started: string;
  readonly ended: string;
  /** What a person wrote at it last. */
  readonly comment: string;
  readonly modified: boolean;
  readonly result: string;
  readonly failure: string;
  /** In the order in which they appeared, which never changes. */
  readonly children: readonly string[];
}

export type Nodes = ReadonlyMap<string, TreeNode>;

/** parentOf is the run that started a run below the root; empty for the root itself. */
export function parentOf(id: string, root: string): string {
  return id === root ? '' : id.slice(0, id.lastIndexOf('.'));
}

/** stepOf says which of the six steps of explore a phase belongs to. The fifth is the person's own. */
export function stepOf(phase: string | undefined): number {
  return { clarify: 1, question: 2, split: 3, act: 4, summary: 6, doubt: 6, closing: 6 }[phase ?? ''] ?? 0;
}

const ended: ReadonlySet<Status> = new Set<Status>(['done', 'limit', 'declined', 'stopped', 'cancelled', 'deleted', 'failed']);
export const isEnded = (node: TreeNode) => ended.has(node.status);

function seedling(id: string, parent: string): TreeNode {
  return {
    id, parent, title: '', flow: '', status: 'ready', paused: false, doing: '', step: 0, round: 0, micros: 0, tokens: 0, asks: [],
    started: '', ended: '', comment: '', modified: false, result: '', failure: '', children: [],
  };
}

/** A Growth is a tree while events are added to it. */
export class Growth {
  readonly root: string;
  readonly nodes = new Map<string, TreeNode>();

  constructor(root: string) {
    this.root = root;
  }

  /** add takes the next event. Events of runs outside the tree do not count. */
  add(event: Event): void {
    if (event.run !== this.root && !event.run.startsWith(`${this.root}.`)) return;
    const node = this.#node(event.run);
    const change = changed(node, event);
    if (change) this.nodes.set(node.id, { ...node, ...change });
  }

  #node(id: string): TreeNode {
    const known = this.nodes.get(id);
    if (known) return known;
    const parent = parentOf(id, this.root);
    const node = seedling(id, parent);
    this.nodes.set(id, node);
    if (parent) {
      const above = this.#node(parent);
      this.nodes.set(parent, { ...above, children: [...above.children, id] });
    }
    return node;
  }
}

/** grown is the tree after the first events of a log. */
export function grown(root: string, events: readonly Event[], n = events.length): Nodes {
  const growth = new Growth(root);
  for (let i = 0; i < n; i++) growth.add(events[i]!);
  return growth.nodes;
}

type Change = Partial<TreeNode>;

function changed(node: TreeNode, event: Event): Change | undefined {
  switch (event.kind) {
    case 'run.started':
      return { ...begun(event.data as RunStart | undefined), status: 'running', started: event.at };
    case 'run.parked':
      return { status: 'waiting' };
    case 'run.blocked':
      return { status: 'blocked' };
    case 'run.resumed':
      return { status: 'running' };
    case 'step.started':
    case 'sub.started':
      return { ...at(node, event.data as StepStart | undefined), status: 'running' };
    case 'step.attempt':
      return node.status === 'running' ? undefined : { status: 'running' };
    case 'step.waiting':
      return { ...took(node, (event.data as Waiting | undefined)?.usage) };
    case 'ask.opened':
      return event.data ? { asks: [...node.asks, event.data as Ask] } : undefined;
    case 'step.done':
    case 'sub.done':
      return { ...took(node, (event.data as StepEnd | undefined)?.usage), asks: node.asks.filter((ask) => ask.step !== event.step) };
    case 'run.completed':
    case 'run.stopped':
    case 'run.failed':
      return over(event, event.data as RunEnd | undefined);
  }
  return event.kind.startsWith('command.') ? commanded(node, event.data as Command | undefined) : undefined;
}

function begun(start: RunStart | undefined): Change {
  const said = start?.task.messages?.findLast((m) => m.role === 'user')?.text ?? '';
  return { title: firstLine(said), flow: start?.task.flow ?? '' };
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0]!.trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

function at(node: TreeNode, start: StepStart | undefined): Change {
  const step = node.flow === 'explore' ? stepOf(start?.phase) : 0;
  return {
    doing: start?.human || node.doing,
    ...(step ? { step } : {}),
    ...(start?.round ? { round: start.round } : {}),
  };
}

function took(node: TreeNode, usage: StepEnd['usage']): Change {
  if (!usage) return {};
  return { micros: node.micros + (usage.micros ?? 0), tokens: node.tokens + (usage.input ?? 0) + (usage.output ?? 0) };
}

const ends: Record<string, End> = { 'run.completed': 'done', 'run.stopped': 'stopped', 'run.failed': 'failed' };

function over(event: Event, end: RunEnd | undefined): Change {
  return {
    status: end?.end ?? ends[event.kind]!, ended: event.at, doing: '', asks: [], paused: false, result: end?.text ?? '', failure: end?.failure?.msg ?? '',
  };
}

function commanded(node: TreeNode, command: Command | undefined): Change | undefined {
  switch (command?.kind) {
    case 'pause':
      return { paused: true };
    case 'resume':
      return { paused: false };
    case 'comment':
      return { comment: command.text ?? '' };
    case 'modify':
      return command.text && !command.cause ? { title: firstLine(command.text), modified: true } : undefined;
    case 'answer':
    case 'expire':
      return { asks: node.asks.filter((ask) => ask.id !== command.ask) };
  }
  return undefined;
}

/** spent is what each run and everything below it took. */
export function spent(nodes: Nodes, root: string): Map<string, { micros: number; tokens: number }> {
  const sums = new Map<string, { micros: number; tokens: number }>();
  const add = (id: string): { micros: number; tokens: number } => {
    const node = nodes.get(id);
    const sum = { micros: node?.micros ?? 0, tokens: node?.tokens ?? 0 };
    for (const child of node?.children ?? []) {
      const below = add(child);
      sum.micros += below.micros;
      sum.tokens += below.tokens;
    }
    sums.set(id, sum);
    return sum;
  };
  if (nodes.has(root)) add(root);
  return sums;
}
