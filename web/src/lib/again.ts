/** Again does one thing when it is asked to: never twice at once, and once more if it was asked meanwhile. */
export class Again {
  readonly #act: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(act: () => Promise<void>) {
    this.#act = act;
  }

  /** run resolves when it has been done from the beginning after this call. */
  run(): Promise<void> {
    if (!this.#running) {
      this.#running = this.#act().finally(() => (this.#running = undefined));
      return this.#running;
    }
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.run();
      });
    return this.#next;
  }
}
