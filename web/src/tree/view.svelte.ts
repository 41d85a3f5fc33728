// The window on a large picture: where it is moved to, and how much it is enlarged.
import { size, type Box, type Layout, type Place } from './layout';

const least = 0.15;
const most = 2;
const margin = 24;

export class Window {
  x = $state(margin);
  y = $state(margin);
  zoom = $state(1);
  width = $state(0);
  height = $state(0);

  /** What of the picture can be seen, with a little around it. */
  get box(): Box {
    const around = size.width;
    return {
      left: -this.x / this.zoom - around, top: -this.y / this.zoom - around,
      right: (this.width - this.x) / this.zoom + around, bottom: (this.height - this.y) / this.zoom + around,
    };
  }

  pan(dx: number, dy: number) {
    this.x += dx;
    this.y += dy;
  }

  /** zoomBy enlarges, and what is at a point of the window stays there; without one, its middle. */
  zoomBy(factor: number, x = this.width / 2, y = this.height / 2) {
    const zoom = Math.min(most, Math.max(least, this.zoom * factor));
    this.x = x - ((x - this.x) * zoom) / this.zoom;
    this.y = y - ((y - this.y) * zoom) / this.zoom;
    this.zoom = zoom;
  }

  /** fit shows the whole picture, but never larger than it is. */
  fit(l: Layout) {
    const zoom = Math.min((this.width - 2 * margin) / l.width, (this.height - 2 * margin) / l.height, 1);
    this.zoom = Math.max(least, zoom);
    this.x = this.y = margin;
  }

  /** reach moves the window just so far that a place is inside. */
  reach(place: Place) {
    const left = place.x * this.zoom + this.x;
    const top = place.y * this.zoom + this.y;
    const inside = (at: number, length: number, whole: number) => (at < margin ? margin - at : at + length > whole - margin ? whole - margin - at - length : 0);
    this.pan(inside(left, size.width * this.zoom, this.width), inside(top, size.height * this.zoom, this.height));
  }
}

/** Hands turns what fingers, a mouse and a wheel do into moves of a window. */
export class Hands {
  readonly #window: Window;
  readonly #down = new Map<number, { x: number; y: number }>();
  /** What is going on is a move, and not a click. */
  moved = false;

  constructor(window: Window) {
    this.#window = window;
  }

  press(event: PointerEvent) {
    if (event.button !== 0) return;
    if (!this.#down.size) this.moved = false;
    this.#down.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  move(event: PointerEvent) {
    const was = this.#down.get(event.pointerId);
    if (!was) return;
    const at = { x: event.clientX, y: event.clientY };
    if (!this.moved && Math.hypot(at.x - was.x, at.y - was.y) < 4) return;
    const surface = event.currentTarget as HTMLElement;
    if (!this.moved) surface.setPointerCapture(event.pointerId);
    this.moved = true;
    const other = [...this.#down].find(([id]) => id !== event.pointerId)?.[1];
    this.#down.set(event.pointerId, at);
    if (!other) return this.#window.pan(at.x - was.x, at.y - was.y);
    const edge = surface.getBoundingClientRect();
    const before = Math.hypot(was.x - other.x, was.y - other.y);
    const now = Math.hypot(at.x - other.x, at.y - other.y);
    if (before > 0) this.#window.zoomBy(now / before, (at.x + other.x) / 2 - edge.left, (at.y + other.y) / 2 - edge.top);
    this.#window.pan((at.x - was.x) / 2, (at.y - was.y) / 2);
  }

  release(event: PointerEvent) {
    this.#down.delete(event.pointerId);
  }

  wheel(event: WheelEvent) {
    event.preventDefault();
    const edge = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const unit = event.deltaMode === 1 ? 16 : 1; // lines or pixels
    if (event.ctrlKey || event.metaKey) this.#window.zoomBy(Math.exp(-event.deltaY * unit * 0.005), event.clientX - edge.left, event.clientY - edge.top);
    else if (event.shiftKey && !event.deltaX) this.#window.pan(-event.deltaY * unit, 0);
    else this.#window.pan(-event.deltaX * unit, -event.deltaY * unit);
  }
}
