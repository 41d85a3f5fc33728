import { expect, test } from 'vitest';
import type { Event } from 'rein-client';
import { grown, isEnded, spent } from './growth';
import { edge, layout, next, size, visible } from './layout';

let seq = 0;
const event = (run: string, kind: string, data?: unknown, step?: string): Event =>
  ({ run, kind, seq: ++seq, at: new Date(1_800_000_000_000 + seq * 1000).toISOString(), hash: '', ...(step ? { step } : {}), ...(data === undefined ? {} : { data }) }) as Event;
const started = (run: string, text: string) => event(run, 'run.started', { task: { flow: 'explore', messages: [{ role: 'system', text: 'no' }, { role: 'user', text }] } });
const step = (run: string, key: string, phase: string) => event(run, 'step.started', { sig: '', verb: 'model', phase, round: 1, human: `now ${phase}` }, key);
const done = (run: string, key: string, micros = 0) => event(run, 'step.done', { usage: { input: 10, output: 5, micros } }, key);

const log = [
  started('r', 'Tell me about Java.\nAll of it.'),
  step('r', '1', 'clarify'),
  event('r', 'ask.opened', { id: 'r:2.ask', run: 'r', step: '2', kind: 'question', text: 'Which?', state: 'pending' }, '2.ask'),
  event('r', 'run.parked', { for: ['a person'] }),
  event('r', 'command.answer', { kind: 'answer', ask: 'r:2.ask' }),
  event('r', 'run.resumed'),
  done('r', '1', 100),
  started('r.3', 'Who?'),
  started('r.4', 'What?'),
  started('r.3.1', 'How many?'),
  step('r.3', '1', 'act'),
  done('r.3', '1', 30),
  event('r.4', 'command.modify', { kind: 'modify', text: 'What grows?' }),
  event('r.4', 'run.stopped', { end: 'deleted' }),
  done('r.3.1', '1', 7),
  event('r', 'run.completed', { end: 'done', text: 'An island.' }),
];

test('a log grows into a tree', () => {
  const nodes = grown('r', log);
  expect([...nodes.keys()]).toEqual(['r', 'r.3', 'r.4', 'r.3.1']);
  expect(nodes.get('r')).toMatchObject({ title: 'Tell me about Java.', status: 'done', result: 'An island.', children: ['r.3', 'r.4'], asks: [] });
  expect(nodes.get('r.3')).toMatchObject({ parent: 'r', step: 4, doing: 'now act', status: 'running', children: ['r.3.1'] });
  expect(nodes.get('r.4')).toMatchObject({ title: 'What grows?', modified: true, status: 'deleted' });
  expect(isEnded(nodes.get('r.4')!)).toBe(true);
});

test('the past is what had happened by then', () => {
  const before = grown('r', log, 4).get('r')!;
  expect(before).toMatchObject({ status: 'waiting', step: 1, children: [] });
  expect(before.asks.map((ask) => ask.id)).toEqual(['r:2.ask']);
  expect(grown('r', log, 5).get('r')!.asks).toEqual([]);
});

test('what is below counts for what is above it', () => {
  const sums = spent(grown('r', log), 'r');
  expect(sums.get('r')!.micros).toBe(137);
  expect(sums.get('r.3')).toEqual({ micros: 37, tokens: 30 });
});

test('the log of another run does not count', () => {
  expect([...grown('r', [started('r2', 'x'), started('r.1', 'y')]).keys()]).toEqual(['r.1', 'r']);
});

test('siblings keep the order in which they appeared', () => {
  const nodes = grown('r', [started('r', ''), started('r.9', ''), started('r.10', ''), started('r.2', '')]);
  expect(layout(nodes, 'r', new Set()).order.map((p) => p.id)).toEqual(['r', 'r.9', 'r.10', 'r.2']);
});

test('nothing before a new node moves, and nothing changes its order', () => {
  for (let n = 1; n <= log.length; n++) {
    const was = layout(grown('r', log, n - 1), 'r', new Set());
    const is = layout(grown('r', log, n), 'r', new Set());
    const added = is.order.findIndex((p) => !was.places.has(p.id));
    is.order.forEach((place, i) => {
      const earlier = was.places.get(place.id);
      if (!earlier) return;
      expect(place.x).toBe(earlier.x);
      if (added < 0 || i < added) expect(place.y).toBe(earlier.y);
      else expect(place.y).toBeGreaterThanOrEqual(earlier.y);
    });
  }
});

test('no two nodes touch, and all are inside', () => {
  const l = layout(grown('r', log), 'r', new Set());
  const spots = new Set(l.order.map((p) => `${p.x} ${p.y}`));
  expect(spots.size).toBe(4);
  for (const p of l.order) {
    expect(p.x + size.width).toBeLessThanOrEqual(l.width);
    expect(p.y + size.height).toBeLessThanOrEqual(l.height);
  }
});

test('a folded node hides and counts what is below it', () => {
  const l = layout(grown('r', log), 'r', new Set(['r.3', 'r.4']));
  expect(l.order.map((p) => [p.id, p.hidden])).toEqual([['r', 0], ['r.3', 1], ['r.4', 0]]);
});

test('arrow keys lead to neighbours and stay at the edge', () => {
  const nodes = grown('r', log);
  const l = layout(nodes, 'r', new Set());
  expect(next(l, nodes, 'r', 'right')).toBe('r.3');
  expect(next(l, nodes, 'r.3', 'down')).toBe('r.4');
  expect(next(l, nodes, 'r.4', 'down')).toBe('r.4');
  expect(next(l, nodes, 'r.3.1', 'left')).toBe('r.3');
  expect(next(l, nodes, 'r.3.1', 'right')).toBe('r.3.1');
});

test('only what the box shows is drawn', () => {
  const many = [started('r', ''), ...Array.from({ length: 499 }, (_, i) => started(`r.${i}`, ''))];
  const l = layout(grown('r', many), 'r', new Set());
  expect(l.order).toHaveLength(500);
  expect(visible(l.order, { left: 0, top: 0, right: 1000, bottom: 800 }).length).toBeLessThan(12);
});

test('an edge ends where its child begins', () => {
  const l = layout(grown('r', log), 'r', new Set());
  expect(edge(l.places.get('r')!, l.places.get('r.4')!)).toMatch(new RegExp(`H${l.places.get('r.4')!.x}$`));
  expect(edge(l.places.get('r')!, l.places.get('r.3')!)).toMatch(/^M\d+ \d+H\d+$/);
});
