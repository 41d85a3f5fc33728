// Where somebody is in a text that grows: at its tail, which they then follow, or further up, where nothing may move.

/** How long what somebody opened may take to appear. */
const patience = 300;

export class Tail {
  /** The view is at the tail and stays there. */
  at = $state(true);
  #box: HTMLElement | undefined;
  #top = 0;
  #held = false; // a finger or button is down
  #opened = 0; // when somebody pressed a button in the content: what grows then is theirs, and stays where it is

  /** watch follows a box that scrolls and the content in it. */
  watch(box: HTMLElement, content: HTMLElement): () => void {
    this.#box = box;
    const grown = new ResizeObserver(() => {
      if (performance.now() - this.#opened < patience) this.at = this.#isThere();
      this.#stay();
    });
    grown.observe(content);
    grown.observe(box);
    const held = () => (this.#held = true);
    const released = () => {
      this.#held = false;
      this.#stay();
    };
    const moved = () => this.#moved();
    const pressed = (e: Event) => {
      const button = (e.target as Element | null)?.closest('button');
      if (button && !button.closest('[data-ask] .answers')) this.#opened = performance.now(); // who answers wants to see what comes of it
    };
    box.addEventListener('scroll', moved, { passive: true });
    box.addEventListener('click', pressed, { capture: true });
    box.addEventListener('pointerdown', held, { passive: true });
    addEventListener('pointerup', released, { passive: true });
    addEventListener('pointercancel', released, { passive: true });
    this.#stay();
    return () => {
      grown.disconnect();
      box.removeEventListener('scroll', moved);
      box.removeEventListener('click', pressed, { capture: true });
      box.removeEventListener('pointerdown', held);
      removeEventListener('pointerup', released);
      removeEventListener('pointercancel', released);
    };
  }

  /** go moves to the tail. */
  go() {
    this.at = true;
    this.#held = false;
    this.#opened = 0;
    this.#stay();
  }

  /** keep does something that changes what is above, and leaves what is on the screen where it is. */
  async keep(act: () => Promise<unknown>) {
    const box = this.#box;
    if (!box || this.at) return void (await act());
    const below = box.scrollHeight - box.scrollTop;
    await act();
    box.scrollTop = box.scrollHeight - below;
    this.#top = box.scrollTop;
  }

  #isThere(): boolean {
    const box = this.#box!;
    return box.scrollHeight - box.scrollTop - box.clientHeight < 48;
  }

  #moved() {
    const top = this.#box!.scrollTop;
    if (top < this.#top - 1) this.at = this.#isThere(); // content that grows does not lead away, only a person does
    else if (this.#isThere()) this.at = true;
    this.#top = top;
  }

  #stay() {
    const box = this.#box;
    if (!box || !this.at || this.#held || isSelecting(box)) return;
    box.scrollTop = box.scrollHeight;
    this.#top = box.scrollTop;
  }
}

/** isSelecting reports whether somebody has marked text in the box. */
function isSelecting(box: HTMLElement): boolean {
  const selection = getSelection();
  return !!selection && !selection.isCollapsed && box.contains(selection.anchorNode);
}
