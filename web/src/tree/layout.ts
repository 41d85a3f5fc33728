// Where the nodes of a tree stand. Depth goes to the right, siblings go down in the order in which they
// appeared. A parent stands beside its first child, so nothing above or left of a new node ever moves, and what
// is below it only makes room.
import type { Nodes } from './growth';

export const size = { width: 248, height: 84, across: 56, down: 16 } as const;

export interface Place {
  id: string;
  x: number;
  y: number;
  depth: number;
  /** How many runs are folded into it. */
  hidden: number;
}

export interface Layout {
  places: Map<string, Place>;
  /** In reading order, as a list shows them. */
  order: Place[];
  width: number;
  height: number;
}

/** layout places the tree below a root. What is below a folded node has no place. */
export function layout(nodes: Nodes, root: string, folded: ReadonlySet<string>): Layout {
  const places = new Map<string, Place>();
  const order: Place[] = [];
  let row = 0;
  let deepest = 0;
  const put = (id: string, depth: number) => {
    const node = nodes.get(id);
    if (!node) return;
    const hides = folded.has(id) && node.children.length > 0;
    const place: Place = { id, x: depth * (size.width + size.across), y: row * (size.height + size.down), depth, hidden: hides ? countBelow(nodes, id) : 0 };
    places.set(id, place);
    order.push(place);
    deepest = Math.max(deepest, depth);
    if (hides || node.children.length === 0) {
      row++;
      return;
    }
    for (const child of node.children) put(child, depth + 1);
  };
  put(root, 0);
  return {
    places, order,
    width: (deepest + 1) * (size.width + size.across) - size.across,
    height: Math.max(1, row) * (size.height + size.down) - size.down,
  };
}

function countBelow(nodes: Nodes, id: string): number {
  let n = 0;
  for (const child of nodes.get(id)?.children ?? []) n += 1 + countBelow(nodes, child);
  return n;
}

/** edge is the line from a parent to a child, as the path of an SVG. */
export function edge(from: Place, to: Place): string {
  const x1 = from.x + size.width;
  const y1 = from.y + size.height / 2;
  const y2 = to.y + size.height / 2;
  if (y1 === y2) return `M${x1} ${y1}H${to.x}`;
  const middle = x1 + size.across / 2;
  const turn = 8;
  return `M${x1} ${y1}H${middle - turn}q${turn} 0 ${turn} ${turn}V${y2 - turn}q0 ${turn} ${turn} ${turn}H${to.x}`;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** visible are the places that a box shows, so that a large tree costs no more than what is on the screen. */
export function visible(all: readonly Place[], box: Box): Place[] {
  return all.filter((p) => p.x < box.right && p.x + size.width > box.left && p.y < box.bottom && p.y + size.height > box.top);
}

export type Direction = 'up' | 'down' | 'left' | 'right';

/** next is the node that an arrow key leads to: up and down in reading order at the same depth, left to the parent, right to the first child. */
export function next(l: Layout, nodes: Nodes, from: string, direction: Direction): string {
  const place = l.places.get(from);
  const node = nodes.get(from);
  if (!place || !node) return from;
  if (direction === 'left') return l.places.has(node.parent) ? node.parent : from;
  if (direction === 'right') return node.children.find((child) => l.places.has(child)) ?? from;
  const level = l.order.filter((p) => p.depth === place.depth);
  const i = level.indexOf(place) + (direction === 'down' ? 1 : -1);
  return level[i]?.id ?? from;
}
