// The title of the window: what waits, what is shown, and whose page it is.
import { line, short } from '../markdown/visible';

class Title {
  #shown = $state('');

  /** show names what a view shows, until the function that it returns is called. */
  show(name: string): () => void {
    this.#shown = short(line(name), 80);
    return () => (this.#shown = '');
  }

  /** of is the title of the window: `view` says where somebody is if the view has not named what it shows. */
  of(waiting: number, view: string): string {
    const where = this.#shown || view;
    return `${waiting ? `(${waiting}) ` : ''}${where ? `${where} · ` : ''}rein`;
  }
}

export const title = new Title();
